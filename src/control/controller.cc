#include "control/controller.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "api/cluster_queue.h"
#include "api/conditions.h"
#include "api/limit_range.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/priority_class.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
#include "api/runtime_class.h"
#include "api/topology.h"
#include "api/well_known.h"
#include "api/workload_priority_class.h"
#include "control/queue_status.h"
#include "control/scheduler.h"
#include "jobs/job_state.h"
#include "jobs/start_stop.h"
#include "schema/decode.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

// So many cycles in a turn, then others have theirs.
constexpr int kMostCycles = 100;
// So long a chain of owners is followed.
constexpr size_t kMostOwners = 10;

std::span<const schema::Kind* const> WatchedKinds() {
  static const schema::Kind* const kKinds[] = {
      &api::Namespace::KindInfo(),      &api::LimitRange::KindInfo(),
      &api::RuntimeClass::KindInfo(),   &api::PriorityClass::KindInfo(),
      &api::ResourceClaim::KindInfo(),  &api::ResourceClaimTemplate::KindInfo(),
      &api::ResourceFlavor::KindInfo(), &api::Topology::KindInfo(),
      &api::AdmissionCheck::KindInfo(), &api::WorkloadPriorityClass::KindInfo(),
      &api::Cohort::KindInfo(),         &api::ClusterQueue::KindInfo(),
      &api::LocalQueue::KindInfo(),     &api::Workload::KindInfo(),
  };
  return kKinds;
}

std::optional<api::Object> Decoded(const schema::Kind& kind, const store::Object& text) {
  api::Object object(kind);
  schema::Decoder decoder;
  if (!decoder.Decode(text.text(), kind, object.value()).empty()) return std::nullopt;
  return object;
}

// Nothing held it any more when it was written.
bool IsGone(const api::ObjectMeta& metadata) {
  return metadata.deletion_timestamp && metadata.finalizers.empty();
}

}  // namespace

Controller::Controller(store::Store& store, store::Executor& executor, Settings settings)
    : store_(store),
      executor_(executor),
      settings_(std::move(settings)),
      policy_(JobPolicy::From(settings_.configuration, settings_.gates)),
      managed_(settings_.configuration, settings_.gates, settings_.integrations->AddedKinds()),
      feed_(settings_.configuration, settings_.gates),
      events_(store, executor, settings_.instance),
      desk_(store, executor, feed_, events_,
            {.on_known = [this](std::string_view name,
                                const api::Workload* w) { OnWorkloadKnown(name, w); },
             .on_failure =
                 [this](std::string_view name, const store::Failure& failure) {
                   settings_.log("Workload " + std::string(name) +
                                 " could not be written: " + store::ToString(failure));
                 }}),
      jobs_(store, executor, desk_, events_,
            {.on_known =
                 [this](const JobKey& key) {
                   touched_jobs_.insert(key);
                   WantTurn();
                 },
             .on_failure =
                 [this](const JobKey& key, const store::Failure& failure) {
                   settings_.log(key.integration->kind + " " +
                                 workload::NamespacedName(key.namespace_, key.name) +
                                 " could not be written: " + store::ToString(failure));
                 }}),
      queues_(store, executor, feed_,
              {.on_written = [this](const schema::Kind& kind,
                                    const store::Object& object) { LearnWritten(kind, object); },
               .on_over = [this] { WantTurn(); },
               .log = [this](std::string_view text) { settings_.log(text); }}),
      self_(std::make_shared<Controller*>(this)) {
  feed_.TrustStatus();
  for (const schema::Kind* kind : WatchedKinds()) Watch(*kind);
  for (const jobs::Integration& integration : settings_.integrations->all())
    if (managed_.IsListed(integration.api_version, integration.kind) &&
        !integration.waits_through_pods())
      WatchJobs(integration);
}

Controller::~Controller() = default;

bool Controller::is_synced() const {
  return std::ranges::all_of(informers_, [](const auto& i) { return i.second->is_synced(); });
}

bool Controller::is_idle() const {
  return is_synced() && !is_turn_wanted_ && desk_.is_idle() && jobs_.is_idle() && queues_.is_idle();
}

// --- What there is ------------------------------------------------------------------------------

