#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/state.h"

namespace berth::engine {

// Reuses the memory of scan progress that workloads no longer need.
class ScanProgressPool {
 public:
  void Drop(Workload& workload) {
    if (workload.progress) spare_.push_back(std::move(workload.progress));
  }
  // The progress of the workload, created if there is none.
  ScanProgress& Of(Workload& workload) {
    if (workload.progress == nullptr && !spare_.empty()) {
      workload.progress = std::move(spare_.back());
      spare_.pop_back();
    }
    if (workload.progress == nullptr) workload.progress = std::make_unique<ScanProgress>();
    return *workload.progress;
  }

 private:
  std::vector<std::unique_ptr<ScanProgress>> spare_;
};

}  // namespace berth::engine
