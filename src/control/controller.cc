#include "control/controller.h"

#include <algorithm>
#include <utility>

#include "api/cluster_queue.h"
#include "api/conditions.h"
#include "api/limit_range.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/pod.h"
#include "api/priority_class.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
#include "api/runtime_class.h"
#include "api/topology.h"
#include "api/well_known.h"
#include "api/workload_priority_class.h"
#include "control/queue_status.h"
#include "control/scheduler.h"
#include "schema/thread_decoder.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

// So many cycles in a turn, then others have theirs.
constexpr int kMostCycles = 100;
// So long after its definition a kind of job is known at the latest.
constexpr base::Duration kLongestAbsence = base::Duration::Seconds(5);
// So many reasons to wait are on their way, then the others give way to decisions. An API server
// that is not busy answers sooner than the next ones come.
constexpr size_t kMostWaitsUnderWay = 4;

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
  if (!schema::ThreadDecoder().Decode(text.text(), kind, object.value()).empty())
    return std::nullopt;
  return object;
}

// What waits for itself; of Deployments each pod does.
bool IsJob(const jobs::Integration& integration) {
  return integration.waits != jobs::kWaitsAsPods && integration.waits != jobs::kWaitsThroughPods;
}

std::optional<UsageSampling> SamplingFrom(const api::Configuration& configuration,
                                          const api::FeatureGates& gates) {
  if (!configuration.admission_fair_sharing || !gates.IsOn(api::Gate::kAdmissionFairSharing))
    return std::nullopt;
  return UsageSampling{.half_life = configuration.admission_fair_sharing->usage_half_life_time,
                       .interval = configuration.admission_fair_sharing->usage_sampling_interval};
}

bool IsMisconfigured(const api::Workload& workload) {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  return quota != nullptr && quota->reason == api::reason::kMisconfigured;
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
             .complete = [this](api::Workload& w) { jobs_.CompleteStatus(w); },
             .on_failure =
                 [this](std::string_view name, const store::Failure& failure) {
                   settings_.log("Workload " + std::string(name) +
                                 " could not be written: " + store::ToString(failure));
                 },
             .on_step = [this](const WorkloadStep& step) { Tell(step); }}),
      jobs_(store, executor, World(),
            {.on_touched = [this] { WantTurn(); },
             .log = [this](std::string_view text) { settings_.log(text); },
             .observe = [this](const Fact& fact) { Tell(fact); }}),
      queues_(store, executor, feed_, SamplingFrom(settings_.configuration, settings_.gates),
              {.on_written = [this](const schema::Kind& kind,
                                    const store::Object& object) { LearnWritten(kind, object); },
               .on_over = [this] { WantTurn(); },
               .log = [this](std::string_view text) { settings_.log(text); }}),
      alarm_(executor, [this] { WantTurn(); }),
      self_(std::make_shared<Controller*>(this)) {
  policy_.workload.pod_sets.related.find_training_runtime = [this](const store::json::value& job) {
    return runtimes_.FindFor(job);
  };
  feed_.TrustStatus();
  feed_.OnPlaced([this](const std::string& workload) { queues_.NoteWorkload(workload); });
  for (const schema::Kind* kind : WatchedKinds()) Watch(*kind);
  for (const jobs::Integration& integration : settings_.integrations->all()) {
    if (!managed_.IsListed(integration.api_version, integration.kind) || !IsJob(integration))
      continue;
    WatchJobs(integration);
    if (integration.derives == jobs::kDerivesTrainJob) WatchRuntimesOf(integration);
  }
  if (PodController::IsNeeded(*settings_.integrations, managed_))
    pods_ = std::make_unique<PodController>(
        store_, executor_, World(), jobs_.desk(), *settings_.integrations,
        PodController::Hooks{.on_touched = [this] { WantTurn(); },
                             .log = [this](std::string_view text) { settings_.log(text); },
                             .observe = [this](const Fact& fact) { Tell(fact); }});
  if (policy_.workload.has_elastic_jobs)
    elastic_pods_ = std::make_unique<ElasticPods>(
        store_, executor_, feed_,
        ElasticPods::Hooks{.on_touched = [this] { WantTurn(); },
                           .log = [this](std::string_view text) { settings_.log(text); },
                           .observe = [this](const Fact& fact) { Tell(fact); }});
  if (pods_ != nullptr) WatchPods(store::Selection());
}