void Controller::Watch(const schema::Kind& kind) {
  const store::Resource resource = store::ResourceOf(kind);
  informers_[resource] = std::make_unique<store::Informer>(
      store_, executor_, resource, store::Selection(),
      store::Informer::Handlers{
          .on_change = [this, &kind](const store::Change& change) { OnChange(kind, change); },
          .on_synced = [this] { WantTurn(); },
          .on_failure =
              [this, &kind](const store::Failure& failure) {
                settings_.log("Cannot watch " + std::string(kind.plural) + ": " +
                              store::ToString(failure));
              }});
}

void Controller::WatchJobs(const jobs::Integration& integration) {
  const store::Resource resource = ResourceOf(integration);
  informers_[resource] = std::make_unique<store::Informer>(
      store_, executor_, resource, store::Selection(),
      store::Informer::Handlers{
          .on_change = [this, &integration](
                           const store::Change& change) { OnJobChange(integration, change); },
          .on_synced = [this] { WantTurn(); },
          .on_failure =
              [this, &integration](const store::Failure& failure) {
                settings_.log("Cannot watch " + integration.plural + ": " +
                              store::ToString(failure));
              }});
}

void Controller::OnJobChange(const jobs::Integration& integration, const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  jobs_.OnSeen({.integration = &integration, .namespace_ = any.namespace_, .name = any.name},
               change.after);
  const bool is_gone = change.before != nullptr &&
                       (change.after == nullptr || change.after->uid != change.before->uid);
  if (!is_gone) return;
  // That its Workloads are being deleted may have been seen before.
  const auto owned = workloads_by_owner_.find(change.before->uid);
  if (owned == workloads_by_owner_.end()) return;
  touched_workloads_.insert(owned->second.begin(), owned->second.end());
  WantTurn();
}

void Controller::OnChange(const schema::Kind& kind, const store::Change& change) {
  if (change.after == nullptr) return Forget(kind, *change.before);
  const std::optional<api::Object> object = Decoded(kind, *change.after);
  if (!object)
    return settings_.log("An object of kind " + std::string(kind.kind) +
                         " cannot be read: " + change.after->key().ToString());
  if (const auto* w = object->As<api::Workload>())
    return desk_.OnSeen(workload::NamespacedName(w->metadata), *w);
  const std::optional<api::Object> before =
      change.before == nullptr ? std::nullopt : Decoded(kind, *change.before);
  const bool is_status_only =
      before && before->metadata()->generation != 0 &&
      before->metadata()->generation == object->metadata()->generation &&
      before->metadata()->uid == object->metadata()->uid &&
      before->metadata()->deletion_timestamp == object->metadata()->deletion_timestamp;
  Learn(kind, *object, is_status_only);
  WantTurn();
}

void Controller::Learn(const schema::Kind& kind, const api::Object& object, bool is_status_only) {
  feed_.Apply(object);
  queues_.Learn(object);
  const std::string& name = object.metadata()->name;
  if (const auto* space = object.As<api::Namespace>()) {
    namespaces_[name] = space->metadata.labels;
    TouchAllJobs();
  }
  if (const auto* priority = object.As<api::PriorityClass>()) pod_priorities_[name] = *priority;
  if (const auto* priority = object.As<api::WorkloadPriorityClass>())
    workload_priorities_[name] = *priority;
  NotePriorities(kind);
  if (const auto* queue = object.As<api::LocalQueue>()) {
    if (!is_status_only)
      TouchWorkloadsOf([&](const api::Workload& w) {
        return w.spec.queue_name == name && w.metadata.namespace_ == queue->metadata.namespace_;
      });
  } else if (!is_status_only || &kind == &api::AdmissionCheck::KindInfo()) {
    TouchWorkloadsOf([](const api::Workload&) { return true; });
  }
}

void Controller::Forget(const schema::Kind& kind, const store::Object& object) {
  if (&kind == &api::Workload::KindInfo())
    return desk_.OnSeen(workload::NamespacedName(object.namespace_, object.name), std::nullopt);
  feed_.Delete(kind, object.namespace_, object.name);
  queues_.Forget(kind, object.namespace_, object.name);
  if (&kind == &api::Namespace::KindInfo()) namespaces_.erase(object.name);
  if (&kind == &api::PriorityClass::KindInfo()) pod_priorities_.erase(object.name);
  if (&kind == &api::WorkloadPriorityClass::KindInfo()) workload_priorities_.erase(object.name);
  NotePriorities(kind);
  TouchWorkloadsOf([](const api::Workload&) { return true; });
  WantTurn();
}

