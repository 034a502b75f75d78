#pragma once

// Plans for a job and its Workload: create the Workload, keep it in sync with the job, start the
// job when it is admitted, stop it when it is evicted, finish the Workload when the job has ended.

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "control/placement/node_failure_policy.h"
#include "jobs/equivalent.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_set_info.h"
#include "jobs/priority.h"
#include "jobs/start_stop.h"
#include "jobs/workload_for.h"
#include "lifecycle/event_record.h"
#include "lifecycle/workload_plan.h"

namespace berth::control {

// Inputs to the plan of a job, besides the job.
struct JobContext {
  // The Workloads that the job controls. For a job with a prebuilt Workload only that one, unless
  // another object controls it.
  std::vector<const api::Workload*> workloads;
  const jobs::PriorityTable* priorities = nullptr;
  jobs::FindFlavor find_flavor;
};

// The settings of the Configuration that concern jobs. Immutable.
struct JobPolicy {
  jobs::WorkloadOptions workload;
  jobs::StartOptions start;
  lifecycle::LifecyclePolicy life;
  bool has_reclaimable_pods = true;
  bool defers_cleanup = true;  // deleted jobs that clean up keep their Workloads (DefersEnd)
  // Pods only.
  bool removes_finalizers_strictly = true;
  bool frees_deleted_pods = false;    // quota is free as soon as a pod is marked as deleted
  bool checks_group_owner = true;     // a group rejects a Workload that was created for others
  bool requeues_single_pods = false;  // after an eviction, although their pod is deleted
  // Nodes.
  std::optional<NodeFailurePolicy> node_failures;  // absent: failed nodes are not replaced
  bool deletes_stuck_pods = false;                 // by force, on unreachable nodes

  static JobPolicy From(const api::Configuration& configuration, const api::FeatureGates& gates);
};

struct CreateWorkload {
  api::Workload workload;
};
// Writes one part of the Workload as in `workload`, whose version must still be current.
struct ChangeWorkload {
  enum class Part : uint8_t { kStatus, kSpec, kMetadata };
  Part part = Part::kStatus;
  api::Workload workload;
  std::vector<lifecycle::EventRecord> events;  // about the Workload, once written
};
// Removes our finalizer, then deletes the Workload.
struct DeleteWorkload {
  std::string name;
};
// The successive states of the job; each is one write.
struct WriteJob {
  std::vector<jobs::JobWrite> writes;
};
struct DeleteJob {};
using JobAction = std::variant<CreateWorkload, ChangeWorkload, DeleteWorkload, WriteJob, DeleteJob>;

// Actions run one after the other. If one fails, the rest does not run and the job is planned
// again.
struct JobPlan {
  std::vector<JobAction> actions;
  std::vector<lifecycle::EventRecord> events;  // recorded once all actions are done
  std::optional<base::Time> requeue_at;
};

// The plan for a managed job.
JobPlan PlanJob(const jobs::Integration& integration, const json::value& job,
                const JobContext& context, const JobPolicy& policy, base::Time now);

// Adds the part of the status about pods that PlanJob would write, to save a separate write.
void NotePodsOfJob(const jobs::Integration& integration, const json::value& job,
                   const JobPolicy& policy, base::Time now, api::Workload& workload);

// The plan for a job that is no longer managed: it runs without quota, and its Workloads are
// deleted.
JobPlan PlanJobRelease(const jobs::Integration& integration, const json::value& job,
                       const JobContext& context);

// Whether a job that is being deleted keeps its Workload, and so its quota, until it is gone.
bool DefersEnd(const jobs::Integration& integration, const json::value& job,
               const JobPolicy& policy);

// The plan for a job that is deleted or being deleted: its Workloads are finished and lose our
// finalizer.
JobPlan PlanJobEnd(const JobContext& context, const lifecycle::LifecyclePolicy& policy,
                   base::Time now);

// --- Shared with pod_plan.h ----------------------------------------------------------------------

bool HasOurFinalizer(const api::Workload& workload);
lifecycle::WorkloadPlan PlanFor(const ChangeWorkload& change);
ChangeWorkload WithoutFinalizer(const api::Workload& workload);
// The next change of a Workload whose job or pod is being deleted: the Workload is finished with
// `message`, which frees its quota, and then loses our finalizer. Nullopt if both are done.
std::optional<ChangeWorkload> WithoutOwner(const api::Workload& workload, std::string message,
                                           const lifecycle::LifecyclePolicy& policy,
                                           base::Time now);

// Syncs the Workload with the WorkloadPriorityClass of its job. Returns whether it changed. A
// priority that stems from the pods stays, and a Workload that holds quota may only exchange one
// class for another. `pod_class` is the PriorityClass of the pods; it applies if the job names no
// class anymore.
std::expected<bool, jobs::MissingPriorityClass> FollowClass(const api::ObjectMeta& job,
                                                            const std::string& pod_class,
                                                            const jobs::PriorityTable& priorities,
                                                            api::Workload& workload);

// Syncs the admission constraints with the annotations of the job. No effect on a Workload that
// holds quota. Fields that were set on the Workload itself stay as long as the annotations do.
void FollowConstraints(const base::FlatMap<std::string>& annotations,
                       const jobs::WorkloadOptions& options, api::Workload& workload);

// The messages of pending admission checks; "" if there are none.
std::string MessagesOfChecks(const api::Workload& workload);

// The end of the retention of a job that Berth deactivated; nullopt if there is none.
std::optional<base::Time> EndOfRetention(const api::Workload& workload,
                                         const lifecycle::LifecyclePolicy& policy, base::Time now);

}  // namespace berth::control