Controller::~Controller() = default;

JobWorld Controller::World() {
  return {.feed = feed_,
          .workloads = desk_,
          .owners = owners_,
          .events = events_,
          .policy = policy_,
          .managed = managed_,
          .priorities = priorities_,
          .namespaces = namespaces_};
}

bool Controller::is_synced() const {
  return std::ranges::all_of(informers_, [this](const auto& i) {
    return i.second->is_synced() || absent_.contains(i.first);
  });
}

bool Controller::is_idle() const {
  return is_synced() && !is_turn_wanted_ && desk_.is_idle() && jobs_.desk().is_idle() &&
         waits_.empty() && queues_.is_idle() && events_.is_idle() &&
         (pods_ == nullptr || pods_->is_idle()) &&
         (elastic_pods_ == nullptr || elastic_pods_->is_idle());
}

const workload::EngineFeed& Controller::feed() {
  if (is_synced()) feed_.Sync(executor_.Now());
  return feed_;
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

void Controller::WatchIfDefined(const store::Resource& resource,
                                std::function<void(const store::Change&)> on_change) {
  // Nobody has such objects as long as their kind is not defined.
  const auto note = [this, resource](const store::Failure& failure) {
    if (!failure.IsNotFound())
      return settings_.log("Cannot watch " + resource.plural + ": " + store::ToString(failure));
    if (absent_.insert(resource).second) WantTurn();
  };
  informers_[resource] = std::make_unique<store::Informer>(
      store_, executor_, resource, store::Selection(),
      store::Informer::Handlers{.on_change = std::move(on_change),
                                .on_synced = [this] { WantTurn(); },
                                .on_failure = note},
      store::Reflector::Options{.longest_pause = kLongestAbsence});
}

void Controller::WatchJobs(const jobs::Integration& integration) {
  WatchIfDefined(ResourceOf(integration), [this, &integration](const store::Change& change) {
    OnJobChange(integration, change);
  });
}

void Controller::WatchRuntimesOf(const jobs::Integration& integration) {
  for (const jobs::TrainingRuntimeKind& kind : jobs::kTrainingRuntimeKinds)
    WatchIfDefined(ResourceOf(integration, kind),
                   [this, &integration, &kind](const store::Change& change) {
                     runtimes_.OnChange(kind, change);
                     jobs_.TouchAllOf(integration);
                     WantTurn();
                   });
}

void Controller::WatchPods(store::Selection selection) {
  const store::Resource resource = store::ResourceOf<api::Pod>();
  informers_[resource] = std::make_unique<store::Informer>(
      store_, executor_, resource, std::move(selection),
      store::Informer::Handlers{
          .on_change = [this](const store::Change& change) { OnPodChange(change); },
          .on_synced = [this] { WantTurn(); },
          .on_failure =
              [this](const store::Failure& failure) {
                settings_.log("Cannot watch pods: " + store::ToString(failure));
              }});
}

void Controller::OnPodChange(const store::Change& change) {
  if (pods_ != nullptr) pods_->OnPodChange(change);
  if (elastic_pods_ != nullptr) elastic_pods_->OnPodChange(change);
  if (change.before != nullptr &&
      (change.after == nullptr || change.after->uid != change.before->uid))
    TouchWorkloadsOwnedBy(change.before->uid);
}

// That its Workloads are being deleted may have been seen before it was gone.
void Controller::TouchWorkloadsOwnedBy(std::string_view uid) {
  const auto& owned = owners_.Of(uid);
  if (owned.empty()) return;
  touched_workloads_.insert(owned.begin(), owned.end());
  WantTurn();
}

void Controller::OnJobChange(const jobs::Integration& integration, const store::Change& change) {
  jobs_.OnChange(integration, change);
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  if (pods_ != nullptr && integration.waits_through_pods())
    pods_->OnSet({.integration = &integration, .namespace_ = any.namespace_, .name = any.name});
  if (change.before != nullptr &&
      (change.after == nullptr || change.after->uid != change.before->uid))
    TouchWorkloadsOwnedBy(change.before->uid);
}

void Controller::OnChange(const schema::Kind& kind, const store::Change& change) {
  if (change.after == nullptr) return Forget(kind, *change.before);
  if (&kind == &api::Workload::KindInfo() && desk_.IsKnown(*change.after)) return;
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
  if (const auto* space = object.As<api::Namespace>()) return LearnNamespace(*space);
  if (const auto* priority = object.As<api::PriorityClass>()) pod_priorities_[name] = *priority;
  bool has_new_value = false;
  if (const auto* priority = object.As<api::WorkloadPriorityClass>()) {
    const auto [known, is_new] = workload_priorities_.try_emplace(name);
    has_new_value = is_new || known->second.value != priority->value;
    known->second = *priority;
  }
  NotePriorities(kind);
  if (has_new_value) class_values_.Note(name, priorities_, feed_);
  if (const auto* queue = object.As<api::LocalQueue>()) {
    if (!is_status_only)
      TouchWorkloadsOf([&](const api::Workload& w) {
        return w.spec.queue_name == name && w.metadata.namespace_ == queue->metadata.namespace_;
      });
  } else if (!is_status_only || &kind == &api::AdmissionCheck::KindInfo()) {
    TouchWorkloadsOf([](const api::Workload&) { return true; });
  }
}

// Nobody outside it is concerned by what a namespace is like.
void Controller::LearnNamespace(const api::Namespace& space) {
  const std::string& name = space.metadata.name;
  const auto known = namespaces_.find(name);
  if (known != namespaces_.end() && known->second == space.metadata.labels) return;
  namespaces_[name] = space.metadata.labels;
  TouchJobsIn(name);
  TouchWorkloadsOf([&](const api::Workload& w) { return w.metadata.namespace_ == name; });
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
  Tell(QueueGone{.kind = &kind, .namespace_ = object.namespace_, .name = object.name});
  WantTurn();
}

// Jobs may have waited for a class, or name one that has another value now.
void Controller::NotePriorities(const schema::Kind& kind) {
  if (&kind != &api::PriorityClass::KindInfo() && &kind != &api::WorkloadPriorityClass::KindInfo())
    return;
  priorities_ = {};
  for (const auto& [name, priority] : pod_priorities_) priorities_.Add(priority);
  for (const auto& [name, priority] : workload_priorities_) priorities_.Add(priority);
  TouchJobsIn("");
}

void Controller::TouchJobsIn(std::string_view namespace_name) {
  if (pods_ != nullptr) pods_->TouchAll(namespace_name);
  jobs_.TouchAll(namespace_name);
}

void Controller::TouchJobOf(const api::Workload& workload) {
  jobs_.OnWorkload(workload);
  if (pods_ != nullptr) pods_->OnWorkload(workload);
  if (elastic_pods_ == nullptr || !elastic_pods_->OnWorkload(workload)) return;
  // Only now somebody cares for pods: of those, only such as were started here.
  if (!informers_.contains(store::ResourceOf<api::Pod>()))
    WatchPods({.label_selector = std::string(api::kPodSetLabel)});
}

void Controller::OnWorkloadKnown(std::string_view name, const api::Workload* workload) {
  const api::Workload* before = feed_.FindWorkload(name);
  if (before != nullptr) {
    TouchJobOf(*before);
    owners_.Forget(name, *before);
  }
  if (workload == nullptr) {
    const size_t slash = name.find('/');
    feed_.Delete(api::Workload::KindInfo(), name.substr(0, slash), name.substr(slash + 1));
    looks_.erase(std::string(name));
    class_values_.Forget(name);
    uncounted_.Forget(name);
    refusals_.Forget(name);
    joined_.erase(std::string(name));
  } else {
    feed_.Apply(*workload);
    owners_.Learn(name, *workload);
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
  if (!is_synced()) return;
  const base::Time now = executor_.Now();
  // Who only watches is up to date when it has to act, and does not pile up what it has seen.
  feed_.Sync(now);
  queues_.Count();
  if (!settings_.is_leading) return;
  // Classes may have got other values while nobody led.
  if (!std::exchange(has_led_, true)) class_values_.Note("", priorities_, feed_);
  feed_.engine().AdvanceTo(now);
  PlanWorkloads(now);
  RunCycles(now);
  SayWhyTheyWait(now);
  jobs_.Plan(now);
  if (pods_ != nullptr) pods_->Plan(now);
  if (elastic_pods_ != nullptr) elastic_pods_->Plan();
  queues_.Plan(now);
}

// Whether its end would be seen.
bool Controller::IsWatched(const api::OwnerReference& owner) const {
  const bool is_pod = owner.kind == api::Pod::KindInfo().kind && owner.api_version == "v1";
  return is_pod ? pods_ != nullptr : managed_.IsListed(owner.api_version, owner.kind);
}

bool Controller::LetGoOfJob(const std::string& name, const api::Workload& workload) {
  const api::OwnerReference* owner = jobs::ControllerOf(workload.metadata);
  if (owner == nullptr || !workload.metadata.deletion_timestamp ||
      jobs_.desk().FindByUid(owner->uid) != nullptr ||
      (pods_ != nullptr && pods_->HasPod(owner->uid)) || !IsWatched(*owner))
    return false;
  if (!HasOurFinalizer(workload)) return false;
  desk_.Write(name, {.write = WorkloadPlan::Write::kMetadata,
                     .workload = WithoutFinalizer(workload).workload});
  return true;
}

void Controller::PlanWorkloads(base::Time now) {
  looked_at_.clear();
  for (const std::string& name : std::exchange(touched_workloads_, {})) {
    const api::Workload* w = feed_.FindWorkload(name);
    if (w == nullptr || desk_.IsBusy(name)) continue;  // it is touched again when it is known
    if (LetGoOfJob(name, *w)) continue;
    TellWhatDoesNotCount(*w);
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
    around.class_value = class_values_.For(*w, priorities_);
    const WorkloadPlan plan = PlanWorkload(*w, around, policy_.life, now);
    if (IsMisconfigured(*w) && !IsMisconfigured(plan.workload)) joined_.insert(name);
    looked_at_.push_back(name);
    if (plan.look_again) LookAgainAt(name, *plan.look_again, now);
    if (plan.write != WorkloadPlan::Write::kNothing) desk_.Write(name, plan);
  }
}

void Controller::TellWhatDoesNotCount(const api::Workload& workload) {
  const auto news = uncounted_.Look(workload, feed_);
  if (!news) return;
  settings_.log(news->log);
  if (news->note) desk_.Tell(workload, *news->note);
}

std::string Controller::MisfitOf(const api::Workload& workload, const std::string& queue) {
  const engine::WorkloadId id = feed_.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || feed_.engine().IsReserved(id)) return "";
  const engine::Workload& known = feed_.engine().state().workload(id);
  if (known.has_namespace_mismatch)
    return "ClusterQueue " + queue + " does not take workloads of namespace " +
           workload.metadata.namespace_;
  if (known.lacks_claim) {
    std::string text = "What its pods claim is not there";
    for (const schema::Problem& problem : feed_.ClaimProblems(workload))
      text += "; " + problem.field + ": " + problem.message;
    return text;
  }
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
    const base::Time began = executor_.Now();
    CycleResult result = RunCycle(feed_, now);
    TellOfCycle(result.fact, began);
    for (WorkloadChange& change : result.changes) {
      refusals_.Learn(change, feed_);
      if (change.kind == WorkloadChange::Kind::kReserve)
        TellWhatDoesNotCount(feed_.WorkloadOf(change.id));
      CarryOut(std::move(change), now);
    }
    if (!result.made_progress) return SayWhatEqualsSay();
  }
  WantTurn();
}