// Jobs may have waited for a class, or name one that has another value now.
void Controller::NotePriorities(const schema::Kind& kind) {
  if (&kind != &api::PriorityClass::KindInfo() && &kind != &api::WorkloadPriorityClass::KindInfo())
    return;
  priorities_ = {};
  for (const auto& [name, priority] : pod_priorities_) priorities_.Add(priority);
  for (const auto& [name, priority] : workload_priorities_) priorities_.Add(priority);
  TouchAllJobs();
}

void Controller::TouchAllJobs() {
  jobs_.ForEach([&](const JobKey& key, const JobDesk::Job&) { touched_jobs_.insert(key); });
}

void Controller::TouchJobOf(const api::Workload& workload) {
  const api::OwnerReference* owner = jobs::ControllerOf(workload.metadata);
  if (owner != nullptr) {
    if (const JobKey* key = jobs_.FindByUid(owner->uid)) touched_jobs_.insert(*key);
    return;
  }
  // It may be one that was made before its job.
  jobs_.ForEach([&](const JobKey& key, const JobDesk::Job& job) {
    if (key.namespace_ != workload.metadata.namespace_) return;
    const auto metadata = jobs::MetadataOf(job.tree);
    if (metadata &&
        jobs::PrebuiltWorkloadName(*metadata, policy_.workload.reads_name_annotations) ==
            workload.metadata.name)
      touched_jobs_.insert(key);
  });
}

void Controller::ForgetOwner(const api::Workload& workload, std::string_view name) {
  const api::OwnerReference* owner = jobs::ControllerOf(workload.metadata);
  const auto owned =
      owner == nullptr ? workloads_by_owner_.end() : workloads_by_owner_.find(owner->uid);
  if (owned == workloads_by_owner_.end()) return;
  owned->second.erase(std::string(name));
  if (owned->second.empty()) workloads_by_owner_.erase(owned);
}

void Controller::OnWorkloadKnown(std::string_view name, const api::Workload* workload) {
  const api::Workload* before = feed_.FindWorkload(name);
  if (before != nullptr) {
    TouchJobOf(*before);
    ForgetOwner(*before, name);
  }
  if (workload == nullptr) {
    const size_t slash = name.find('/');
    feed_.Delete(api::Workload::KindInfo(), name.substr(0, slash), name.substr(slash + 1));
    looks_.erase(std::string(name));
  } else {
    feed_.Apply(*workload);
    if (const auto* owner = jobs::ControllerOf(workload->metadata))
      workloads_by_owner_[owner->uid].emplace(name);
    touched_workloads_.emplace(name);
    TouchJobOf(*workload);
  }
  WantTurn();
}

void Controller::TouchWorkloadsOf(const std::function<bool(const api::Workload&)>& is_concerned) {
  feed_.ForEachWorkload([&](const api::Workload& w) {
    if (!workload::IsFinished(w) && is_concerned(w))
      touched_workloads_.insert(workload::NamespacedName(w.metadata));
  });
}

// --- Turns -------------------------------------------------------------------------------------

void Controller::WantTurn() {
  if (std::exchange(is_turn_wanted_, true)) return;
  executor_.Post([weak = std::weak_ptr(self_)] {
    if (const auto self = weak.lock()) (*self)->Turn();
  });
}

void Controller::Lead() {
  settings_.is_leading = true;
  WantTurn();
}

void Controller::Turn() {
  is_turn_wanted_ = false;
  if (!is_synced() || !settings_.is_leading) return;
  const base::Time now = executor_.Now();
  feed_.Sync(now);
  feed_.engine().AdvanceTo(now);
  PlanJobs(now);
  PlanWorkloads(now);
  RunCycles(now);
  queues_.Plan(now);
}

// --- Jobs --------------------------------------------------------------------------------------

void Controller::PlanJobs(base::Time now) {
  for (const JobKey& key : std::exchange(touched_jobs_, {})) PlanJobAt(key, now);
}

