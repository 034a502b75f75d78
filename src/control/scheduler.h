#pragma once

// The engine's decisions as what they mean for Workloads. Pure: who calls it writes the changes
// down and tells the engine (Undo) where that failed.

#include <string>
#include <vector>

#include "api/workload.h"
#include "base/time.h"
#include "control/fact.h"
#include "control/plan.h"
#include "workload/engine_feed.h"

namespace berth::control {

// What a decision changes about one Workload. Not the changed object itself: that may have moved on
// by the time it can be written.
struct WorkloadChange {
  enum class Kind : uint8_t {
    kReserve,  // it holds quota; if this cannot be written down, the engine must undo it
    kPreempt,  // it has to make room
    kWait,     // why it waits
    kReplace,  // another slice took over
  };
  Kind kind = Kind::kWait;
  engine::WorkloadId id;
  std::string workload;  // namespaced name
  std::string reason;
  std::string message;
  std::string preempting_queue;              // kPreempt: the ClusterQueue that it is for
  api::Admission admission;                  // kReserve
  std::vector<api::PodSetRequest> requests;  // kWait
  std::vector<std::string> victims;          // kWait: whom it preempted, newly
  bool is_parked = false;  // kWait: nothing of its shape is looked at before its tree changes
  bool is_silent = false;  // kWait: nobody is told
};

struct CycleResult {
  std::vector<WorkloadChange> changes;
  // Another cycle may decide more. False if it would only decide the same again.
  bool made_progress = false;
  CycleFact fact;  // how long it took is not known here
};

CycleResult RunCycle(workload::EngineFeed& feed, base::Time now);

// Applies the change. Returns what to tell of it; nothing, and the workload as it was, if it says
// that already. `queue` is the ClusterQueue of a reservation, null if it is gone.
std::vector<Note> Apply(const WorkloadChange& change, const api::ClusterQueue* queue,
                        api::Workload& workload, base::Time now);

}  // namespace berth::control
