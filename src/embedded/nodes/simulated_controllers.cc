#include "embedded/nodes/simulated_controllers.h"

#include <utility>

#include "api/apps/deployment.h"
#include "api/apps/replica_set.h"
#include "api/apps/stateful_set.h"
#include "api/core/pod.h"
#include "control/rate_limit.h"
#include "control/reconcile/job_cache.h"
#include "jobs/integration_set.h"
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
                                           SimulationSettings settings)
    : store_(store), executor_(executor), settings_(settings) {
  Watched& pods = Watch(store::ResourceOf<api::Pod>(), nullptr, nullptr);
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
  watched.simulate = simulate;
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

void SimulatedControllers::OnChange(Watched& watched, const store::Change& change) {
  if (change.before != nullptr)
    if (const auto owned = watched.by_owner.find(ControllerIn(*change.before).uid);
        owned != watched.by_owner.end()) {
      owned->second.erase(change.before->key());
      if (owned->second.empty()) watched.by_owner.erase(owned);
    }
  if (change.after != nullptr)
    watched.by_owner[ControllerIn(*change.after).uid].insert(change.after->key());
  ReconcileOwner(watched, change.after != nullptr ? *change.after : *change.before);
  if (change.after != nullptr) ReconcileAfter(watched, change.after->key(), {});
}

void SimulatedControllers::ReconcileOwner(const Watched& watched, const store::Object& child) {
  const SetReference owner = ControllerIn(child);
  for (const auto& sets : watched_)
    if (sets->children == &watched && sets->resource.kind == owner.kind)
      ReconcileAfter(*sets, {.namespace_ = child.namespace_, .name = owner.name}, {});
}

// As a separate task, when the informer has the change.
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
  if (watched.simulate == nullptr)
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
  const auto tree = json::Parse(pod.text());
  if (!tree) return;
  const base::Time now = executor_.Now();
  SimulatedPodStep step = SimulatePod(*tree, settings_, now);
  const store::ObjectName name = pod.key();
  if (step.requeue_at) ReconcileAfter(pods, name, *step.requeue_at - now);
  if (step.needs_node)
    return Send(
        pods, name,
        store::Patch{
            .resource = pods.resource,
            .namespace_ = name.namespace_,
            .name = name.name,
            .body = json::Print(json::object{
                {"metadata", json::object{{"uid", pod.uid}}},
                {"spec", json::object{{"nodeName", json::BoostView(kSimulatedNodeName)}}}})});
  if (step.is_stopped)
    return Send(pods, name,
                store::Delete{.resource = pods.resource,
                              .namespace_ = name.namespace_,
                              .name = name.name,
                              .options = {.uid = pod.uid, .grace_period_seconds = 0}});
  if (step.status) WriteStatus(pods, pod, std::move(*step.status));
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

void SimulatedControllers::Send(Watched& watched, const store::ObjectName& name, store::Call call) {
  ++watched.busy[name];
  store_.Do(std::move(call), executor_,
            self_.Wrap([this, &watched, name](const store::Outcome<store::Reply>& reply) {
              if (--watched.busy[name] == 0) watched.busy.erase(name);
              // Other failures are stale writes; the watch delivers the current state.
              const bool is_refused = !reply && !reply.error().IsConflict() &&
                                      !reply.error().IsNotFound() &&
                                      !reply.error().IsAlreadyExists();
              if (is_refused) ReconcileAfter(watched, name, control::kRejectionBackOff);
              if (!watched.busy.contains(name) && watched.dirty.erase(name) > 0)
                Reconcile(watched, name);
            }));
}

}  // namespace berth::embedded