jobs::ManagedReason Controller::ManagedReasonOf(const JobKey& key,
                                                const api::ObjectMeta& metadata) const {
  std::deque<api::ObjectMeta> kept;
  std::vector<jobs::ObjectView> owners;
  const api::OwnerReference* owner = jobs::ControllerOf(metadata);
  while (owner != nullptr && owners.size() < kMostOwners) {
    const JobKey* found = jobs_.FindByUid(owner->uid);
    if (found == nullptr) break;
    auto read = jobs::MetadataOf(jobs_.Find(*found)->tree);
    if (!read) break;
    kept.push_back(std::move(*read));
    owners.push_back({.api_version = found->integration->api_version,
                      .kind = found->integration->kind,
                      .metadata = &kept.back()});
    owner = jobs::ControllerOf(kept.back());
  }
  const auto labels = namespaces_.find(metadata.namespace_);
  return jobs::IsManaged({.api_version = key.integration->api_version,
                          .kind = key.integration->kind,
                          .metadata = &metadata},
                         labels == namespaces_.end() ? api::Labels() : labels->second, owners,
                         managed_)
      .reason;
}

std::vector<const api::Workload*> Controller::WorkloadsOf(const JobKey& key,
                                                          const api::ObjectMeta& metadata) const {
  std::vector<const api::Workload*> workloads;
  const std::string prebuilt =
      jobs::PrebuiltWorkloadName(metadata, policy_.workload.reads_name_annotations);
  if (!prebuilt.empty()) {
    const api::Workload* w = feed_.FindWorkload(workload::NamespacedName(key.namespace_, prebuilt));
    const api::OwnerReference* owner = w == nullptr ? nullptr : jobs::ControllerOf(w->metadata);
    if (w != nullptr && (owner == nullptr || owner->uid == metadata.uid)) workloads.push_back(w);
    return workloads;
  }
  const auto owned = workloads_by_owner_.find(metadata.uid);
  if (owned != workloads_by_owner_.end())
    for (const std::string& name : owned->second)
      if (const api::Workload* w = feed_.FindWorkload(name)) workloads.push_back(w);
  return workloads;
}

JobPlan Controller::PlanByManagement(const JobKey& key, const JobDesk::Job& job,
                                     const api::ObjectMeta& metadata, const JobSurroundings& around,
                                     base::Time now) const {
  const jobs::ManagedAnswer answer{.reason = ManagedReasonOf(key, metadata), .owner = ""};
  if (answer.is_managed()) return PlanJob(*key.integration, job.tree, around, policy_, now);
  // Its namespace is not selected any more. A job that only lost its queue name stays as it is.
  const bool is_released = answer.reason == jobs::ManagedReason::kNamespaceNotSelected ||
                           answer.reason == jobs::ManagedReason::kNotInPodOptions;
  if (!is_released || around.workloads.empty()) return {};
  return PlanJobRelease(*key.integration, job.tree, around);
}

void Controller::PlanJobAt(const JobKey& key, base::Time now) {
  const JobDesk::Job* job = jobs_.Find(key);
  if (job == nullptr || job->is_busy) return;  // it is touched again when it is not
  const auto metadata = jobs::MetadataOf(job->tree);
  if (!metadata || jobs::IsSkipped(*key.integration, job->tree)) return;
  const JobSurroundings around{
      .workloads = WorkloadsOf(key, *metadata),
      .priorities = &priorities_,
      .find_flavor = [this](std::string_view name) { return feed_.FindFlavor(name); }};
  for (const api::Workload* w : around.workloads)
    if (desk_.IsBusy(workload::NamespacedName(w->metadata))) return;
  JobPlan plan;
  if (metadata->deletion_timestamp)
    plan = PlanJobEnd(around);
  else
    plan = PlanByManagement(key, *job, *metadata, around, now);
  if (plan.look_again)
    executor_.PostAfter(*plan.look_again - now, [weak = std::weak_ptr(self_), key] {
      const auto self = weak.lock();
      if (!self) return;
      (*self)->touched_jobs_.insert(key);
      (*self)->WantTurn();
    });
  if (!plan.actions.empty() || !plan.notes.empty()) jobs_.Perform(key, std::move(plan));
}

bool Controller::LetGoOfJob(const std::string& name, const api::Workload& workload) {
  const api::OwnerReference* owner = jobs::ControllerOf(workload.metadata);
  if (owner == nullptr || !workload.metadata.deletion_timestamp ||
      jobs_.FindByUid(owner->uid) != nullptr || !managed_.IsListed(owner->api_version, owner->kind))
    return false;
  const JobPlan plan = PlanJobEnd({.workloads = {&workload}});
  if (plan.actions.empty()) return false;
  desk_.Write(name, {.write = WorkloadPlan::Write::kMetadata,
                     .workload = std::get<ChangeWorkload>(plan.actions[0]).workload});
  return true;
}

