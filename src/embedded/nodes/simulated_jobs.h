#pragma once

// Simulates the controllers of jobs on simulated nodes: jobs that may run have pods.
//
// A batch/v1 Job follows its pods: it is ready when they are and ends with them. Pods that are
// being deleted, or lost with their node, are replaced. A Job that fails does so with its first
// failed pod. Jobs of other kinds run for their run time, as without nodes; meanwhile they have the
// pods of their templates. Kinds whose admission is not injected into pod templates have none.

#include <span>

#include "base/time.h"
#include "embedded/nodes/simulated_nodes.h"
#include "embedded/nodes/simulated_sets.h"
#include "jobs/integration.h"
#include "json/json.h"

namespace berth::embedded {

// Children are the pods that have the job as their controller.
SimulatedSetPlan SimulateBatchJob(const json::value& job, std::span<const json::value> pods,
                                  const SimulationSettings& settings, base::Time now);
SimulatedSetPlan SimulateJobPods(const jobs::Integration& integration, const json::value& job,
                                 std::span<const json::value> pods);

}  // namespace berth::embedded
