#pragma once

// Which pods of a placed workload lose their scheduling gate, and the domain that each one gets.
//
// Pods have ranks if their index labels say so: the index less an offset or, in a replicated job,
// the job's index times its size plus the index. The domains of an assignment take the ranks in
// their order. Ranks apply to a pod set as a whole; where they contradict each other, the
// assignment or the pods that run, any pod takes any free place instead.
//
//   - No domain gets more pods than the assignment gives it. Pods that ended are gone and leave
//     their place; pods that are being deleted keep it, and do not take another.
//   - A node that failed gets none: the pods wait for its replacement.
//   - A pod that runs keeps its domain, whatever the assignment says now.
//   - A pod that waits for quota, as those of an elastic job do one by one, takes no place.

#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/flat_map.h"
#include "control/placement/placed_pods.h"

namespace berth::control {

using NodeLabels = base::FlatMap<std::string>;

struct UngatingPod {
  std::string_view name;
  const PlacedPod* pod = nullptr;
  // The domain that a write in flight gives it; null if there is none.
  const NodeLabels* domain = nullptr;
};

struct Ungating {
  std::string pod;
  NodeLabels domain;  // to be added to its node selector

  friend bool operator==(const Ungating&, const Ungating&) = default;
};

// Plans for all pods of the Workload that have not ended, in any order. None if the Workload is not
// admitted with a topology, or must not run any more.
std::vector<Ungating> PlanUngating(const api::Workload& workload, std::vector<UngatingPod> pods);

}  // namespace berth::control
