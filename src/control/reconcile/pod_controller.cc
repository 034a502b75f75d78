#include "control/reconcile/pod_controller.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "jobs/managed_reason.h"
#include "jobs/pods/pod_group.h"
#include "objects/owner_chain.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

constexpr std::string_view kLeaderWorkerSetNameLabel = "leaderworkerset.sigs.k8s.io/name";

std::string ParentOf(const api::Pod& pod) {
  return pod.metadata.annotations.ValueOrEmpty(api::kPodSuspendingParentAnnotation);
}

bool IsMarkedManaged(const api::Pod& pod) {
  return pod.metadata.labels.ValueOrEmpty(api::kManagedLabel) == "true";
}

bool IsForGroup(const api::Workload& workload) {
  return workload.metadata.annotations.ValueOrEmpty(api::kIsGroupWorkloadAnnotation) == "true";
}

bool WaitsAsGroups(const jobs::Integration& kind) {
  return kind.suspension == jobs::kSuspendedAsGroup || kind.suspension == jobs::kSuspendedAsGroups;
}

}  // namespace

PodController::PodController(store::Store& store, store::Executor& executor,
                             ControllerContext context, const JobCache& jobs,
                             const jobs::IntegrationSet& integrations, Hooks hooks)
    : executor_(executor),
      context_(context),
      jobs_(jobs),
      integrations_(integrations),
      hooks_(std::move(hooks)),
      pods_(context_.policy.workload.reads_name_annotations),
      writer_(store, executor, pods_, context_.workloads, context_.events,
              {.replan = [this](const PodUnitKey& key) { Enqueue(key); },
               .on_failure =
                   [this](const PodUnitKey& key, const store::Failure& failure) {
                     hooks_.log((key.is_group ? "Pods of group " : "Pod ") +
                                workload::NamespacedName(key.namespace_, key.name) +
                                " not written: " + store::ToString(failure));
                   },
               .on_workload_created =
                   [this](const WorkloadCreated& created) { hooks_.observe(created); },
               .on_ungated = [this](const PodUnitKey& key) { ReportUngated(key); }}),
      requeues_(executor, [this](const PodUnitKey& key) { Enqueue(key); }) {}

PodController::~PodController() = default;

bool PodController::IsNeeded(const jobs::IntegrationSet& integrations,
                             const jobs::ManagedJobsPolicy& managed) {
  return std::ranges::any_of(integrations.all(), [&](const jobs::Integration& kind) {
    return kind.uses_scheduling_gates() && managed.IsListed(kind.api_version, kind.kind);
  });
}

// --- Queue ---------------------------------------------------------------------------------------

void PodController::Enqueue(const PodUnitKey& key) {
  queued_.insert(key);
  hooks_.on_enqueued();
}

void PodController::OnPodChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  for (const PodUnitKey& unit : pods_.OnWatchEvent(any.key(), change.after)) {
    writer_.OnWatchEvent(unit);
    Enqueue(unit);
  }
}

void PodController::OnWorkload(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  // A group may wait until a foreign Workload of its name is deleted.
  Enqueue({.namespace_ = metadata.namespace_, .name = metadata.name, .is_group = true});
  if (IsForGroup(workload)) return;
  if (const api::OwnerReference* owner = objects::ControllerOf(metadata)) {
    if (const PodUnitKey* pod = pods_.FindByUid(owner->uid)) Enqueue(*pod);
    return;
  }
  pods_.ForEach([&](const PodUnitKey& key, const KnownPod& known) {
    if (key.namespace_ == metadata.namespace_ &&
        jobs::PrebuiltWorkloadName(
            known.pod.metadata, context_.policy.workload.reads_name_annotations) == metadata.name)
      Enqueue(key);
  });
}

void PodController::OnSet(const JobKey& set) {
  pods_.ForEach([&](const PodUnitKey& key, const KnownPod& known) {
    if (key.namespace_ == set.namespace_ && ParentOf(known.pod) == set.integration->framework)
      Enqueue(key);
  });
}

void PodController::EnqueueAll(std::string_view namespace_name) {
  pods_.ForEach([&](const PodUnitKey& key, const KnownPod&) {
    if (namespace_name.empty() || key.namespace_ == namespace_name) Enqueue(key);
  });
}

