#pragma once

// What is to be done about pods that wait for themselves: a single pod, or a group that waits as
// one. Like job_plan.h, but a pod cannot be suspended again: it is held back by a gate until it is
// admitted, and stopping it means to delete it. Our finalizer keeps a pod until its end was
// counted.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/pod.h"
#include "api/well_known.h"
#include "api/workload.h"
#include "base/time.h"
#include "control/job_plan.h"
#include "control/plan.h"
#include "store/json.h"

namespace berth::control {

// Kueue's finalizer on pods has the name of its label.
inline constexpr std::string_view kPodFinalizer = api::kManagedLabel;

bool HasPodFinalizer(const api::Pod& pod);

// A pod as it is known: what rules read, and all of it.
struct KnownPod {
  api::Pod pod;
  store::json::value tree;
};

// Pods that wait as one.
struct PodUnit {
  std::string group;  // "": a single pod
  std::vector<KnownPod> pods;
};

struct PodSurroundings {
  // Of a single pod those that it controls, of a group that of its name; with a prebuilt one, only
  // that, if no other object controls it.
  std::vector<const api::Workload*> workloads;
  const jobs::PriorityTable* priorities = nullptr;
  jobs::FindFlavor find_flavor;
};

// The pod as it ought to be; it exists in this state only if nobody else wrote it meanwhile.
struct WritePod {
  std::string pod;
  store::json::value object;
};
// Takes our finalizer away.
struct LetPodGo {
  std::string pod;
};
// Says why in the condition TerminationTarget, then deletes it.
struct StopPod {
  std::string pod;
  std::string reason;
  std::string message;
};
struct DeletePod {
  std::string pod;
};
using PodAction = std::variant<CreateWorkload, ChangeWorkload, DeleteWorkload, WritePod, LetPodGo,
                               StopPod, DeletePod>;

struct PodNote {
  std::string pod;
  Note note;
};

// As JobPlan.
struct PodPlan {
  std::vector<PodAction> actions;
  std::vector<PodNote> notes;
  std::optional<base::Time> look_again;
};

// Managed pods. A group may have none left: its Workload is then let go, unless another owner needs
// it.
PodPlan PlanPods(const PodUnit& unit, const PodSurroundings& around, const JobPolicy& policy,
                 base::Time now);

// Pods that are not managed any more: they run as if they had never been, and their quota is free.
PodPlan PlanPodRelease(const PodUnit& unit, const PodSurroundings& around);

}  // namespace berth::control
