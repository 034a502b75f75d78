#include "control/pod_controller.h"

#include <algorithm>
#include <utility>

#include "api/well_known.h"
#include "control/serving_plan.h"
#include "jobs/managed_reason.h"
#include "jobs/pod_group.h"
#include "workload/convert_workload.h"
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
  return kind.waits == jobs::kWaitsAsGroup || kind.waits == jobs::kWaitsAsGroups;
}

}  // namespace

PodController::PodController(store::Store& store, store::Executor& executor, JobWorld world,
                             const JobDesk& jobs, const jobs::IntegrationSet& integrations,
                             Hooks hooks)
    : executor_(executor),
      world_(world),
      jobs_(jobs),
      integrations_(integrations),
      hooks_(std::move(hooks)),
      desk_(store, executor, world_.workloads, world_.events,
            world_.policy.workload.reads_name_annotations,
            {.on_known = [this](const PodUnitKey& key) { Touch(key); },
             .on_failure =
                 [this](const PodUnitKey& key, const store::Failure& failure) {
                   hooks_.log((key.is_group ? "Pods of group " : "Pod ") +
                              workload::NamespacedName(key.namespace_, key.name) +
                              " could not be written: " + store::ToString(failure));
                 },
             .on_made = [this](const WorkloadMade& made) { hooks_.observe(made); },
             .on_released = [this](const PodUnitKey& key) { TellOfRelease(key); }}),
      self_(std::make_shared<PodController*>(this)) {}

PodController::~PodController() = default;

bool PodController::IsNeeded(const jobs::IntegrationSet& integrations,
                             const jobs::ManagedJobsPolicy& managed) {
  return std::ranges::any_of(integrations.all(), [&](const jobs::Integration& kind) {
    return kind.waits_through_pods() && managed.IsListed(kind.api_version, kind.kind);
  });
}

// --- What changed --------------------------------------------------------------------------------

void PodController::Touch(const PodUnitKey& key) {
  touched_.insert(key);
  hooks_.on_touched();
}

void PodController::OnPodChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  desk_.OnSeen(any.key(), change.after);
}

void PodController::OnWorkload(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  // A group may have waited for a Workload of its name to go.
  Touch({.namespace_ = metadata.namespace_, .name = metadata.name, .is_group = true});
  if (IsForGroup(workload)) return;
  if (const api::OwnerReference* owner = jobs::ControllerOf(metadata)) {
    if (const PodUnitKey* pod = desk_.FindByUid(owner->uid)) Touch(*pod);
    return;
  }
  desk_.ForEach([&](const PodUnitKey& key, const KnownPod& known) {
    if (key.namespace_ == metadata.namespace_ &&
        jobs::PrebuiltWorkloadName(known.pod.metadata,
                                   world_.policy.workload.reads_name_annotations) == metadata.name)
      Touch(key);
  });
}

void PodController::OnSet(const JobKey& set) {
  desk_.ForEach([&](const PodUnitKey& key, const KnownPod& known) {
    if (key.namespace_ == set.namespace_ && ParentOf(known.pod) == set.integration->framework)
      Touch(key);
  });
}

void PodController::TouchAll(std::string_view namespace_name) {
  desk_.ForEach([&](const PodUnitKey& key, const KnownPod&) {
    if (namespace_name.empty() || key.namespace_ == namespace_name) Touch(key);
  });
}

void PodController::TellOfRelease(const PodUnitKey& key) const {
  for (const api::Workload* workload : SurroundingsOf(key, desk_.Find(key)).workloads)
    if (workload::IsAdmitted(*workload))
      return hooks_.observe(PodReleased{.workload = workload,
                                        .gate = api::kAdmissionSchedulingGate,
                                        .is_of_group = key.is_group,
                                        .now = executor_.Now()});
}

// --- What follows --------------------------------------------------------------------------------

void PodController::Plan(base::Time now) {
  for (const PodUnitKey& key : std::exchange(touched_, {})) PlanUnit(key, now);
}

void PodController::PlanUnit(const PodUnitKey& key, base::Time now) {
  if (desk_.IsBusy(key)) return;  // it is touched again when it is not
  const PodUnit unit = desk_.Find(key);
  PodPlan marks = MarksFor(unit);
  if (!marks.actions.empty()) return desk_.Perform(key, std::move(marks));
  const PodSurroundings around = SurroundingsOf(key, unit);
  if (AreWorkloadsBusy(around)) return;
  std::optional<PodPlan> plan = PlanByManagement(unit, around, now);
  if (!plan) return;
  if (plan->look_again) LookAgainAt(key, *plan->look_again, now);
  if (!plan->actions.empty() || !plan->notes.empty()) desk_.Perform(key, std::move(*plan));
}

