#include "control/reconcile/job_controller.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "control/reconcile/serving_plan.h"
#include "jobs/job_state.h"
#include "jobs/managed_reason.h"
#include "lifecycle/messages.h"
#include "objects/owner_chain.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

// Whether an object of the kind owns the Workload.
bool HasOwner(const api::Workload& workload, const jobs::Integration& integration) {
  return std::ranges::any_of(workload.metadata.owner_references, [&](const auto& owner) {
    return owner.kind == integration.kind && owner.api_version == integration.api_version;
  });
}

}  // namespace

JobController::JobController(store::Store& store, store::Executor& executor,
                             ControllerContext context, const jobs::IntegrationSet& integrations,
                             Hooks hooks)
    : executor_(executor),
      context_(context),
      integrations_(integrations),
      hooks_(std::move(hooks)),
      owners_(store, executor, [this](const JobKey& job) { Enqueue(job); }),
      writer_(store, executor, jobs_, context_.workloads, context_.events,
              {.replan = [this](const JobKey& key) { Enqueue(key); },
               .on_failure = [this](const JobKey& key,
                                    const store::Failure& failure) { OnRejected(key, failure); },
               .on_workload_created =
                   [this](const WorkloadCreated& created) { hooks_.observe(created); }}) {}

JobController::~JobController() = default;

void JobController::OnRejected(const JobKey& key, const store::Failure& failure) {
  hooks_.log(key.integration->kind + " " + workload::NamespacedName(key.namespace_, key.name) +
             " not written: " + store::ToString(failure));
  const JobCache::Job* job = jobs_.Find(key);
  if (job == nullptr || !failure.IsFinal()) return;
  context_.events.Record({.kind = key.integration->kind,
                          .namespace_ = key.namespace_,
                          .name = key.name,
                          .uid = job->text.uid,
                          .api_version = key.integration->api_version},
                         key.integration->framework + "-kueue-controller",
                         {.about = lifecycle::EventRecord::About::kJob,
                          .is_warning = true,
                          .reason = "WriteRejected",
                          .message = lifecycle::messages::WriteRejected(store::ToString(failure))});
}

void JobController::Enqueue(const JobKey& key) {
  queued_.insert(key);
  hooks_.on_enqueued();
}

void JobController::OnChange(const jobs::Integration& integration, const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const JobKey key{.integration = &integration, .namespace_ = any.namespace_, .name = any.name};
  if (!jobs_.OnWatchEvent(key, change.after)) return;
  writer_.OnWatchEvent(key);
  Enqueue(key);
}

void JobController::OnWorkload(const api::Workload& workload) {
  for (const api::OwnerReference& owner : workload.metadata.owner_references)
    if (const JobKey* key = jobs_.FindByUid(owner.uid)) Enqueue(*key);
  if (!workload.metadata.owner_references.empty()) return;
  // A prebuilt Workload may exist before its job.
  jobs_.ForEach([&](const JobKey& key, const JobCache::Job& job) {
    if (key.namespace_ != workload.metadata.namespace_) return;
    const auto metadata = jobs::MetadataOf(job.tree);
    if (metadata &&
        jobs::PrebuiltWorkloadName(*metadata, context_.policy.workload.reads_name_annotations) ==
            workload.metadata.name)
      Enqueue(key);
  });
}

void JobController::CompleteStatus(api::Workload& workload) const {
  const api::OwnerReference* owner = objects::ControllerOf(workload.metadata);
  const JobKey* key = owner == nullptr ? nullptr : jobs_.FindByUid(owner->uid);
  if (key == nullptr || key->integration->uses_scheduling_gates()) return;
  NotePodsOfJob(*key->integration, jobs_.Find(*key)->tree, context_.policy, executor_.Now(),
                workload);
}

void JobController::EnqueueAll(std::string_view namespace_name) {
  jobs_.ForEach([&](const JobKey& key, const JobCache::Job&) {
    if (namespace_name.empty() || key.namespace_ == namespace_name) Enqueue(key);
  });
}

void JobController::EnqueueAllOf(const jobs::Integration& integration) {
  jobs_.ForEach([&](const JobKey& key, const JobCache::Job&) {
    if (key.integration == &integration) Enqueue(key);
  });
}

void JobController::Reconcile(base::Time now) {
  for (const JobKey& key : std::exchange(queued_, {})) ReconcileJob(key, now);
}

const jobs::Integration* JobController::KindOf(const api::OwnerReference& owner) const {
  if (!context_.managed.IsListed(owner.api_version, owner.kind)) return nullptr;
  const auto found = std::ranges::find_if(integrations_.all(), [&](const auto& kind) {
    return kind.kind == owner.kind && kind.group() == jobs::GroupOf(owner.api_version);
  });
  return found == integrations_.all().end() ? nullptr : &*found;
}

