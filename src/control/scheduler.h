#pragma once

// The engine's decisions as what they mean for Workloads. Pure: who calls it writes the changes
// down and tells the engine (Undo) where that failed.

#include <vector>

#include "api/workload.h"
#include "base/time.h"
#include "control/plan.h"
#include "workload/engine_feed.h"

namespace berth::control {

struct WorkloadChange {
  enum class Kind : uint8_t {
    kReserve,  // it holds quota; if this cannot be written down, the engine must undo it
    kPreempt,  // it has to make room
    kWait,     // why it waits
    kReplace,  // a slice of it took over
  };
  Kind kind = Kind::kWait;
  engine::WorkloadId id;
  api::Workload workload;  // as it is to be from now on
  std::vector<Note> notes;
};

// Runs one cycle and says what follows. Empty if nobody waits.
std::vector<WorkloadChange> RunCycle(workload::EngineFeed& feed, base::Time now);

}  // namespace berth::control
