#pragma once

#include <vector>

#include "base/time.h"
#include "engine/engine.h"
#include "engine/explain/blocked_option.h"
#include "engine/flavor/assignment.h"
#include "engine/preemption/targets.h"
#include "engine/quota/fair_share.h"

namespace berth::engine {

// A head and the findings of the cycle about it. Reused from cycle to cycle with its buffers.
struct Entry {
  WorkloadId workload;
  NodeId queue;
  // Copied from the workload.
  int64_t priority = 0;
  base::Time queue_order_time;
  Assignment assignment;
  std::vector<PreemptionTarget> targets;  // all of them, including those already being evicted
  WorkloadId replaced;                    // the workload slice that it replaces
  bool is_preemptor = false;
  // It holds quota and is considered again for its placement.
  bool is_second_pass = false;
  bool keeps_progress = true;
  bool was_recomputed = false;
  Outcome outcome = Outcome::kNoFit;
  WaitReason reason = WaitReason::kNone;
  std::vector<BlockedOption> blocked_options;  // for a constrained head that is not nominated

  // Shares of the queue and its cohorts if this head were admitted, from the queue upwards; one per
  // node below the root. For the tournament.
  struct Level {
    FairShare share;
    bool is_borrowing = false;  // for the resources of this head
  };
  std::vector<Level> levels;
  bool is_done = false;

  // For explanations; heads of a cycle use the defaults.
  bool is_traced = false;  // search from the first flavor and record every attempt
  bool may_shrink = true;  // try fewer pods if all do not fit
  bool may_preempt = true;
};

// Whether the entry fits or has preemption targets.
inline bool IsNominated(const Entry& entry) {
  return entry.assignment.mode == AssignmentMode::kFit ||
         (entry.assignment.mode == AssignmentMode::kPreempt && !entry.targets.empty());
}

}  // namespace berth::engine
