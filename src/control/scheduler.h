#pragma once

// The engine's decisions as changes of Workloads. Does no I/O: the caller writes the changes, and
// undoes a reservation in the engine if its write fails.

#include <functional>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "control/report/controller_event.h"
#include "lifecycle/event_record.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// The change of one Workload that follows from a decision. It is applied to the newest state of the
// Workload when it is written.
struct WorkloadChange {
  enum class Kind : uint8_t {
    kReserve,  // quota is reserved; if the write fails, the engine must undo it
    kPreempt,  // the Workload is a preemption target
    kWait,     // the Workload is pending, for this reason
    kReplace,  // another slice replaces the Workload
    kPlace,    // the pods of a Workload with quota have places now
    kEvict,    // a node of the Workload failed, and its pods have no other place
  };
  Kind kind = Kind::kWait;
  engine::WorkloadId id;
  std::string workload;  // namespaced name
  std::string reason;
  std::string message;
  std::string preemptor;                     // kPreempt: namespaced name
  std::string preempting_queue;              // kPreempt: the ClusterQueue of the preemptor
  std::string priorities;                    // kPreempt: text for the Event
  api::Admission admission;                  // kReserve, kPlace
  std::string replaced_node;                 // kPlace; "" if no node failed
  std::vector<api::PodSetRequest> requests;  // kWait
  std::vector<std::string> targets;          // kWait: Event texts about new preemption targets
  bool is_inadmissible = false;  // kWait: equivalent workloads are skipped until the tree changes
  bool is_silent = false;        // kWait: no Event
  // kReserve: the change of the slice that the Workload replaces, to be written once the
  // reservation is. A job keeps its quota if the reservation fails.
  std::vector<WorkloadChange> follow_ups = {};
};

// The pods of a Workload with quota have no place yet. The engine tries again.
struct FailedSecondPass {
  std::string workload;  // namespaced name
  std::string message;
};

struct CycleResult {
  std::vector<WorkloadChange> changes;
  std::vector<FailedSecondPass> failed_second_passes;
  // Another cycle may decide more. False if it would decide the same again.
  bool made_progress = false;
  CycleCompleted event;  // without its duration
};

CycleResult RunCycle(workload::ClusterState& cluster, base::Time now);

// Called with the decisions of every cycle, also if there are none, before they take effect
// anywhere but in the engine.
using RecordCycle = std::function<void(const CycleResult&, base::Time now)>;

// waitForPodsReady.blockAdmission: whether a workload is admitted without ready pods, or the write
// of a reservation is in flight.
bool IsAdmissionBlocked(const workload::ClusterState& cluster);
// Reverts a reservation in the engine. A slice that it would have replaced holds its quota again,
// from the next Sync on.
void Revert(const WorkloadChange& reservation, workload::ClusterState& cluster);
// Undoes all reservations of a cycle if admission is blocked, and all but the first otherwise. The
// Workloads are pending until the pods of the admitted one are ready. Another cycle would reserve
// the same quota, so the result has no progress then. Returns whether admission is blocked now.
bool BlockReservations(CycleResult& result, bool is_blocked, workload::ClusterState& cluster);

// Applies the change and returns its Events; none, with the Workload unchanged, if it is applied
// already. `queue` is the ClusterQueue of a reservation; null if it is gone.
std::vector<lifecycle::EventRecord> Apply(const WorkloadChange& change,
                                          const api::ClusterQueue* queue, api::Workload& workload,
                                          base::Time now);

}  // namespace berth::control