void PodController::ReportUngated(const PodUnitKey& key) const {
  for (const api::Workload* workload : ContextOf(key, pods_.Find(key)).workloads)
    if (workload::IsAdmitted(*workload))
      return hooks_.observe(PodReleased{.workload = workload,
                                        .gate = api::kAdmissionSchedulingGate,
                                        .is_of_group = key.is_group,
                                        .now = executor_.Now()});
}

// --- Plans ---------------------------------------------------------------------------------------

void PodController::Reconcile(base::Time now) {
  for (const PodUnitKey& key : std::exchange(queued_, {})) ReconcileUnit(key, now);
}

// Busy units, and units of busy Workloads, are enqueued again after the write.
void PodController::ReconcileUnit(const PodUnitKey& key, base::Time now) {
  if (writer_.IsBusy(key)) return;
  const PodUnit unit = pods_.Find(key);
  PodPlan serving = PlanServingPods(unit);
  if (!serving.actions.empty()) return writer_.Run(key, std::move(serving));
  const PodContext context = ContextOf(key, unit);
  if (AreWorkloadsBusy(context)) return;
  std::optional<PodPlan> plan = PlanByManagement(unit, context, now);
  if (!plan) return;
  if (plan->requeue_at) requeues_.SetFor(key, *plan->requeue_at, now);
  if (!plan->actions.empty() || !plan->events.empty()) writer_.Run(key, std::move(*plan));
}

PodContext PodController::ContextOf(const PodUnitKey& key, const PodUnit& unit) const {
  PodContext context{
      .workloads = {},
      .priorities = &context_.priorities,
      .find_flavor = [this](std::string_view name) { return context_.cluster.FindFlavor(name); },
      .replaced_pods = ReplacedPods(unit)};
  const auto add = [&](const std::string& name, std::string_view controller) {
    const api::Workload* w = context_.cluster.FindWorkload(name);
    const api::OwnerReference* owner = w == nullptr ? nullptr : objects::ControllerOf(w->metadata);
    if (w != nullptr && (owner == nullptr || owner->uid == controller))
      context.workloads.push_back(w);
  };
  const std::string uid = unit.pods.empty() ? "" : unit.pods.front().pod.metadata.uid;
  const std::string prebuilt =
      unit.pods.empty()
          ? ""
          : jobs::PrebuiltWorkloadName(unit.pods.front().pod.metadata,
                                       context_.policy.workload.reads_name_annotations);
  if (!prebuilt.empty()) {
    add(workload::NamespacedName(key.namespace_, prebuilt), uid);
  } else if (key.is_group) {
    // The plan checks the owner.
    if (const auto* w =
            context_.cluster.FindWorkload(workload::NamespacedName(key.namespace_, key.name)))
      context.workloads.push_back(w);
  } else {
    for (const std::string& name : context_.owners.Of(uid)) add(name, uid);
  }
  return context;
}

bool PodController::AreWorkloadsBusy(const PodContext& context) const {
  return std::ranges::any_of(context.workloads, [&](const api::Workload* w) {
    return context_.workloads.IsBusy(workload::NamespacedName(w->metadata));
  });
}

std::set<std::string> PodController::ReplacedPods(const PodUnit& unit) const {
  std::set<std::string> replaced;
  for (const KnownPod& known : unit.pods) {
    const jobs::Integration* kind = SetKindOf(known.pod);
    if (kind == nullptr || kind->suspension != jobs::kSuspendedAsGroup) continue;
    const JobCache::Job* set = FindSet(known.pod, *kind);
    if (set != nullptr && IsReplacedByRollout(set->tree, known.tree))
      replaced.insert(known.pod.metadata.name);
  }
  return replaced;
}

const jobs::Integration* PodController::SetKindOf(const api::Pod& pod) const {
  const std::string parent = ParentOf(pod);
  const jobs::Integration* kind = parent.empty() ? nullptr : integrations_.FindFramework(parent);
  return kind != nullptr && context_.managed.IsListed(kind->api_version, kind->kind) ? kind
                                                                                     : nullptr;
}

const JobCache::Job* PodController::FindSet(const api::Pod& pod,
                                            const jobs::Integration& kind) const {
  if (kind.suspension == jobs::kSuspendedAsGroups) {
    const std::string name = pod.metadata.labels.ValueOrEmpty(kLeaderWorkerSetNameLabel);
    return jobs_.Find({.integration = &kind, .namespace_ = pod.metadata.namespace_, .name = name});
  }
  const api::OwnerReference* owner = objects::ControllerOf(pod.metadata);
  const JobKey* key = owner == nullptr ? nullptr : jobs_.FindByUid(owner->uid);
  return key == nullptr || key->integration != &kind ? nullptr : jobs_.Find(*key);
}