PodSurroundings PodController::SurroundingsOf(const PodUnitKey& key, const PodUnit& unit) const {
  PodSurroundings around{
      .workloads = {},
      .priorities = &world_.priorities,
      .find_flavor = [this](std::string_view name) { return world_.feed.FindFlavor(name); }};
  const auto add = [&](const std::string& name, std::string_view controller) {
    const api::Workload* w = world_.feed.FindWorkload(name);
    const api::OwnerReference* owner = w == nullptr ? nullptr : jobs::ControllerOf(w->metadata);
    if (w != nullptr && (owner == nullptr || owner->uid == controller))
      around.workloads.push_back(w);
  };
  const std::string uid = unit.pods.empty() ? "" : unit.pods.front().pod.metadata.uid;
  const std::string prebuilt =
      unit.pods.empty() ? ""
                        : jobs::PrebuiltWorkloadName(unit.pods.front().pod.metadata,
                                                     world_.policy.workload.reads_name_annotations);
  if (!prebuilt.empty()) {
    add(workload::NamespacedName(key.namespace_, prebuilt), uid);
  } else if (key.is_group) {
    // Whose it is, the plan looks at.
    if (const auto* w =
            world_.feed.FindWorkload(workload::NamespacedName(key.namespace_, key.name)))
      around.workloads.push_back(w);
  } else {
    for (const std::string& name : world_.owners.Of(uid)) add(name, uid);
  }
  return around;
}

bool PodController::AreWorkloadsBusy(const PodSurroundings& around) const {
  return std::ranges::any_of(around.workloads, [&](const api::Workload* w) {
    return world_.workloads.IsBusy(workload::NamespacedName(w->metadata));
  });
}

const jobs::Integration* PodController::SetKindOf(const api::Pod& pod) const {
  const std::string parent = ParentOf(pod);
  const jobs::Integration* kind = parent.empty() ? nullptr : integrations_.FindFramework(parent);
  return kind != nullptr && world_.managed.IsListed(kind->api_version, kind->kind) ? kind : nullptr;
}

const JobDesk::Job* PodController::FindSet(const api::Pod& pod,
                                           const jobs::Integration& kind) const {
  if (kind.waits == jobs::kWaitsAsGroups) {
    const std::string name = pod.metadata.labels.ValueOrEmpty(kLeaderWorkerSetNameLabel);
    return jobs_.Find({.integration = &kind, .namespace_ = pod.metadata.namespace_, .name = name});
  }
  const api::OwnerReference* owner = jobs::ControllerOf(pod.metadata);
  const JobKey* key = owner == nullptr ? nullptr : jobs_.FindByUid(owner->uid);
  return key == nullptr || key->integration != &kind ? nullptr : jobs_.Find(*key);
}

PodPlan PodController::MarksFor(const PodUnit& unit) const {
  PodPlan plan;
  for (const KnownPod& known : unit.pods) {
    const jobs::Integration* kind = SetKindOf(known.pod);
    if (kind == nullptr || !WaitsAsGroups(*kind) || jobs::IsEnded(known.pod) ||
        known.pod.metadata.deletion_timestamp)
      continue;
    const JobDesk::Job* set = FindSet(known.pod, *kind);
    if (set == nullptr) continue;
    if (auto marked = PlanServingPod(*kind, set->tree, known.tree, world_.policy))
      plan.actions.push_back(
          WritePod{.pod = known.pod.metadata.name, .object = std::move(*marked)});
  }
  return plan;
}

std::optional<PodPlan> PodController::PlanByManagement(const PodUnit& unit,
                                                       const PodSurroundings& around,
                                                       base::Time now) const {
  if (unit.pods.empty()) return PlanPods(unit, around, world_.policy, now);
  const api::Pod& first = unit.pods.front().pod;
  if (!IsMarkedManaged(first)) return std::nullopt;
  // What is deleted must not wait for us, whatever else is true of it.
  const bool goes = unit.group.empty() && first.metadata.deletion_timestamp;
  if (goes || SetKindOf(first) != nullptr) return PlanPods(unit, around, world_.policy, now);
  const jobs::ManagedAnswer answer = jobs::IsManaged(
      {.api_version = "v1", .kind = api::Pod::KindInfo().kind, .metadata = &first.metadata},
      world_.LabelsOf(first.metadata.namespace_), {}, world_.managed);
  if (answer.is_managed()) return PlanPods(unit, around, world_.policy, now);
  const bool is_released = jobs::IsReleasedBy(answer.reason);
  return is_released ? std::optional(PlanPodRelease(unit, around)) : std::nullopt;
}

void PodController::LookAgainAt(const PodUnitKey& key, base::Time when, base::Time now) {
  const auto planned = looks_.find(key);
  if (planned != looks_.end() && now < planned->second && planned->second <= when) return;
  looks_[key] = when;
  executor_.PostAfter(when - now, [weak = std::weak_ptr(self_), key] {
    const auto self = weak.lock();
    if (!self) return;
    (*self)->looks_.erase(key);
    (*self)->Touch(key);
  });
}

}  // namespace berth::control
