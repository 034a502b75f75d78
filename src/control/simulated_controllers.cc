#include "control/simulated_controllers.h"

#include <utility>

#include "api/deployment.h"
#include "api/pod.h"
#include "api/replica_set.h"
#include "api/stateful_set.h"
#include "control/job_desk.h"
#include "control/pace.h"
#include "jobs/integration_set.h"
#include "jobs/path.h"
#include "jobs/start_stop.h"

namespace berth::control {
namespace {

// After a write that was refused.

struct SetReference {
  std::string kind;
  std::string name;
  std::string uid;
};

// Of no set: all empty.
SetReference ControllerIn(const store::Object& object) {
  const auto tree = store::ParseJson(object.text());
  const store::json::value* owners =
      tree ? store::FindJson(*tree, {"metadata", "ownerReferences"}) : nullptr;
  if (owners == nullptr || !owners->is_array()) return {};
  for (const store::json::value& owner : owners->get_array())
    if (jobs::IsSetAt(owner, "controller"))
      return {.kind = jobs::TextAt(owner, "kind"),
              .name = jobs::TextAt(owner, "name"),
              .uid = jobs::TextAt(owner, "uid")};
  return {};
}

store::Resource LeaderWorkerSets() {
  return ResourceOf(
      *jobs::IntegrationSet::BuiltIn().FindFramework("leaderworkerset.x-k8s.io/leaderworkerset"));
}

}  // namespace

SimulatedControllers::SimulatedControllers(store::Store& store, store::Executor& executor,
                                           SimulationSettings settings)
    : store_(store),
      executor_(executor),
      settings_(settings),
      self_(std::make_shared<SimulatedControllers*>(this)) {
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
  LookAtOwner(watched, change.after != nullptr ? *change.after : *change.before);
  if (change.after != nullptr) LookLater(watched, change.after->key(), {});
}

void SimulatedControllers::LookAtOwner(const Watched& watched, const store::Object& child) {
  const SetReference owner = ControllerIn(child);
  for (const auto& sets : watched_)
    if (sets->children == &watched && sets->resource.kind == owner.kind)
      LookLater(*sets, {.namespace_ = child.namespace_, .name = owner.name}, {});
}

// In a task of its own: the informer has the change by then.
void SimulatedControllers::LookLater(Watched& watched, const store::ObjectName& name,
                                     base::Duration delay) {
  auto look = [weak = std::weak_ptr(self_), &watched, name] {
    if (const auto self = weak.lock()) (*self)->Look(watched, name);
  };
  if (delay.nanos > 0)
    executor_.PostAfter(delay, std::move(look));
  else
    executor_.Post(std::move(look));
}

void SimulatedControllers::Look(Watched& watched, const store::ObjectName& name) {
  if (watched.busy.contains(name)) {
    watched.missed.insert(name);
    return;
  }
  const store::Object* object = watched.informer->Find(name);
  if (object == nullptr) return;
  if (watched.simulate == nullptr)
    LookAtPod(watched, *object);
  else
    LookAtSet(watched, *object);
}

void SimulatedControllers::LookAtSet(Watched& watched, const store::Object& set) {
  const auto tree = store::ParseJson(set.text());
  if (!tree || jobs::FindAt(*tree, "metadata.deletionTimestamp") != nullptr) return;
  std::vector<store::json::value> children;
  if (const auto owned = watched.children->by_owner.find(set.uid);
      owned != watched.children->by_owner.end())
    for (const store::ObjectName& name : owned->second)
      if (const store::Object* child = watched.children->informer->Find(name))
        if (auto read = store::ParseJson(child->text())) children.push_back(std::move(*read));
  SimulatedSetPlan plan = watched.simulate(*tree, children);
  const store::Resource& kind = watched.children->resource;
  const store::ObjectName name = set.key();
  for (const store::json::value& child : plan.create)
    Send(watched, name,
         store::Create{
             .resource = kind, .namespace_ = name.namespace_, .object = store::PrintJson(child)});
  for (const std::string& child : plan.remove)
    Send(watched, name,
         store::Delete{.resource = kind, .namespace_ = name.namespace_, .name = child});
  for (const auto& [child, replicas] : plan.scale)
    Send(watched, name,
         store::Patch{.resource = kind,
                      .namespace_ = name.namespace_,
                      .name = child,
                      .body = store::PrintJson(store::json::object{
                          {"spec", store::json::object{{"replicas", replicas}}}})});
  if (plan.status) WriteStatus(watched, set, std::move(*plan.status));
}

void SimulatedControllers::LookAtPod(Watched& pods, const store::Object& pod) {
  const auto tree = store::ParseJson(pod.text());
  if (!tree) return;
  const base::Time now = executor_.Now();
  SimulatedPodStep step = SimulatePod(*tree, settings_, now);
  const store::ObjectName name = pod.key();
  if (step.look_again) LookLater(pods, name, *step.look_again - now);
  if (step.gets_node)
    return Send(
        pods, name,
        store::Patch{.resource = pods.resource,
                     .namespace_ = name.namespace_,
                     .name = name.name,
                     .body = store::PrintJson(store::json::object{
                         {"metadata", store::json::object{{"uid", pod.uid}}},
                         {"spec", store::json::object{
                                      {"nodeName", store::BoostView(kSimulatedNodeName)}}}})});
  if (step.is_over)
    return Send(pods, name,
                store::Delete{.resource = pods.resource,
                              .namespace_ = name.namespace_,
                              .name = name.name,
                              .options = {.uid = pod.uid, .grace_period_seconds = 0}});
  if (step.status) WriteStatus(pods, pod, std::move(*step.status));
}

void SimulatedControllers::WriteStatus(Watched& watched, const store::Object& object,
                                       store::json::object status) {
  const auto tree = store::ParseJson(object.text());
  if (!tree) return;
  store::json::object after = tree->as_object();
  after["status"] = std::move(status);
  store::json::object patch = jobs::MergePatchBetween(*tree, after).as_object();
  patch["metadata"] = store::json::object{{"resourceVersion", object.resource_version}};
  Send(watched, object.key(),
       store::Patch{.resource = watched.resource,
                    .namespace_ = object.namespace_,
                    .name = object.name,
                    .subresource = std::string(store::kStatusSubresource),
                    .body = store::PrintJson(patch)});
}

void SimulatedControllers::Send(Watched& watched, const store::ObjectName& name, store::Call call) {
  ++watched.busy[name];
  store_.Do(std::move(call), executor_,
            [weak = std::weak_ptr(self_), &watched, name](store::Outcome<store::Reply> reply) {
              const auto self = weak.lock();
              if (!self) return;
              if (--watched.busy[name] == 0) watched.busy.erase(name);
              // Otherwise the watch tells, or has told, what is true now.
              const bool is_refused = !reply && !reply.error().IsConflict() &&
                                      !reply.error().IsNotFound() &&
                                      !reply.error().IsAlreadyExists();
              if (is_refused) (*self)->LookLater(watched, name, kPauseAfterRefusal);
              if (!watched.busy.contains(name) && watched.missed.erase(name) > 0)
                (*self)->Look(watched, name);
            });
}

}  // namespace berth::control
