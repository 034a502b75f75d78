#pragma once

// Tracks Workloads whose priority has to be synced with their WorkloadPriorityClass: when the value
// of the class changes, and when this replica becomes the leader. A priority that is set by hand
// after that stays. Finished Workloads keep their priority.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/kueue/workload.h"
#include "jobs/priority.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

class PriorityClassSync {
 public:
  // The class was created or has another value; "" if any class may have changed.
  void OnClassChange(std::string_view class_name, const jobs::PriorityTable& priorities,
                     const workload::ClusterState& cluster);
  void OnDelete(std::string_view workload);

  // The priority to write to this Workload; nullopt if no update is due.
  std::optional<int32_t> For(const api::Workload& workload, const jobs::PriorityTable& priorities);

 private:
  // The outdated priority of each Workload, by namespaced name. A Workload with another priority
  // was synced already, or set by hand since.
  std::map<std::string, std::optional<int32_t>, std::less<>> outdated_;
};

}  // namespace berth::control
