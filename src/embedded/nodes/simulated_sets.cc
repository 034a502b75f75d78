#include "embedded/nodes/simulated_sets.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/core/pod.h"
#include "base/fnv.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using SetChildren = std::span<const json::value>;

constexpr std::string_view kRevision = "controller-revision-hash";
constexpr std::string_view kTemplateHash = "pod-template-hash";
constexpr std::string_view kLeaderWorkerPrefix = "leaderworkerset.sigs.k8s.io/";

// A deterministic hash of ten characters without vowels.
std::string ShortHash(std::string_view text) {
  uint64_t hash = base::Fnv1a(text);
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string name;
  for (int i = 0; i < 10; ++i, hash /= kLetters.size()) name += kLetters[hash % kLetters.size()];
  return name;
}

std::string NameIn(const json::value& object) { return json::TextAt(object, "metadata.name"); }
bool IsTerminating(const json::value& object) {
  return json::FindAt(object, "metadata.deletionTimestamp") != nullptr;
}
int32_t ReplicasOf(const json::value& set) {
  return std::max(json::IntAt(set, "spec.replicas").value_or(1), 0);
}
std::string LabelIn(const json::value& object, std::string_view key) {
  return json::TextAt(object, "metadata.labels[" + std::string(key) + "]");
}

bool IsFinished(const json::value& pod) {
  const std::string phase = json::TextAt(pod, "status.phase");
  return phase == api::kPodSucceeded || phase == api::kPodFailed;
}

bool IsReadyPod(const json::value& pod) {
  const json::value* conditions = json::FindAt(pod, "status.conditions");
  if (IsTerminating(pod) || IsFinished(pod) || conditions == nullptr || !conditions->is_array())
    return false;
  return std::ranges::any_of(conditions->get_array(), [](const json::value& condition) {
    return json::StringAt(condition, {"type"}) == "Ready" &&
           json::StringAt(condition, {"status"}) == "True";
  });
}

void SetMetadata(json::value& object, std::string_view map, std::string_view key,
                 std::string_view text) {
  if (json::value* at =
          json::MakeAt(object, "metadata." + std::string(map) + "[" + std::string(key) + "]"))
    *at = json::BoostView(text);
}

// An object controlled by the set, with labels, annotations and spec of the template.
json::value ChildOf(const json::value& set, std::string_view name,
                    const json::value* pod_template) {
  json::value child = json::object{{"metadata", json::object{}}};
  json::object& metadata = child.as_object()["metadata"].as_object();
  for (const std::string_view part : {"labels", "annotations"})
    if (pod_template != nullptr)
      if (const json::value* found = json::Find(*pod_template, {"metadata", part}))
        metadata[json::BoostView(part)] = *found;
  if (pod_template != nullptr)
    if (const json::value* spec = json::Find(*pod_template, {"spec"}))
      child.as_object()["spec"] = *spec;
  metadata["name"] = json::BoostView(name);
  metadata["namespace"] = json::TextAt(set, "metadata.namespace");
  metadata["ownerReferences"] = json::array{{{"apiVersion", json::TextAt(set, "apiVersion")},
                                             {"kind", json::TextAt(set, "kind")},
                                             {"name", NameIn(set)},
                                             {"uid", json::TextAt(set, "metadata.uid")},
                                             {"controller", true},
                                             {"blockOwnerDeletion", true}}};
  return child;
}

struct PodCounts {
  int32_t all = 0;
  int32_t ready = 0;
};

PodCounts CountPods(SetChildren pods) {
  PodCounts counts;
  for (const json::value& pod : pods) {
    if (IsTerminating(pod) || IsFinished(pod)) continue;
    ++counts.all;
    if (IsReadyPod(pod)) ++counts.ready;
  }
  return counts;
}

// Plans a status update if the numbers changed.
void SetStatus(const json::value& set, json::object numbers, SimulatedSetPlan& plan) {
  const json::value* known = json::Find(set, {"status"});
  json::object status =
      known != nullptr && known->is_object() ? known->get_object() : json::object();
  const json::object before = status;
  numbers["observedGeneration"] = json::IntAt(set, "metadata.generation").value_or(0);
  for (const auto& number : numbers) {
    const bool is_zero = number.value().is_int64() && number.value().get_int64() == 0;
    if (is_zero)
      status.erase(number.key());
    else
      status[number.key()] = number.value();
  }
  if (!status.contains("replicas")) status["replicas"] = 0;
  if (status != before) plan.status = std::move(status);
}

std::set<std::string> NamesOf(SetChildren children) {
  std::set<std::string> names;
  for (const json::value& child : children) names.insert(NameIn(child));
  return names;
}

}  // namespace

// --- Deployments ---------------------------------------------------------------------------------

