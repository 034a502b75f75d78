#pragma once

// Plans for sets whose pods are admitted as groups: a StatefulSet has one Workload for all its
// pods, a LeaderWorkerSet one per replica. pod_plan.h plans the pods, which refer to it as their
// prebuilt Workload.

#include <optional>
#include <string>

#include "control/reconcile/job_plan.h"
#include "json/json.h"

namespace berth::control {

// The plan for a managed set. `context.workloads` are the Workloads that the set owns.
//
// A StatefulSet that is scaled to zero returns its quota, and its Workload is on hold until the set
// has pods again. Workloads of removed replicas of a LeaderWorkerSet are deleted.
JobPlan PlanServingSet(const jobs::Integration& integration, const json::value& set,
                       const JobContext& context, const JobPolicy& policy, base::Time now);

// The Workload of a set's pods.
struct ServingGroup {
  std::string name;  // as for jobs::MarkServingPod
  bool is_admitted = false;
};

// The pod with the labels, annotations and gate of a member of its set's group; nullopt if nothing
// is missing. A pod of a revision that is being replaced does not wait for an admission: it is
// about to be deleted, and the rollout waits for it.
std::optional<json::value> PlanServingPod(const jobs::Integration& integration,
                                          const json::value& set, const json::value& pod,
                                          const JobPolicy& policy, const ServingGroup& group = {});

// Whether a rollout of the set replaces the pod, which is of an older revision.
bool IsReplacedByRollout(const json::value& set, const json::value& pod);

}  // namespace berth::control