std::optional<jobs::ManagedReason> JobController::ManagedReasonOf(const JobKey& key,
                                                                  const api::ObjectMeta& metadata) {
  std::deque<api::ObjectMeta> kept;
  std::vector<jobs::ObjectView> owners;
  bool is_known = true;
  const auto find = [&](const api::OwnerReference& reference) -> const api::ObjectMeta* {
    const JobKey* cached = jobs_.FindByUid(reference.uid);
    const jobs::Integration* kind = cached != nullptr ? cached->integration : KindOf(reference);
    if (kind == nullptr) return nullptr;
    if (cached != nullptr) {
      owners_.Erase(reference.uid);
      auto read = jobs::MetadataOf(jobs_.Find(*cached)->tree);
      if (!read) return nullptr;
      kept.push_back(std::move(*read));
    } else {
      const OwnerLookup::Answer answer = owners_.Find(*kind, reference, key);
      is_known &= answer.is_known;
      if (answer.metadata == nullptr) return nullptr;
      kept.push_back(*answer.metadata);
    }
    owners.push_back(
        {.api_version = kind->api_version, .kind = kind->kind, .metadata = &kept.back()});
    return &kept.back();
  };
  objects::WalkOwners(metadata, find);
  if (!is_known) return std::nullopt;
  return jobs::IsManaged({.api_version = key.integration->api_version,
                          .kind = key.integration->kind,
                          .metadata = &metadata},
                         context_.LabelsOf(metadata.namespace_), owners, context_.managed)
      .reason;
}

std::vector<const api::Workload*> JobController::WorkloadsOf(
    const JobKey& key, const api::ObjectMeta& metadata) const {
  std::vector<const api::Workload*> workloads;
  const std::string prebuilt =
      jobs::PrebuiltWorkloadName(metadata, context_.policy.workload.reads_name_annotations);
  if (!prebuilt.empty()) {
    const api::Workload* w =
        context_.cluster.FindWorkload(workload::NamespacedName(key.namespace_, prebuilt));
    const api::OwnerReference* owner = w == nullptr ? nullptr : objects::ControllerOf(w->metadata);
    if (w != nullptr && (owner == nullptr || owner->uid == metadata.uid)) workloads.push_back(w);
    return workloads;
  }
  for (const std::string& name : context_.owners.Of(metadata.uid)) {
    const api::Workload* w = context_.cluster.FindWorkload(name);
    const api::OwnerReference* owner = w == nullptr ? nullptr : objects::ControllerOf(w->metadata);
    const bool is_own =
        owner == nullptr ? key.integration->uses_scheduling_gates() : owner->uid == metadata.uid;
    if (w != nullptr && is_own) workloads.push_back(w);
  }
  const std::string legacy =
      jobs::LegacyGroupName(*key.integration, metadata, context_.policy.workload);
  const api::Workload* w =
      legacy.empty()
          ? nullptr
          : context_.cluster.FindWorkload(workload::NamespacedName(key.namespace_, legacy));
  if (w != nullptr && !HasOwner(*w, *key.integration)) workloads.push_back(w);
  return workloads;
}

JobPlan JobController::PlanByManagement(const JobKey& key, const JobCache::Job& job,
                                        const api::ObjectMeta& metadata, const JobContext& context,
                                        base::Time now) {
  const std::optional<jobs::ManagedReason> reason = ManagedReasonOf(key, metadata);
  if (!reason) return {};
  const jobs::ManagedAnswer answer{.reason = *reason, .owner = ""};
  const bool has_pods_wait = key.integration->uses_scheduling_gates();
  if (answer.is_managed())
    return has_pods_wait ? PlanServingSet(*key.integration, job.tree, context, context_.policy, now)
                         : PlanJob(*key.integration, job.tree, context, context_.policy, now);
  // The namespace is no longer selected. A job that only lost its queue name stays as it is.
  const bool is_released = jobs::IsReleasedBy(answer.reason);
  if (!is_released || context.workloads.empty()) return {};
  return PlanJobRelease(*key.integration, job.tree, context);
}

bool JobController::AreWorkloadsBusy(const JobContext& context) const {
  return std::ranges::any_of(context.workloads, [&](const api::Workload* w) {
    return context_.workloads.IsBusy(workload::NamespacedName(w->metadata));
  });
}

// Busy jobs, and jobs of busy Workloads, are enqueued again after the write.
void JobController::ReconcileJob(const JobKey& key, base::Time now) {
  const JobCache::Job* job = jobs_.Find(key);
  if (job == nullptr || writer_.IsBusy(key)) return;
  const auto metadata = jobs::MetadataOf(job->tree);
  if (!metadata || jobs::IsSkipped(*key.integration, job->tree)) return;
  if (metadata->deletion_timestamp && DefersEnd(*key.integration, job->tree, context_.policy))
    return;
  const JobContext context{
      .workloads = WorkloadsOf(key, *metadata),
      .priorities = &context_.priorities,
      .find_flavor = [this](std::string_view name) { return context_.cluster.FindFlavor(name); }};
  if (AreWorkloadsBusy(context)) return;
  JobPlan plan = metadata->deletion_timestamp
                     ? PlanJobEnd(context, context_.policy.life, now)
                     : PlanByManagement(key, *job, *metadata, context, now);
  if (plan.requeue_at)
    executor_.PostAfter(*plan.requeue_at - now, self_.Wrap([this, key] { Enqueue(key); }));
  if (!plan.actions.empty() || !plan.events.empty()) writer_.Run(key, std::move(plan));
}

}  // namespace berth::control