SimulatedSetPlan SimulateDeployment(const json::value& deployment, SetChildren replica_sets) {
  SimulatedSetPlan plan;
  const json::value* pods = json::FindAt(deployment, "spec.template");
  const std::string hash = ShortHash(pods == nullptr ? "" : json::Print(*pods));
  const std::string current = NameIn(deployment) + "-" + hash;
  const int32_t wanted = ReplicasOf(deployment);
  int32_t all = 0, ready = 0, updated = 0;
  bool has_current = false;
  for (const json::value& set : replica_sets) {
    const bool is_current = NameIn(set) == current;
    has_current |= is_current;
    const int32_t replicas = is_current ? wanted : 0;
    if (!IsTerminating(set) && ReplicasOf(set) != replicas)
      plan.scale.emplace_back(NameIn(set), replicas);
    all += json::IntAt(set, "status.replicas").value_or(0);
    ready += json::IntAt(set, "status.readyReplicas").value_or(0);
    if (is_current) updated = json::IntAt(set, "status.replicas").value_or(0);
  }
  if (!has_current && pods != nullptr) {
    json::value set = ChildOf(deployment, current, nullptr);
    json::value pod_template = *pods;
    SetMetadata(pod_template, "labels", kTemplateHash, hash);
    if (const json::value* labels = json::FindAt(pod_template, "metadata.labels"))
      set.as_object()["metadata"].as_object()["labels"] = *labels;
    json::value selector = json::object();
    if (const json::value* given = json::FindAt(deployment, "spec.selector")) selector = *given;
    if (json::value* at = json::MakeAt(selector, "matchLabels[" + std::string(kTemplateHash) + "]"))
      *at = json::BoostView(hash);
    set.as_object()["spec"] = {
        {"replicas", wanted}, {"selector", selector}, {"template", pod_template}};
    plan.create.push_back(std::move(set));
  }
  SetStatus(deployment,
            {{"replicas", all},
             {"updatedReplicas", updated},
             {"readyReplicas", ready},
             {"availableReplicas", ready},
             {"unavailableReplicas", std::max(wanted - ready, 0)}},
            plan);
  return plan;
}

// --- ReplicaSets ---------------------------------------------------------------------------------

SimulatedSetPlan SimulateReplicaSet(const json::value& set, SetChildren pods) {
  SimulatedSetPlan plan;
  const int32_t wanted = ReplicasOf(set);
  const PodCounts counts = CountPods(pods);
  std::set<std::string> taken = NamesOf(pods);
  std::vector<const json::value*> alive;
  for (const json::value& pod : pods) {
    if (IsTerminating(pod)) continue;
    if (IsFinished(pod))
      plan.remove.push_back(NameIn(pod));
    else
      alive.push_back(&pod);
  }
  // Unready pods are removed first.
  std::ranges::stable_sort(alive, {}, [](const json::value* pod) { return !IsReadyPod(*pod); });
  for (int32_t i = wanted; i < counts.all; ++i)
    plan.remove.push_back(NameIn(*alive[static_cast<size_t>(i)]));
  // Names are deterministic, so that a pod is never created twice.
  for (int32_t missing = wanted - counts.all, place = 0; missing > 0; ++place) {
    const std::string name =
        NameIn(set) + "-" +
        ShortHash(json::TextAt(set, "metadata.uid") + std::to_string(place)).substr(0, 5);
    if (!taken.insert(name).second) continue;
    json::value pod = ChildOf(set, name, json::FindAt(set, "spec.template"));
    plan.create.push_back(std::move(pod));
    --missing;
  }
  SetStatus(set,
            {{"replicas", counts.all},
             {"fullyLabeledReplicas", counts.all},
             {"readyReplicas", counts.ready},
             {"availableReplicas", counts.ready}},
            plan);
  return plan;
}

// --- StatefulSets --------------------------------------------------------------------------------

namespace {

class StatefulSetSimulation {
 public:
  StatefulSetSimulation(const json::value& set, SetChildren pods)
      : set_(set), pods_(pods), pod_template_(json::FindAt(set, "spec.template")) {
    revision_ =
        NameIn(set) + "-" + ShortHash(pod_template_ == nullptr ? "" : json::Print(*pod_template_));
  }

  SimulatedSetPlan Run() {
    const int32_t wanted = ReplicasOf(set_);
    RemoveObsolete(wanted);
    const bool is_parallel = json::TextAt(set_, "spec.podManagementPolicy") == "Parallel";
    for (int32_t i = 0; i < wanted; ++i) {
      const json::value* pod = Find(i);
      if (pod == nullptr) Create(i);
      // OrderedReady: the next pod is created after this one is ready.
      if (!is_parallel && (pod == nullptr || !IsReadyPod(*pod))) break;
    }
    const PodCounts counts = CountPods(pods_);
    SetStatus(set_,
              {{"replicas", counts.all},
               {"readyReplicas", counts.ready},
               {"availableReplicas", counts.ready},
               {"currentReplicas", counts.all},
               {"updatedReplicas", counts.all},
               {"currentRevision", revision_},
               {"updateRevision", revision_}},
              plan_);
    return std::move(plan_);
  }

