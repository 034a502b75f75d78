#pragma once

// What is to be done about sets whose pods wait as groups: a StatefulSet has one Workload for all
// its pods, a LeaderWorkerSet one for each replica. The pods themselves are pod_plan.h's business;
// they name that Workload as one that was made before them.

#include <optional>
#include <string>

#include "control/job_plan.h"
#include "store/json.h"

namespace berth::control {

// A managed set that exists. `around.workloads` are those that the set owns.
//
// A StatefulSet without pods gives its quota back and keeps its Workload on hold, until it has pods
// again. Workloads of replicas that a LeaderWorkerSet has no more are deleted.
JobPlan PlanServingSet(const jobs::Integration& integration, const store::json::value& set,
                       const JobSurroundings& around, const JobPolicy& policy, base::Time now);

// The pod with all that it needs to wait in the group of its set; nullopt if it has that. A pod of
// a revision that is being replaced is not held back: it is only there to be deleted.
std::optional<store::json::value> PlanServingPod(const jobs::Integration& integration,
                                                 const store::json::value& set,
                                                 const store::json::value& pod,
                                                 const JobPolicy& policy);

}  // namespace berth::control
