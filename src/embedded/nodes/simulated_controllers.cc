#include "embedded/nodes/simulated_controllers.h"

#include <utility>

#include "api/apps/deployment.h"
#include "api/apps/replica_set.h"
#include "api/apps/stateful_set.h"
#include "api/core/pod.h"
#include "control/rate_limit.h"
#include "control/reconcile/job_cache.h"
#include "embedded/nodes/simulated_children.h"
#include "embedded/nodes/simulated_jobs.h"
#include "jobs/start_stop.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

// The controller of an object.
struct SetReference {
  std::string kind;
  std::string name;
  std::string uid;
};

// All empty if there is none.
SetReference ControllerIn(const store::Object& object) {
  const auto tree = json::Parse(object.text());
  const json::value* owners = tree ? json::Find(*tree, {"metadata", "ownerReferences"}) : nullptr;
  if (owners == nullptr || !owners->is_array()) return {};
  for (const json::value& owner : owners->get_array())
    if (json::IsSetAt(owner, "controller"))
      return {.kind = json::TextAt(owner, "kind"),
              .name = json::TextAt(owner, "name"),
              .uid = json::TextAt(owner, "uid")};
  return {};
}

store::Resource LeaderWorkerSets() {
  return control::ResourceOf(
      *jobs::IntegrationSet::BuiltIn().FindFramework("leaderworkerset.x-k8s.io/leaderworkerset"));
}

}  // namespace

SimulatedControllers::SimulatedControllers(store::Store& store, store::Executor& executor,
                                           const jobs::IntegrationSet& integrations,
                                           SimulationSettings settings)
    : store_(store), executor_(executor), settings_(std::move(settings)) {
  Watched& pods = Watch(store::ResourceOf<api::Pod>(), nullptr, nullptr);
  if (settings_.has_nodes()) {
    scheduler_ = std::make_unique<SimulatedScheduler>(
        store_, executor_, settings_,
        [this, &pods](const store::ObjectName& pod) { Enqueue(pods, pod); });
    WatchJobs(integrations, pods);
  }
  Watched& replica_sets = Watch(store::ResourceOf<api::ReplicaSet>(), &SimulateReplicaSet, &pods);
  Watch(store::ResourceOf<api::Deployment>(), &SimulateDeployment, &replica_sets);
  Watch(store::ResourceOf<api::StatefulSet>(), &SimulateStatefulSet, &pods);
  Watch(LeaderWorkerSets(), &SimulateLeaderWorkerSet, &pods);
}

SimulatedControllers::~SimulatedControllers() = default;

SimulatedControllers::Watched& SimulatedControllers::Watch(store::Resource resource,
                                                           Simulate simulate, Watched* children) {
  Watched& watched = *watched_.emplace_back(std::make_unique<Watched>());
  watched.resource = resource;
  watched.simulate = std::move(simulate);
  watched.children = children;
  watched.informer = std::make_unique<store::Informer>(
      store_, executor_, std::move(resource), store::Selection(),
      store::Informer::Handlers{
          .on_change = [this, &watched](const store::Change& c) { OnChange(watched, c); },
          .on_synced = [] {},
          .on_failure = [](const store::Failure&) {}},
      store::Reflector::Options{.longest_pause = base::Duration::Seconds(5)});
  return watched;
}

void SimulatedControllers::WatchJobs(const jobs::IntegrationSet& integrations, Watched& pods) {
  for (const jobs::Integration& integration : integrations.all()) {
    if (integration.uses_scheduling_gates()) continue;
    const bool is_batch = integration.framework == kBatchJob;
    Watch(
        control::ResourceOf(integration),
        [this, &integration, is_batch](const json::value& job, SetChildren children) {
          return is_batch ? SimulateBatchJob(job, children, settings_, executor_.Now())
                          : SimulateJobPods(integration, job, children);
        },
        &pods);
  }
}

void SimulatedControllers::OnChange(Watched& watched, const store::Change& change) {
  if (change.before != nullptr)
    if (const auto owned = watched.by_owner.find(ControllerIn(*change.before).uid);
        owned != watched.by_owner.end()) {
      owned->second.erase(change.before->key());
      if (owned->second.empty()) watched.by_owner.erase(owned);
    }
  if (change.after != nullptr)
    watched.by_owner[ControllerIn(*change.after).uid].insert(change.after->key());
  if (!watched.simulate && scheduler_) scheduler_->OnPod(change);
  ReconcileOwner(watched, change.after != nullptr ? *change.after : *change.before);
  if (change.after != nullptr) Enqueue(watched, change.after->key());
}

