#include "control/simulated_sets.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/pod.h"
#include "jobs/path.h"

namespace berth::control {
namespace {

using SetChildren = std::span<const store::json::value>;

constexpr std::string_view kRevision = "controller-revision-hash";
constexpr std::string_view kTemplateHash = "pod-template-hash";
constexpr std::string_view kLeaderWorkerPrefix = "leaderworkerset.sigs.k8s.io/";

// Ten characters that are the same for the same text, of letters and digits that spell no words.
std::string ShortHash(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string name;
  for (int i = 0; i < 10; ++i, hash /= kLetters.size()) name += kLetters[hash % kLetters.size()];
  return name;
}

std::string NameIn(const store::json::value& object) {
  return jobs::TextAt(object, "metadata.name");
}
bool IsOnItsWayOut(const store::json::value& object) {
  return jobs::FindAt(object, "metadata.deletionTimestamp") != nullptr;
}
int32_t ReplicasOf(const store::json::value& set) {
  return std::max(jobs::IntAt(set, "spec.replicas").value_or(1), 0);
}
std::string LabelIn(const store::json::value& object, std::string_view key) {
  return jobs::TextAt(object, "metadata.labels[" + std::string(key) + "]");
}

bool IsOver(const store::json::value& pod) {
  const std::string phase = jobs::TextAt(pod, "status.phase");
  return phase == api::kPodSucceeded || phase == api::kPodFailed;
}

bool IsReadyPod(const store::json::value& pod) {
  const store::json::value* conditions = jobs::FindAt(pod, "status.conditions");
  if (IsOnItsWayOut(pod) || IsOver(pod) || conditions == nullptr || !conditions->is_array())
    return false;
  return std::ranges::any_of(conditions->get_array(), [](const store::json::value& condition) {
    return store::JsonStringAt(condition, {"type"}) == "Ready" &&
           store::JsonStringAt(condition, {"status"}) == "True";
  });
}

void SetMark(store::json::value& object, std::string_view map, std::string_view key,
             std::string_view text) {
  if (store::json::value* at =
          jobs::MakeAt(object, "metadata." + std::string(map) + "[" + std::string(key) + "]"))
    *at = store::BoostView(text);
}

// An object that the set controls, with labels, annotations and spec of the template.
store::json::value ChildOf(const store::json::value& set, std::string_view name,
                           const store::json::value* pod_template) {
  store::json::value child = store::json::object{{"metadata", store::json::object{}}};
  store::json::object& metadata = child.as_object()["metadata"].as_object();
  for (const std::string_view part : {"labels", "annotations"})
    if (pod_template != nullptr)
      if (const store::json::value* found = store::FindJson(*pod_template, {"metadata", part}))
        metadata[store::BoostView(part)] = *found;
  if (pod_template != nullptr)
    if (const store::json::value* spec = store::FindJson(*pod_template, {"spec"}))
      child.as_object()["spec"] = *spec;
  metadata["name"] = store::BoostView(name);
  metadata["namespace"] = jobs::TextAt(set, "metadata.namespace");
  metadata["ownerReferences"] = store::json::array{{{"apiVersion", jobs::TextAt(set, "apiVersion")},
                                                    {"kind", jobs::TextAt(set, "kind")},
                                                    {"name", NameIn(set)},
                                                    {"uid", jobs::TextAt(set, "metadata.uid")},
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
  for (const store::json::value& pod : pods) {
    if (IsOnItsWayOut(pod) || IsOver(pod)) continue;
    ++counts.all;
    if (IsReadyPod(pod)) ++counts.ready;
  }
  return counts;
}

// The status with these numbers, where there are others now.
void SetStatus(const store::json::value& set, store::json::object numbers, SimulatedSetPlan& plan) {
  const store::json::value* known = store::FindJson(set, {"status"});
  store::json::object status =
      known != nullptr && known->is_object() ? known->get_object() : store::json::object();
  const store::json::object before = status;
  numbers["observedGeneration"] = jobs::IntAt(set, "metadata.generation").value_or(0);
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
  for (const store::json::value& child : children) names.insert(NameIn(child));
  return names;
}

}  // namespace

// --- Deployments ---------------------------------------------------------------------------------

SimulatedSetPlan SimulateDeployment(const store::json::value& deployment,
                                    SetChildren replica_sets) {
  SimulatedSetPlan plan;
  const store::json::value* pods = jobs::FindAt(deployment, "spec.template");
  const std::string hash = ShortHash(pods == nullptr ? "" : store::PrintJson(*pods));
  const std::string current = NameIn(deployment) + "-" + hash;
  const int32_t wanted = ReplicasOf(deployment);
  int32_t all = 0, ready = 0, updated = 0;
  bool has_current = false;
  for (const store::json::value& set : replica_sets) {
    const bool is_current = NameIn(set) == current;
    has_current |= is_current;
    const int32_t replicas = is_current ? wanted : 0;
    if (!IsOnItsWayOut(set) && ReplicasOf(set) != replicas)
      plan.scale.emplace_back(NameIn(set), replicas);
    all += jobs::IntAt(set, "status.replicas").value_or(0);
    ready += jobs::IntAt(set, "status.readyReplicas").value_or(0);
    if (is_current) updated = jobs::IntAt(set, "status.replicas").value_or(0);
  }
  if (!has_current && pods != nullptr) {
    store::json::value set = ChildOf(deployment, current, nullptr);
    store::json::value pod_template = *pods;
    SetMark(pod_template, "labels", kTemplateHash, hash);
    if (const store::json::value* labels = jobs::FindAt(pod_template, "metadata.labels"))
      set.as_object()["metadata"].as_object()["labels"] = *labels;
    store::json::value selector = store::json::object();
    if (const store::json::value* given = jobs::FindAt(deployment, "spec.selector"))
      selector = *given;
    if (store::json::value* at =
            jobs::MakeAt(selector, "matchLabels[" + std::string(kTemplateHash) + "]"))
      *at = store::BoostView(hash);
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

SimulatedSetPlan SimulateReplicaSet(const store::json::value& set, SetChildren pods) {
  SimulatedSetPlan plan;
  const int32_t wanted = ReplicasOf(set);
  const PodCounts counts = CountPods(pods);
  std::set<std::string> taken = NamesOf(pods);
  std::vector<const store::json::value*> alive;
  for (const store::json::value& pod : pods) {
    if (IsOnItsWayOut(pod)) continue;
    if (IsOver(pod))
      plan.remove.push_back(NameIn(pod));
    else
      alive.push_back(&pod);
  }
  // Those that are of no use yet go first.
  std::ranges::stable_sort(alive, {},
                           [](const store::json::value* pod) { return !IsReadyPod(*pod); });
  for (int32_t i = wanted; i < counts.all; ++i)
    plan.remove.push_back(NameIn(*alive[static_cast<size_t>(i)]));
  // A name for each place, so that the same pod is never made twice.
  for (int32_t missing = wanted - counts.all, place = 0; missing > 0; ++place) {
    const std::string name =
        NameIn(set) + "-" +
        ShortHash(jobs::TextAt(set, "metadata.uid") + std::to_string(place)).substr(0, 5);
    if (!taken.insert(name).second) continue;
    store::json::value pod = ChildOf(set, name, jobs::FindAt(set, "spec.template"));
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
  StatefulSetSimulation(const store::json::value& set, SetChildren pods)
      : set_(set), pods_(pods), pod_template_(jobs::FindAt(set, "spec.template")) {
    revision_ = NameIn(set) + "-" +
                ShortHash(pod_template_ == nullptr ? "" : store::PrintJson(*pod_template_));
  }

  SimulatedSetPlan Run() {
    const int32_t wanted = ReplicasOf(set_);
    RemoveOthers(wanted);
    const bool is_parallel = jobs::TextAt(set_, "spec.podManagementPolicy") == "Parallel";
    for (int32_t i = 0; i < wanted; ++i) {
      const store::json::value* pod = Find(i);
      if (pod == nullptr) Create(i);
      // The next waits until this one is ready.
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

  const store::json::value* Find(int32_t ordinal) const {
    const auto found = std::ranges::find(pods_, NameAt(ordinal), &NameIn);
    return found == pods_.end() ? nullptr : &*found;
  }

  // Beyond the number, ended, or of another template.
  void RemoveOthers(int32_t wanted) {
    std::set<std::string> places;
    for (int32_t i = 0; i < wanted; ++i) places.insert(NameAt(i));
    for (const store::json::value& pod : pods_)
      if (!IsOnItsWayOut(pod) &&
          (!places.contains(NameIn(pod)) || IsOver(pod) || LabelIn(pod, kRevision) != revision_))
        plan_.remove.push_back(NameIn(pod));
  }

  void Create(int32_t ordinal) {
    store::json::value pod = ChildOf(set_, NameAt(ordinal), pod_template_);
    SetMark(pod, "labels", kRevision, revision_);
    SetMark(pod, "labels", "apps.kubernetes.io/pod-index", std::to_string(ordinal));
    SetMark(pod, "labels", "statefulset.kubernetes.io/pod-name", NameAt(ordinal));
    plan_.create.push_back(std::move(pod));
  }

  const store::json::value& set_;
  SetChildren pods_;
  const store::json::value* pod_template_;
  std::string revision_;
  SimulatedSetPlan plan_;
};

// --- LeaderWorkerSets ----------------------------------------------------------------------------

class LeaderWorkerSetSimulation {
 public:
  LeaderWorkerSetSimulation(const store::json::value& set, SetChildren pods)
      : set_(set),
        pods_(pods),
        size_(std::max(jobs::IntAt(set, "spec.leaderWorkerTemplate.size").value_or(1), 1)) {}

  SimulatedSetPlan Run() {
    std::set<std::string> places;
    int32_t ready = 0;
    for (int32_t group = 0; group < ReplicasOf(set_); ++group) {
      bool is_ready = true;
      for (int32_t worker = 0; worker < size_; ++worker) {
        places.insert(NameAt(group, worker));
        const auto pod = std::ranges::find(pods_, NameAt(group, worker), &NameIn);
        if (pod == pods_.end()) Create(group, worker);
        is_ready &= pod != pods_.end() && IsReadyPod(*pod);
      }
      if (is_ready) ++ready;
    }
    for (const store::json::value& pod : pods_)
      if (!IsOnItsWayOut(pod) && (!places.contains(NameIn(pod)) || IsOver(pod)))
        plan_.remove.push_back(NameIn(pod));
    SetStatus(set_,
              {{"replicas", ReplicasOf(set_)},
               {"readyReplicas", ready},
               {"updatedReplicas", ReplicasOf(set_)}},
              plan_);
    return std::move(plan_);
  }

 private:
  // The leader has no number of its own.
  std::string NameAt(int32_t group, int32_t worker) const {
    const std::string leader = NameIn(set_) + "-" + std::to_string(group);
    return worker == 0 ? leader : leader + "-" + std::to_string(worker);
  }

  void Create(int32_t group, int32_t worker) {
    const store::json::value* leaders =
        jobs::FindAt(set_, "spec.leaderWorkerTemplate.leaderTemplate");
    const store::json::value* workers =
        jobs::FindAt(set_, "spec.leaderWorkerTemplate.workerTemplate");
    store::json::value pod =
        ChildOf(set_, NameAt(group, worker), worker == 0 && leaders != nullptr ? leaders : workers);
    const auto mark = [&](std::string_view map, std::string_view key, const std::string& text) {
      SetMark(pod, map, std::string(kLeaderWorkerPrefix) + std::string(key), text);
    };
    mark("labels", "name", NameIn(set_));
    mark("labels", "group-index", std::to_string(group));
    mark("labels", "worker-index", std::to_string(worker));
    mark("annotations", "size", std::to_string(size_));
    if (worker > 0) mark("annotations", "leader-name", NameAt(group, 0));
    plan_.create.push_back(std::move(pod));
  }

  const store::json::value& set_;
  SetChildren pods_;
  const int32_t size_;
  SimulatedSetPlan plan_;
};

}  // namespace

SimulatedSetPlan SimulateStatefulSet(const store::json::value& set, SetChildren pods) {
  return StatefulSetSimulation(set, pods).Run();
}

SimulatedSetPlan SimulateLeaderWorkerSet(const store::json::value& set, SetChildren pods) {
  return LeaderWorkerSetSimulation(set, pods).Run();
}

}  // namespace berth::control