void Controller::TellOfCycle(CycleFact& fact, base::Time began) {
  if (fact.heads == 0) return;
  fact.took = executor_.Now() - began;
  Tell(fact);
}

void Controller::SayWhatEqualsSay() {
  for (const std::string& name : std::exchange(looked_at_, {})) {
    const api::Workload* w = feed_.FindWorkload(name);
    // What was just decided about it goes first.
    if (w == nullptr || desk_.IsBusy(name) || waits_.Holds(name)) continue;
    std::optional<WorkloadChange> change = refusals_.For(*w, feed_, joined_.contains(name));
    if (!change) continue;
    joined_.erase(name);
    desk_.Write(std::move(*change));
  }
}

// Nobody starts before the pods of all who were admitted are ready.
void Controller::AdmitOneByOne(base::Time now) {
  bool is_blocked = false;
  feed_.ForEachWorkload([&](const api::Workload& w) {
    is_blocked |= workload::HoldsQuota(w) && workload::IsAdmitted(w) &&
                  !api::IsConditionTrue(w.status.conditions, api::condition::kPodsReady);
  });
  const base::Time began = executor_.Now();
  CycleResult result = RunCycle(feed_, now);
  result.fact.has_admitted &= !is_blocked;
  TellOfCycle(result.fact, began);
  for (WorkloadChange& change : result.changes) {
    if (change.kind == WorkloadChange::Kind::kReserve && std::exchange(is_blocked, true)) {
      feed_.engine().Undo(change.id);
      change.kind = WorkloadChange::Kind::kWait;
      change.reason = api::reason::kWaitingForPodsReady;
      change.message = "It waits until the pods of all admitted workloads are ready";
    }
    CarryOut(std::move(change), now);
  }
}