void SimulatedControllers::ReconcileOwner(const Watched& watched, const store::Object& child) {
  const SetReference owner = ControllerIn(child);
  for (const auto& sets : watched_)
    if (sets->children == &watched && sets->resource.kind == owner.kind)
      Enqueue(*sets, {.namespace_ = child.namespace_, .name = owner.name});
}

// As a separate task, when the informer has the change. A set with many children waits longer, as
// it reads all of them.
void SimulatedControllers::Enqueue(Watched& watched, const store::ObjectName& name) {
  if (!watched.queued.insert(name).second) return;
  constexpr int64_t kPauseOfChild = 50'000;  // nanoseconds
  int64_t children = 0;
  if (watched.children != nullptr)
    if (const store::Object* set = watched.informer->Find(name))
      if (const auto owned = watched.children->by_owner.find(set->uid);
          owned != watched.children->by_owner.end())
        children = static_cast<int64_t>(owned->second.size());
  auto reconcile = self_.Wrap([this, &watched, name] {
    watched.queued.erase(name);
    Reconcile(watched, name);
  });
  if (children > 0)
    executor_.PostAfter(base::Duration{children * kPauseOfChild}, std::move(reconcile));
  else
    executor_.Post(std::move(reconcile));
}

void SimulatedControllers::ReconcileAfter(Watched& watched, const store::ObjectName& name,
                                          base::Duration delay) {
  auto reconcile = self_.Wrap([this, &watched, name] { Reconcile(watched, name); });
  if (delay.nanos > 0)
    executor_.PostAfter(delay, std::move(reconcile));
  else
    executor_.Post(std::move(reconcile));
}

void SimulatedControllers::Reconcile(Watched& watched, const store::ObjectName& name) {
  if (watched.busy.contains(name)) {
    watched.dirty.insert(name);
    return;
  }
  const store::Object* object = watched.informer->Find(name);
  if (object == nullptr) return;
  if (!watched.simulate)
    ReconcilePod(watched, *object);
  else
    ReconcileSet(watched, *object);
}

void SimulatedControllers::ReconcileSet(Watched& watched, const store::Object& set) {
  const auto tree = json::Parse(set.text());
  if (!tree || json::FindAt(*tree, "metadata.deletionTimestamp") != nullptr) return;
  std::vector<json::value> children;
  if (const auto owned = watched.children->by_owner.find(set.uid);
      owned != watched.children->by_owner.end())
    for (const store::ObjectName& name : owned->second)
      if (const store::Object* child = watched.children->informer->Find(name))
        if (auto read = json::Parse(child->text())) children.push_back(std::move(*read));
  SimulatedSetPlan plan = watched.simulate(*tree, children);
  const store::Resource& kind = watched.children->resource;
  const store::ObjectName name = set.key();
  for (const json::value& child : plan.create)
    Send(watched, name,
         store::Create{
             .resource = kind, .namespace_ = name.namespace_, .object = json::Print(child)});
  for (const std::string& child : plan.remove)
    Send(watched, name,
         store::Delete{.resource = kind, .namespace_ = name.namespace_, .name = child});
  for (const auto& [child, replicas] : plan.scale)
    Send(watched, name,
         store::Patch{
             .resource = kind,
             .namespace_ = name.namespace_,
             .name = child,
             .body = json::Print(json::object{{"spec", json::object{{"replicas", replicas}}}})});
  if (plan.status) WriteStatus(watched, set, std::move(*plan.status));
}

void SimulatedControllers::ReconcilePod(Watched& pods, const store::Object& pod) {
  if (scheduler_ && !FollowNode(pods, pod)) return;
  const auto tree = json::Parse(pod.text());
  if (!tree) return;
  const base::Time now = executor_.Now();
  SimulatedPodStep step = SimulatePod(*tree, settings_, now);
  if (step.requeue_at) ReconcileAfter(pods, pod.key(), *step.requeue_at - now);
  if (step.needs_node) return Bind(pods, pod);
  if (step.is_stopped) return Remove(pods, pod);
  if (step.status) WriteStatus(pods, pod, std::move(*step.status));
}

