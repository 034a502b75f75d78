#pragma once

// Generated worlds: cohorts of queues with sets of equal jobs that arrive at intervals. The format
// is that of Kueue's scheduler performance test, with pools of nodes (node_generator.h):
//
//   topology:                                # optional, with its nodes
//     name: default
//     levels:
//     - {name: rack, count: 10, nodeLabel: cloud.example/rack}
//     - {name: node, count: 64, nodeLabel: kubernetes.io/hostname, capacity: {cpu: 96}}
//   resourceFlavor: {name: tas, nodeLabel: cloud.example/pool, topologyName: default}
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
// A job may say with tasConstraint and tasLevel how its podCount pods are placed.
//
// One resource, cpu, in one flavor. Each queue has a namespace and a LocalQueue of the same name.
// The sets of a queue arrive in parallel; within a set, jobs arrive one interval apart, the first
// after one interval.

#include <expected>
#include <string>
#include <string_view>

#include "schema/problem.h"
#include "simulate/input.h"
#include "simulate/trace/generator_file.h"

namespace berth::simulate {

std::expected<GeneratorFile, schema::Problems> ReadGenerator(std::string_view text,
                                                             const std::string& file);

// Adds nodes, queues and jobs to the input; arrivals are relative to its start. Adds nothing if
// there are problems.
schema::Problems AddGenerated(std::string_view text, const std::string& file, Input& input);

}  // namespace berth::simulate
