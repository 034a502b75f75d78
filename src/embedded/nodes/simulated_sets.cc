#include "embedded/nodes/simulated_sets.h"

#include <algorithm>
#include <set>
#include <utility>

#include "embedded/nodes/simulated_children.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

constexpr std::string_view kRevision = "controller-revision-hash";
constexpr std::string_view kTemplateHash = "pod-template-hash";
constexpr std::string_view kLeaderWorkerPrefix = "leaderworkerset.sigs.k8s.io/";

int32_t ReplicasOf(const json::value& set) {
  return std::max(json::IntAt(set, "spec.replicas").value_or(1), 0);
}
std::string LabelIn(const json::value& object, std::string_view key) {
  return json::TextAt(object, "metadata.labels[" + std::string(key) + "]");
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
  const int32_t wanted = std::min(ReplicasOf(set), kMostPodsOfSet);
  const PodCounts counts = CountPods(pods);
  std::set<std::string> taken = NamesOf(pods);
  std::vector<const json::value*> alive;
  for (const json::value& pod : pods) {
    if (IsTerminating(pod)) continue;
    if (IsFinishedPod(pod))
      plan.remove.push_back(NameIn(pod));
    else
      alive.push_back(&pod);
  }
  // Unready pods are removed first.
  std::ranges::stable_sort(alive, {}, [](const json::value* pod) { return !IsReadyPod(*pod); });
  for (int32_t i = wanted; i < counts.all; ++i)
    plan.remove.push_back(NameIn(*alive[static_cast<size_t>(i)]));
  // Names are deterministic, so that a pod is never created twice.
  for (int32_t missing = wanted - counts.all, place = 0;
       missing > 0 && plan.create.size() < kMostPodsPerStep; ++place) {
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
      : set_(set),
        pods_(pods),
        by_name_(ByName(pods)),
        pod_template_(json::FindAt(set, "spec.template")) {
    revision_ =
        NameIn(set) + "-" + ShortHash(pod_template_ == nullptr ? "" : json::Print(*pod_template_));
  }

  SimulatedSetPlan Run() {
    const int32_t wanted = std::min(ReplicasOf(set_), kMostPodsOfSet);
    RemoveObsolete(wanted);
    const bool is_parallel = json::TextAt(set_, "spec.podManagementPolicy") == "Parallel";
    for (int32_t i = 0; i < wanted && plan_.create.size() < kMostPodsPerStep; ++i) {
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
    const auto found = by_name_.find(NameAt(ordinal));
    return found == by_name_.end() ? nullptr : found->second;
  }

  // Removes pods beyond the replicas, finished ones, and those of another template.
  void RemoveObsolete(int32_t wanted) {
    std::set<std::string> names;
    for (int32_t i = 0; i < wanted; ++i) names.insert(NameAt(i));
    for (const json::value& pod : pods_)
      if (!IsTerminating(pod) && (!names.contains(NameIn(pod)) || IsFinishedPod(pod) ||
                                  LabelIn(pod, kRevision) != revision_))
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
  const ChildrenByName by_name_;
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
        by_name_(ByName(pods)),
        size_(std::clamp(json::IntAt(set, "spec.leaderWorkerTemplate.size").value_or(1), 1,
                         kMostPodsOfSet)) {}

  SimulatedSetPlan Run() {
    std::set<std::string> names;
    int32_t ready = 0;
    const int32_t groups = std::min(ReplicasOf(set_), kMostPodsOfSet / size_);
    for (int32_t group = 0; group < groups; ++group) {
      bool is_ready = true;
      for (int32_t worker = 0; worker < size_; ++worker) {
        const std::string name = NameAt(group, worker);
        names.insert(name);
        const auto pod = by_name_.find(name);
        if (pod == by_name_.end()) Create(group, worker);
        is_ready &= pod != by_name_.end() && IsReadyPod(*pod->second);
      }
      if (is_ready) ++ready;
    }
    for (const json::value& pod : pods_)
      if (!IsTerminating(pod) && (!names.contains(NameIn(pod)) || IsFinishedPod(pod)))
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
    if (plan_.create.size() == kMostPodsPerStep) return;
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
  const ChildrenByName by_name_;
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