 private:
  std::string NameAt(int32_t ordinal) const { return NameIn(set_) + "-" + std::to_string(ordinal); }

  const json::value* Find(int32_t ordinal) const {
    const auto found = std::ranges::find(pods_, NameAt(ordinal), &NameIn);
    return found == pods_.end() ? nullptr : &*found;
  }

  // Removes pods beyond the replicas, finished ones, and those of another template.
  void RemoveObsolete(int32_t wanted) {
    std::set<std::string> names;
    for (int32_t i = 0; i < wanted; ++i) names.insert(NameAt(i));
    for (const json::value& pod : pods_)
      if (!IsTerminating(pod) &&
          (!names.contains(NameIn(pod)) || IsFinished(pod) || LabelIn(pod, kRevision) != revision_))
        plan_.remove.push_back(NameIn(pod));
  }

  void Create(int32_t ordinal) {
    json::value pod = ChildOf(set_, NameAt(ordinal), pod_template_);
    SetMetadata(pod, "labels", kRevision, revision_);
    SetMetadata(pod, "labels", "apps.kubernetes.io/pod-index", std::to_string(ordinal));
    SetMetadata(pod, "labels", "statefulset.kubernetes.io/pod-name", NameAt(ordinal));
    plan_.create.push_back(std::move(pod));
  }

  const json::value& set_;
  SetChildren pods_;
  const json::value* pod_template_;
  std::string revision_;
  SimulatedSetPlan plan_;
};

// --- LeaderWorkerSets ----------------------------------------------------------------------------

class LeaderWorkerSetSimulation {
 public:
  LeaderWorkerSetSimulation(const json::value& set, SetChildren pods)
      : set_(set),
        pods_(pods),
        size_(std::max(json::IntAt(set, "spec.leaderWorkerTemplate.size").value_or(1), 1)) {}

  SimulatedSetPlan Run() {
    std::set<std::string> names;
    int32_t ready = 0;
    for (int32_t group = 0; group < ReplicasOf(set_); ++group) {
      bool is_ready = true;
      for (int32_t worker = 0; worker < size_; ++worker) {
        names.insert(NameAt(group, worker));
        const auto pod = std::ranges::find(pods_, NameAt(group, worker), &NameIn);
        if (pod == pods_.end()) Create(group, worker);
        is_ready &= pod != pods_.end() && IsReadyPod(*pod);
      }
      if (is_ready) ++ready;
    }
    for (const json::value& pod : pods_)
      if (!IsTerminating(pod) && (!names.contains(NameIn(pod)) || IsFinished(pod)))
        plan_.remove.push_back(NameIn(pod));
    SetStatus(set_,
              {{"replicas", ReplicasOf(set_)},
               {"readyReplicas", ready},
               {"updatedReplicas", ReplicasOf(set_)}},
              plan_);
    return std::move(plan_);
  }

 private:
  // The leader's name has no worker index.
  std::string NameAt(int32_t group, int32_t worker) const {
    const std::string leader = NameIn(set_) + "-" + std::to_string(group);
    return worker == 0 ? leader : leader + "-" + std::to_string(worker);
  }

  void Create(int32_t group, int32_t worker) {
    const json::value* leaders = json::FindAt(set_, "spec.leaderWorkerTemplate.leaderTemplate");
    const json::value* workers = json::FindAt(set_, "spec.leaderWorkerTemplate.workerTemplate");
    json::value pod =
        ChildOf(set_, NameAt(group, worker), worker == 0 && leaders != nullptr ? leaders : workers);
    const auto mark = [&](std::string_view map, std::string_view key, const std::string& text) {
      SetMetadata(pod, map, std::string(kLeaderWorkerPrefix) + std::string(key), text);
    };
    mark("labels", "name", NameIn(set_));
    mark("labels", "group-index", std::to_string(group));
    mark("labels", "worker-index", std::to_string(worker));
    mark("annotations", "size", std::to_string(size_));
    if (worker > 0) mark("annotations", "leader-name", NameAt(group, 0));
    plan_.create.push_back(std::move(pod));
  }

  const json::value& set_;
  SetChildren pods_;
  const int32_t size_;
  SimulatedSetPlan plan_;
};

}  // namespace

SimulatedSetPlan SimulateStatefulSet(const json::value& set, SetChildren pods) {
  return StatefulSetSimulation(set, pods).Run();
}

SimulatedSetPlan SimulateLeaderWorkerSet(const json::value& set, SetChildren pods) {
  return LeaderWorkerSetSimulation(set, pods).Run();
}

}  // namespace berth::embedded