bool SimulatedControllers::FollowNode(Watched& pods, const store::Object& pod) {
  using PodDisposition = SimulatedScheduler::PodDisposition;
  const auto decoded = pod.Decode<api::Pod>();
  if (!decoded) return false;
  const SimulatedScheduler::PodVerdict verdict = scheduler_->VerdictOf(*decoded);
  if (verdict.changes_at) ReconcileAfter(pods, pod.key(), *verdict.changes_at - executor_.Now());
  if (verdict.disposition == PodDisposition::kEvicted) Evict(pods, pod);
  if (verdict.disposition == PodDisposition::kOrphaned) Remove(pods, pod);
  return verdict.disposition == PodDisposition::kKeep;
}

void SimulatedControllers::Bind(Watched& pods, const store::Object& pod) {
  std::string node(kSimulatedNodeName);
  if (scheduler_) {
    const auto decoded = pod.Decode<api::Pod>();
    if (!decoded || scheduler_->IsBeingBound(pod.key(), *decoded)) return;
    const NodeChoice choice = scheduler_->Choose(pod.key(), *decoded);
    if (choice.node.empty()) {
      auto status =
          UnschedulableStatus(*json::Parse(pod.text()), choice.Message(), executor_.Now());
      if (status) WriteStatus(pods, pod, std::move(*status));
      return;
    }
    node = choice.node;
  }
  Send(pods, pod.key(),
       store::Patch{.resource = pods.resource,
                    .namespace_ = pod.namespace_,
                    .name = pod.name,
                    .body = json::Print(json::object{{"metadata", json::object{{"uid", pod.uid}}},
                                                     {"spec", json::object{{"nodeName", node}}}})},
       [this, name = pod.key()] {
         if (scheduler_) scheduler_->GiveUp(name);
       });
}

void SimulatedControllers::Evict(Watched& pods, const store::Object& pod) {
  json::object status = EvictedStatus(*json::Parse(pod.text()), executor_.Now());
  WriteStatus(pods, pod, std::move(status));
  Send(pods, pod.key(),
       store::Delete{.resource = pods.resource,
                     .namespace_ = pod.namespace_,
                     .name = pod.name,
                     .options = {.uid = pod.uid}});
}

void SimulatedControllers::Remove(Watched& pods, const store::Object& pod) {
  Send(pods, pod.key(),
       store::Delete{.resource = pods.resource,
                     .namespace_ = pod.namespace_,
                     .name = pod.name,
                     .options = {.uid = pod.uid, .grace_period_seconds = 0}});
}

void SimulatedControllers::WriteStatus(Watched& watched, const store::Object& object,
                                       json::object status) {
  const auto tree = json::Parse(object.text());
  if (!tree) return;
  json::object after = tree->as_object();
  after["status"] = std::move(status);
  json::object patch = jobs::MergePatchBetween(*tree, after).as_object();
  patch["metadata"] = json::object{{"resourceVersion", object.resource_version}};
  Send(watched, object.key(),
       store::Patch{.resource = watched.resource,
                    .namespace_ = object.namespace_,
                    .name = object.name,
                    .subresource = std::string(store::kStatusSubresource),
                    .body = json::Print(patch)});
}

void SimulatedControllers::Send(Watched& watched, const store::ObjectName& name, store::Call call,
                                const std::function<void()>& on_failure) {
  ++watched.busy[name];
  store_.Do(
      std::move(call), executor_,
      self_.Wrap([this, &watched, name, on_failure](const store::Outcome<store::Reply>& reply) {
        if (--watched.busy[name] == 0) watched.busy.erase(name);
        if (!reply && on_failure) on_failure();
        // Other failures are stale writes; the watch delivers the current state.
        const bool is_refused = !reply && !reply.error().IsConflict() &&
                                !reply.error().IsNotFound() && !reply.error().IsAlreadyExists();
        if (is_refused) ReconcileAfter(watched, name, control::kRejectionBackOff);
        if (!watched.busy.contains(name) && watched.dirty.erase(name) > 0) Reconcile(watched, name);
      }));
}

}  // namespace berth::embedded
