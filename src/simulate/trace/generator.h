#pragma once

// Generated worlds: cohorts of queues with sets of equal jobs that arrive at intervals. The format
// is that of Kueue's scheduler performance test:
//
//   cohorts:
//   - className: cohort
//     count: 5
//     queuesSets:
//     - className: cq
//       count: 6
//       nominalQuota: 20
//       borrowingLimit: 100
//       reclaimWithinCohort: Any
//       withinClusterQueue: LowerPriority
//       workloadsSets:
//       - count: 350
//         creationIntervalMs: 100
//         workloads:
//         - {className: small, runtimeMs: 200, priority: 50, request: 1}
//
// One resource, cpu, in one flavor. Each queue has a namespace and a LocalQueue of the same name.
// The sets of a queue arrive in parallel; within a set, jobs arrive one interval apart, the first
// after one interval.

#include <string>
#include <string_view>

#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

// Adds queues and jobs to the input; arrivals are relative to its start. Adds nothing if there are
// problems.
schema::Problems AddGenerated(std::string_view text, const std::string& file, Input& input);

}  // namespace berth::simulate
