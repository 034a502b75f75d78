#pragma once

// Tells people which requests of their workloads do not count against quota: excluded ones by an
// Event and in the log (KEP-5800), skipped ones in the log (KEP-7513).

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/workload.h"
#include "control/plan.h"
#include "workload/engine_feed.h"

namespace berth::control {

class UncountedRequests {
 public:
  struct News {
    std::string log;
    std::optional<Note> note;  // for an Event
  };

  // What is new about a workload that waits. Nullopt if nothing is: the same is told once. What one
  // that holds quota was charged does not change any more.
  std::optional<News> Look(const api::Workload& workload, workload::EngineFeed& feed);

  // The workload is gone.
  void Forget(std::string_view name) { said_.erase(std::string(name)); }

 private:
  std::map<std::string, std::string> said_;  // by namespaced name of the workload
};

}  // namespace berth::control
