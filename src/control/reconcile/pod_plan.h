#pragma once

// Plans for managed pods: a single pod, or a pod group. As job_plan.h, except that pods cannot be
// suspended: a scheduling gate holds a pod back until admission, and stopping means deleting. Our
// finalizer keeps a pod until its end is counted.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "base/time.h"
#include "control/reconcile/job_plan.h"
#include "json/json.h"
#include "lifecycle/event_record.h"

namespace berth::control {

// Kueue names its finalizer on pods like its label.
inline constexpr std::string_view kPodFinalizer = api::kManagedLabel;

bool HasPodFinalizer(const api::Pod& pod);

// A pod, decoded and as the whole JSON tree.
struct KnownPod {
  api::Pod pod;
  json::value tree;
};

// Pods that are admitted together.
struct PodUnit {
  std::string group;  // "": a single pod
  std::vector<KnownPod> pods;
};

struct PodContext {
  // The Workloads that a single pod controls, or the one named like the group. For pods with a
  // prebuilt Workload only that one, unless another object controls it.
  std::vector<const api::Workload*> workloads;
  const jobs::PriorityTable* priorities = nullptr;
  jobs::FindFlavor find_flavor;
  // Pods of a set that run without an admission until a rollout replaces them.
  std::set<std::string> replaced_pods;
};

// The desired pod; fails if another client wrote the pod since the plan.
struct WritePod {
  std::string pod;
  json::value object;
};
// Removes our finalizer.
struct RemovePodFinalizer {
  std::string pod;
  // Fails if another client wrote the pod since the plan, whose finalizers might be lost.
  bool is_strict = true;
};
// Sets the condition TerminationTarget, then deletes the pod.
struct StopPod {
  std::string pod;
  std::string reason;
  std::string message;
};
struct DeletePod {
  std::string pod;
};
using PodAction = std::variant<CreateWorkload, ChangeWorkload, DeleteWorkload, WritePod,
                               RemovePodFinalizer, StopPod, DeletePod>;

struct PodEvent {
  std::string pod;
  lifecycle::EventRecord event;
};

// As JobPlan.
struct PodPlan {
  std::vector<PodAction> actions;
  std::vector<PodEvent> events;
  std::optional<base::Time> requeue_at;
};

// The plan for managed pods. The Workload of a group without pods loses our finalizer, unless it
// has another owner.
PodPlan PlanPods(const PodUnit& unit, const PodContext& context, const JobPolicy& policy,
                 base::Time now);

// The plan for pods that are no longer managed: they run without quota, and their Workloads are
// deleted.
PodPlan PlanPodRelease(const PodUnit& unit, const PodContext& context, const JobPolicy& policy);

}  // namespace berth::control
