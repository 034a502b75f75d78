#pragma once

// Pending reasons by equivalence class. Workloads that the scheduler skips because an equivalent
// one is inadmissible get its reason.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/kueue/workload.h"
#include "control/scheduler.h"
#include "engine/ids.h"
#include "engine/spec.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

class EquivalenceReasons {
 public:
  // Records a decision of the last cycle.
  void OnUpsert(const WorkloadChange& change, const workload::ClusterState& cluster);
  // Drops the reason of this workload.
  void OnDelete(std::string_view workload);

  // The change for a workload that is inadmissible behind an equivalent one, if its status has
  // another reason, or the reason of an earlier generation. A workload without a reason has never
  // been considered and gets none. Events and requests are updated only if it `is_newly_eligible`.
  // Valid only right after a cycle without progress.
  std::optional<WorkloadChange> For(const api::Workload& workload,
                                    const workload::ClusterState& cluster,
                                    bool is_newly_eligible) const;

 private:
  using Key = std::pair<engine::NodeId, engine::EquivalenceKey>;
  static std::optional<Key> KeyOf(engine::WorkloadId id, const workload::ClusterState& cluster);

  std::map<Key, WorkloadChange> reasons_;
  std::map<std::string, Key, std::less<>> keys_;  // of reasons_, by workload
};

}  // namespace berth::control
