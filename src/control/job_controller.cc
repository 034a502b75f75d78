#include "control/job_controller.h"

#include <deque>
#include <utility>

#include "control/serving_plan.h"
#include "jobs/job_state.h"
#include "jobs/managed_reason.h"
#include "workload/convert_workload.h"

namespace berth::control {
namespace {

// So long a chain of owners is followed.
constexpr size_t kMostOwners = 10;

}  // namespace

JobController::JobController(store::Store& store, store::Executor& executor, JobWorld world,
                             Hooks hooks)
    : executor_(executor),
      world_(world),
      hooks_(std::move(hooks)),
      desk_(store, executor, world_.workloads, world_.events,
            {.on_known = [this](const JobKey& key) { Touch(key); },
             .on_failure =
                 [this](const JobKey& key, const store::Failure& failure) {
                   hooks_.log(key.integration->kind + " " +
                              workload::NamespacedName(key.namespace_, key.name) +
                              " could not be written: " + store::ToString(failure));
                 },
             .on_made = [this](const WorkloadMade& made) { hooks_.observe(made); }}),
      self_(std::make_shared<JobController*>(this)) {}

JobController::~JobController() = default;

void JobController::Touch(const JobKey& key) {
  touched_.insert(key);
  hooks_.on_touched();
}

void JobController::OnChange(const jobs::Integration& integration, const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  desk_.OnSeen({.integration = &integration, .namespace_ = any.namespace_, .name = any.name},
               change.after);
}

void JobController::OnWorkload(const api::Workload& workload) {
  for (const api::OwnerReference& owner : workload.metadata.owner_references)
    if (const JobKey* key = desk_.FindByUid(owner.uid)) Touch(*key);
  if (!workload.metadata.owner_references.empty()) return;
  // It may be one that was made before its job.
  desk_.ForEach([&](const JobKey& key, const JobDesk::Job& job) {
    if (key.namespace_ != workload.metadata.namespace_) return;
    const auto metadata = jobs::MetadataOf(job.tree);
    if (metadata &&
        jobs::PrebuiltWorkloadName(*metadata, world_.policy.workload.reads_name_annotations) ==
            workload.metadata.name)
      Touch(key);
  });
}

void JobController::CompleteStatus(api::Workload& workload) const {
  const api::OwnerReference* owner = jobs::ControllerOf(workload.metadata);
  const JobKey* key = owner == nullptr ? nullptr : desk_.FindByUid(owner->uid);
  if (key == nullptr || key->integration->waits_through_pods()) return;
  NotePodsOfJob(*key->integration, desk_.Find(*key)->tree, world_.policy, executor_.Now(),
                workload);
}

void JobController::TouchAll(std::string_view namespace_name) {
  desk_.ForEach([&](const JobKey& key, const JobDesk::Job&) {
    if (namespace_name.empty() || key.namespace_ == namespace_name) Touch(key);
  });
}

void JobController::TouchAllOf(const jobs::Integration& integration) {
  desk_.ForEach([&](const JobKey& key, const JobDesk::Job&) {
    if (key.integration == &integration) Touch(key);
  });
}

void JobController::Plan(base::Time now) {
  for (const JobKey& key : std::exchange(touched_, {})) PlanAt(key, now);
}

jobs::ManagedReason JobController::ManagedReasonOf(const JobKey& key,
                                                   const api::ObjectMeta& metadata) const {
  std::deque<api::ObjectMeta> kept;
  std::vector<jobs::ObjectView> owners;
  const api::OwnerReference* owner = jobs::ControllerOf(metadata);
  while (owner != nullptr && owners.size() < kMostOwners) {
    const JobKey* found = desk_.FindByUid(owner->uid);
    if (found == nullptr) break;
    auto read = jobs::MetadataOf(desk_.Find(*found)->tree);
    if (!read) break;
    kept.push_back(std::move(*read));
    owners.push_back({.api_version = found->integration->api_version,
                      .kind = found->integration->kind,
                      .metadata = &kept.back()});
    owner = jobs::ControllerOf(kept.back());
  }
  return jobs::IsManaged({.api_version = key.integration->api_version,
                          .kind = key.integration->kind,
                          .metadata = &metadata},
                         world_.LabelsOf(metadata.namespace_), owners, world_.managed)
      .reason;
}

std::vector<const api::Workload*> JobController::WorkloadsOf(
    const JobKey& key, const api::ObjectMeta& metadata) const {
  std::vector<const api::Workload*> workloads;
  const std::string prebuilt =
      jobs::PrebuiltWorkloadName(metadata, world_.policy.workload.reads_name_annotations);
  if (!prebuilt.empty()) {
    const api::Workload* w =
        world_.feed.FindWorkload(workload::NamespacedName(key.namespace_, prebuilt));
    const api::OwnerReference* owner = w == nullptr ? nullptr : jobs::ControllerOf(w->metadata);
    if (w != nullptr && (owner == nullptr || owner->uid == metadata.uid)) workloads.push_back(w);
    return workloads;
  }
  for (const std::string& name : world_.owners.Of(metadata.uid)) {
    const api::Workload* w = world_.feed.FindWorkload(name);
    const api::OwnerReference* owner = w == nullptr ? nullptr : jobs::ControllerOf(w->metadata);
    const bool is_own =
        owner == nullptr ? key.integration->waits_through_pods() : owner->uid == metadata.uid;
    if (w != nullptr && is_own) workloads.push_back(w);
  }
  return workloads;
}

JobPlan JobController::PlanByManagement(const JobKey& key, const JobDesk::Job& job,
                                        const api::ObjectMeta& metadata,
                                        const JobSurroundings& around, base::Time now) const {
  const jobs::ManagedAnswer answer{.reason = ManagedReasonOf(key, metadata), .owner = ""};
  const bool has_pods_wait = key.integration->waits_through_pods();
  if (answer.is_managed())
    return has_pods_wait ? PlanServingSet(*key.integration, job.tree, around, world_.policy, now)
                         : PlanJob(*key.integration, job.tree, around, world_.policy, now);
  if (has_pods_wait) return {};
  // Its namespace is not selected any more. A job that only lost its queue name stays as it is.
  const bool is_released = jobs::IsReleasedBy(answer.reason);
  if (!is_released || around.workloads.empty()) return {};
  return PlanJobRelease(*key.integration, job.tree, around);
}

void JobController::PlanAt(const JobKey& key, base::Time now) {
  const JobDesk::Job* job = desk_.Find(key);
  if (job == nullptr || job->is_busy) return;  // it is touched again when it is not
  const auto metadata = jobs::MetadataOf(job->tree);
  if (!metadata || jobs::IsSkipped(*key.integration, job->tree)) return;
  const JobSurroundings around{
      .workloads = WorkloadsOf(key, *metadata),
      .priorities = &world_.priorities,
      .find_flavor = [this](std::string_view name) { return world_.feed.FindFlavor(name); }};
  for (const api::Workload* w : around.workloads)
    if (world_.workloads.IsBusy(workload::NamespacedName(w->metadata))) return;
  JobPlan plan;
  if (metadata->deletion_timestamp)
    plan = PlanJobEnd(around, world_.policy.life, now);
  else
    plan = PlanByManagement(key, *job, *metadata, around, now);
  if (plan.look_again)
    executor_.PostAfter(*plan.look_again - now, [weak = std::weak_ptr(self_), key] {
      if (const auto self = weak.lock()) (*self)->Touch(key);
    });
  if (!plan.actions.empty() || !plan.notes.empty()) desk_.Perform(key, std::move(plan));
}

}  // namespace berth::control
