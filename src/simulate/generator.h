#pragma once

// Worlds described in a few lines: so many cohorts of so many queues, each with sets of equal jobs
// that arrive at intervals. The file has the shape of the one that Kueue's scheduler performance
// test reads, so such files can be used as they are:
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
// There is one resource, cpu, in one flavor. Each queue has a namespace and a LocalQueue of its own
// name. The sets of a queue arrive side by side; within a set one job comes after the other, the
// first after one interval.

#include <string>
#include <string_view>

#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

// Adds queues and jobs to the input; arrivals count from its start. Everything that is wrong is
// reported, and then nothing was added.
schema::Problems AddGenerated(std::string_view text, const std::string& file, Input& input);

}  // namespace berth::simulate