void Controller::CarryOut(WorkloadChange change, base::Time now) {
  queues_.NoteWorkload(change.workload);
  const api::Workload* w = feed_.FindWorkload(change.workload);
  const api::Condition* quota =
      w == nullptr ? nullptr
                   : api::FindCondition(w->status.conditions, api::condition::kQuotaReserved);
  if (!MayBeHeld(change, quota, RoomForWaits() > 0)) {
    waits_.Drop(change.workload);
    return desk_.Write(std::move(change));
  }
  waits_.Hold(std::move(change), ReasonSaid(quota, w == nullptr ? 0 : w->metadata.generation), now);
}

size_t Controller::RoomForWaits() const {
  return kMostWaitsUnderWay - std::min(kMostWaitsUnderWay, desk_.waits_under_way());
}

void Controller::SayWhyTheyWait(base::Time now) {
  const engine::Engine& engine = feed_.engine();
  for (WorkloadChange& wait : waits_.TakeDue(now, RoomForWaits())) {
    const api::Workload* w = feed_.FindWorkload(wait.workload);
    // It may have left the engine and come back, and then the same holds of it.
    wait.id = w == nullptr ? engine::WorkloadId::None() : engine.FindWorkload(w->metadata.uid);
    if (!wait.id.is_none() && !engine.IsReserved(wait.id)) desk_.Write(std::move(wait));
  }
  // Where there is no room, the next answer brings another turn.
  if (const auto next = waits_.next(); next && RoomForWaits() > 0) alarm_.SetFor(*next, now);
}

// The answer to a write may come after the changes that followed it.
void Controller::LearnWritten(const schema::Kind& kind, const store::Object& written) {
  const store::Object* seen = informers_.at(store::ResourceOf(kind))->Find(written.key());
  if (seen == nullptr || !IsOlderVersion(seen->resource_version, written.resource_version)) return;
  const auto object = Decoded(kind, written);
  if (object && !IsGone(*object->metadata())) Learn(kind, *object, true);
}

}  // namespace berth::control
