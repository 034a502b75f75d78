#pragma once

// Pending reasons by equivalence class. Workloads that the scheduler skips because an equivalent
// one is inadmissible get its reason. A reason belongs to its class: it stays when the workload
// that was tried leaves the class.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "api/kueue/workload.h"
#include "control/scheduler.h"
#include "engine/ids.h"
#include "engine/spec.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// Whether the scheduler has said nothing about the workload as it is now: it has no pending reason,
// or one that any decision may replace. False for workloads that are not queued.
bool IsUnexplained(const api::Workload& workload, const workload::ClusterState& cluster);
// Whether both queues of a pending workload are active. Otherwise the pending reason is theirs.
bool IsServed(const api::Workload& workload, engine::WorkloadId id,
              const workload::ClusterState& cluster);

class EquivalenceReasons {
 public:
  // Records a decision of the last cycle. Returns whether its class has another reason now, which
  // the workloads of the class do not show yet.
  bool OnUpsert(const WorkloadChange& change, const workload::ClusterState& cluster);
  // Forgets the reasons of classes that may be tried again, if there are many.
  void Prune(const workload::ClusterState& cluster);

  // The change for a workload that is inadmissible behind an equivalent one, which may be gone. The
  // workload is unexplained, or shows an earlier reason of its class. The workload gets Events if
  // it `is_newly_eligible`, and requests also if this is its first reason. Valid only right after a
  // cycle without progress.
  std::optional<WorkloadChange> For(const api::Workload& workload,
                                    const workload::ClusterState& cluster,
                                    bool is_newly_eligible) const;

  static constexpr size_t kManyReasons = 1000;
  size_t size() const { return reasons_.size(); }

 private:
  using Key = std::pair<engine::NodeId, engine::EquivalenceKey>;
  static std::optional<Key> KeyOf(engine::WorkloadId id, const workload::ClusterState& cluster);

  std::map<Key, WorkloadChange> reasons_;
};

}  // namespace berth::control