ServingGroup PodController::GroupOf(const jobs::Integration& kind, const JobCache::Job& set) const {
  const auto metadata = jobs::MetadataOf(set.tree);
  if (!metadata) return {};
  const auto find = [&](const std::string& name) {
    return context_.cluster.FindWorkload(workload::NamespacedName(metadata->namespace_, name));
  };
  const jobs::WorkloadOptions& options = context_.policy.workload;
  if (const api::Workload* w = find(jobs::WorkloadNameFor(kind, *metadata, options)))
    return {.name = "", .is_admitted = workload::IsAdmitted(*w)};
  std::string legacy = jobs::LegacyGroupName(kind, *metadata, options);
  const api::Workload* w = legacy.empty() ? nullptr : find(legacy);
  if (w == nullptr) return {};
  return {.name = std::move(legacy), .is_admitted = workload::IsAdmitted(*w)};
}

PodPlan PodController::PlanServingPods(const PodUnit& unit) const {
  PodPlan plan;
  for (const KnownPod& known : unit.pods) {
    const jobs::Integration* kind = SetKindOf(known.pod);
    if (kind == nullptr || !WaitsAsGroups(*kind) || jobs::IsEnded(known.pod) ||
        known.pod.metadata.deletion_timestamp)
      continue;
    const JobCache::Job* set = FindSet(known.pod, *kind);
    if (set == nullptr || jobs::IsReleasedBy(ManagedReasonOf(known.pod))) continue;
    if (auto marked =
            PlanServingPod(*kind, set->tree, known.tree, context_.policy, GroupOf(*kind, *set)))
      plan.actions.push_back(
          WritePod{.pod = known.pod.metadata.name, .object = std::move(*marked)});
  }
  return plan;
}

std::optional<PodPlan> PodController::PlanByManagement(const PodUnit& unit,
                                                       const PodContext& context,
                                                       base::Time now) const {
  if (unit.pods.empty()) return PlanPods(unit, context, context_.policy, now);
  const api::Pod& first = unit.pods.front().pod;
  if (!IsMarkedManaged(first))
    return IsGatedForReleasedSet(first)
               ? std::optional(PlanPodRelease(unit, context, context_.policy))
               : std::nullopt;
  // A pod that is being deleted must not wait for our finalizer, managed or not.
  const bool is_deleted = unit.group.empty() && first.metadata.deletion_timestamp;
  if (is_deleted) return PlanPods(unit, context, context_.policy, now);
  const jobs::ManagedAnswer answer{.reason = ManagedReasonOf(first), .owner = ""};
  if (jobs::IsReleasedBy(answer.reason)) return PlanPodRelease(unit, context, context_.policy);
  const bool is_managed = answer.is_managed() || SetKindOf(first) != nullptr;
  return is_managed ? std::optional(PlanPods(unit, context, context_.policy, now)) : std::nullopt;
}

// The webhook gates the pods of a set before the controller labels them.
bool PodController::IsGatedForReleasedSet(const api::Pod& pod) const {
  const jobs::Integration* kind = SetKindOf(pod);
  return kind != nullptr && jobs::IsGated(pod) && FindSet(pod, *kind) != nullptr &&
         jobs::IsReleasedBy(ManagedReasonOf(pod));
}

jobs::ManagedReason PodController::ManagedReasonOf(const api::Pod& pod) const {
  const jobs::Integration* kind = SetKindOf(pod);
  const JobCache::Job* set = kind == nullptr ? nullptr : FindSet(pod, *kind);
  const base::Result<api::ObjectMeta> metadata =
      set == nullptr ? base::Fail("there is no set") : jobs::MetadataOf(set->tree);
  const jobs::ObjectView view = metadata ? jobs::ObjectView{.api_version = kind->api_version,
                                                            .kind = kind->kind,
                                                            .metadata = &*metadata}
                                         : jobs::ObjectView{.api_version = "v1",
                                                            .kind = api::Pod::KindInfo().kind,
                                                            .metadata = &pod.metadata};
  return jobs::IsManaged(view, context_.LabelsOf(pod.metadata.namespace_), {}, context_.managed)
      .reason;
}

}  // namespace berth::control