void Controller::PlanWorkloads(base::Time now) {
  for (const std::string& name : std::exchange(touched_workloads_, {})) {
    const api::Workload* w = feed_.FindWorkload(name);
    if (w == nullptr || desk_.IsBusy(name)) continue;  // it is touched again when it is known
    if (LetGoOfJob(name, *w)) continue;
    WorkloadSurroundings around;
    around.local_queue = feed_.FindLocalQueue(
        workload::NamespacedName(w->metadata.namespace_, w->spec.queue_name.value_or("")));
    const std::string queue = w->status.admission ? w->status.admission->cluster_queue
                              : around.local_queue == nullptr
                                  ? ""
                                  : around.local_queue->spec.cluster_queue.value_or("");
    around.cluster_queue = feed_.FindClusterQueue(queue);
    around.is_queue_active = around.cluster_queue != nullptr && WhyInactive(queue, feed_).empty();
    around.misfit = MisfitOf(*w, queue);
    const WorkloadPlan plan = PlanWorkload(*w, around, policy_.life, now);
    if (plan.look_again) LookAgainAt(name, *plan.look_again, now);
    if (plan.write != WorkloadPlan::Write::kNothing) desk_.Write(name, plan);
  }
}

std::string Controller::MisfitOf(const api::Workload& workload, const std::string& queue) const {
  const engine::WorkloadId id = feed_.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || feed_.engine().IsReserved(id)) return "";
  const engine::Workload& known = feed_.engine().state().workload(id);
  if (known.has_namespace_mismatch)
    return "ClusterQueue " + queue + " does not take workloads of namespace " +
           workload.metadata.namespace_;
  if (known.lacks_claim) return "A resource claim that its pods name does not exist";
  if (known.is_invalid && !workload::HasFailedCheck(workload))
    return "Its pods could not be created: see its requests, limits and the LimitRanges of the "
           "namespace";
  return "";
}

void Controller::LookAgainAt(const std::string& name, base::Time when, base::Time now) {
  const auto planned = looks_.find(name);
  if (planned != looks_.end() && now < planned->second && planned->second <= when) return;
  looks_[name] = when;
  // A little later, so that the moment is over by any clock.
  executor_.PostAfter((when - now), [weak = std::weak_ptr(self_), name] {
    const auto self = weak.lock();
    if (!self) return;
    (*self)->looks_.erase(name);
    (*self)->touched_workloads_.insert(name);
    (*self)->WantTurn();
  });
}

void Controller::RunCycles(base::Time now) {
  for (int i = 0; i < kMostCycles; ++i) {
    if (policy_.life.pods_ready && policy_.life.pods_ready->blocks_admission)
      return AdmitOneByOne(now);
    CycleResult result = RunCycle(feed_, now);
    for (WorkloadChange& change : result.changes) desk_.Write(std::move(change));
    if (!result.made_progress) return;
  }
  WantTurn();
}

// Nobody starts before the pods of all who were admitted are ready.
void Controller::AdmitOneByOne(base::Time now) {
  bool is_blocked = false;
  feed_.ForEachWorkload([&](const api::Workload& w) {
    is_blocked |= workload::HoldsQuota(w) && workload::IsAdmitted(w) &&
                  !api::IsConditionTrue(w.status.conditions, api::condition::kPodsReady);
  });
  CycleResult result = RunCycle(feed_, now);
  for (WorkloadChange& change : result.changes) {
    if (change.kind == WorkloadChange::Kind::kReserve && std::exchange(is_blocked, true)) {
      feed_.engine().Undo(change.id);
      change.kind = WorkloadChange::Kind::kWait;
      change.reason = api::reason::kWaitingForPodsReady;
      change.message = "It waits until the pods of all admitted workloads are ready";
    }
    desk_.Write(std::move(change));
  }
}

// The answer to a write may come after the changes that followed it.
void Controller::LearnWritten(const schema::Kind& kind, const store::Object& written) {
  const store::Object* seen = informers_.at(store::ResourceOf(kind))->Find(written.key());
  if (seen == nullptr || !IsOlderVersion(seen->resource_version, written.resource_version)) return;
  const auto object = Decoded(kind, written);
  if (object && !IsGone(*object->metadata())) Learn(kind, *object, true);
}

}  // namespace berth::control
