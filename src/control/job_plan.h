#pragma once

// What is to be done about a job and its Workload: make the Workload, keep it in step, start the
// job when it is admitted, stop it when it is evicted, finish the Workload when the job has ended.

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/workload.h"
#include "base/time.h"
#include "control/plan.h"
#include "control/workload_plan.h"
#include "jobs/equivalent.h"
#include "jobs/integration.h"
#include "jobs/pod_set_info.h"
#include "jobs/priority.h"
#include "jobs/start_stop.h"
#include "jobs/workload_for.h"

namespace berth::control {

// What a job is seen against.
struct JobSurroundings {
  // Those that the job controls; with a prebuilt one, only that, if it is nobody else's.
  std::vector<const api::Workload*> workloads;
  const jobs::PriorityTable* priorities = nullptr;
  jobs::FindFlavor find_flavor;
};

// What the Configuration says about jobs. A value, made once.
struct JobPolicy {
  jobs::WorkloadOptions workload;
  jobs::StartOptions start;
  WorkloadPolicy life;
  bool has_reclaimable_pods = true;
  // Of pods.
  bool frees_deleted_pods = false;    // their quota is free before they are gone
  bool checks_group_owner = true;     // a group takes no Workload that was made for others
  bool requeues_single_pods = false;  // after an eviction, though their pod is deleted

  static JobPolicy From(const api::Configuration& configuration, const api::FeatureGates& gates);
};

struct CreateWorkload {
  api::Workload workload;
};
// The spec, or the metadata, as in `workload`.
struct ChangeWorkload {
  enum class Part : uint8_t { kStatus, kSpec, kMetadata };
  Part part = Part::kStatus;
  api::Workload workload;
  std::vector<Note> notes;  // of the Workload, once it is written
};
// With our finalizer.
struct DeleteWorkload {
  std::string name;
};
// The states that the job goes through, each a write.
struct WriteJob {
  std::vector<jobs::JobWrite> writes;
};
struct DeleteJob {};
using JobAction = std::variant<CreateWorkload, ChangeWorkload, DeleteWorkload, WriteJob, DeleteJob>;

// The actions are done one after the other, the rest not if one fails; then all is looked at again.
struct JobPlan {
  std::vector<JobAction> actions;
  std::vector<Note> notes;  // once all is done
  std::optional<base::Time> look_again;
};

// A managed job that exists.
JobPlan PlanJob(const jobs::Integration& integration, const store::json::value& job,
                const JobSurroundings& around, const JobPolicy& policy, base::Time now);

// What PlanJob would have written in the status about pods, so that it can go with a write that is
// due anyway.
void NotePodsOfJob(const jobs::Integration& integration, const store::json::value& job,
                   const JobPolicy& policy, base::Time now, api::Workload& workload);

// A job that is not managed any more: it runs as if it had never been, and its quota is free.
JobPlan PlanJobRelease(const jobs::Integration& integration, const store::json::value& job,
                       const JobSurroundings& around);

// A job that is gone or goes: its Workloads are over, and are let go.
JobPlan PlanJobEnd(const JobSurroundings& around, const WorkloadPolicy& policy, base::Time now);

// --- Pieces that pods need too -------------------------------------------------------------------

bool HasOurFinalizer(const api::Workload& workload);
WorkloadPlan PlanFor(const ChangeWorkload& change);
ChangeWorkload WithoutFinalizer(const api::Workload& workload);
// The next step with a Workload whose job or pod goes, as `message` says: it is finished, so that
// its quota is free, and then loses our finalizer. Nullopt if both is done.
std::optional<ChangeWorkload> WithoutOwner(const api::Workload& workload, std::string message,
                                           const WorkloadPolicy& policy, base::Time now);

// A Workload takes over the WorkloadPriorityClass that its job names now, whatever it does; false
// if it has that already or must not have it. One that has its priority from its pods keeps it, and
// one that holds quota may only exchange one class for another. `pod_class`: the PriorityClass of
// its pods, which counts where the job names no class any more.
std::expected<bool, jobs::MissingPriorityClass> FollowClass(const api::ObjectMeta& job,
                                                            const std::string& pod_class,
                                                            const jobs::PriorityTable& priorities,
                                                            api::Workload& workload);

// What pending admission checks say; "" if nothing.
std::string MessagesOfChecks(const api::Workload& workload);

// Until when a job stays that Berth has deactivated; nullopt if for ever.
std::optional<base::Time> EndOfRetention(const api::Workload& workload,
                                         const WorkloadPolicy& policy, base::Time now);

}  // namespace berth::control
