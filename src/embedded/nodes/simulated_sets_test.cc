#include "embedded/nodes/simulated_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/nodes/simulated_children.h"
#include "jobs/testing/objects.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A set and its pods, to which simulation steps are applied.
class SimulatedSet {
 public:
  using Simulate = SimulatedSetPlan (*)(const json::value&, std::span<const json::value>);

  SimulatedSet(Simulate simulate, std::string_view yaml)
      : simulate_(simulate), set_(jobs::testing::Yaml(yaml)) {}

  void RunUntilStable() {
    for (int i = 0; i < 20; ++i) {
      const SimulatedSetPlan plan = simulate_(set_, children);
      for (const std::string& name : plan.remove)
        std::erase_if(children, [&](const auto& c) { return Name(c) == name; });
      for (const auto& child : plan.create) children.push_back(child);
      for (const auto& [name, replicas] : plan.scale)
        for (auto& child : children)
          if (Name(child) == name) child.as_object()["spec"].as_object()["replicas"] = replicas;
      if (plan.status) set_.as_object()["status"] = *plan.status;
      if (makes_ready)
        for (auto& child : children) MakeReady(child);
    }
  }
  void Scale(int replicas) { set_.as_object()["spec"].as_object()["replicas"] = replicas; }
  std::string Status(const std::string& field) const {
    return json::TextAt(set_, "status." + field);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& child : children) names.push_back(Name(child));
    std::ranges::sort(names);
    return names;
  }

  std::vector<json::value> children;
  bool makes_ready = true;

 private:
  static std::string Name(const json::value& object) {
    return json::TextAt(object, "metadata.name");
  }
  static void MakeReady(json::value& pod) {
    pod.as_object()["status"] = {
        {"phase", "Running"}, {"conditions", json::array{{{"type", "Ready"}, {"status", "True"}}}}};
  }

  Simulate simulate_;
  json::value set_;
};

constexpr std::string_view kReplicaSet =
    "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, namespace: ns, uid: u, "
    "generation: 1}, spec: {replicas: 3, template: {metadata: {labels: {app: web}}, spec: "
    "{containers: [{name: c}]}}}}";

TEST(SimulatedReplicaSet, CreatesItsReplicas) {
  SimulatedSet set(&SimulateReplicaSet, kReplicaSet);
  set.RunUntilStable();
  ASSERT_THAT(set.children, SizeIs(3));
  EXPECT_EQ(json::TextAt(set.children[0], "metadata.ownerReferences[0].uid"), "u");
  EXPECT_EQ(json::TextAt(set.children[0], "metadata.labels.app"), "web");
  EXPECT_EQ(set.Status("readyReplicas"), "3");
  set.Scale(1);
  set.RunUntilStable();
  EXPECT_THAT(set.children, SizeIs(1));
  EXPECT_EQ(set.Status("replicas"), "1");
}

TEST(SimulatedReplicaSet, GivesPodsTheSameNamesWhenRetried) {
  const auto set = jobs::testing::Yaml(kReplicaSet);
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& pod : SimulateReplicaSet(set, {}).create)
      all.push_back(json::TextAt(pod, "metadata.name"));
    return all;
  };
  EXPECT_THAT(names(), SizeIs(3));
  EXPECT_EQ(names(), names());
}

TEST(SimulatedSets, CreatePodsInBatchesUpToALimit) {
  const auto creates = [](SimulatedSet::Simulate simulate, std::string_view yaml) {
    return simulate(jobs::testing::Yaml(yaml), {}).create.size();
  };
  EXPECT_EQ(
      creates(&SimulateReplicaSet, "{metadata: {name: r, uid: u}, spec: {replicas: 2147483647}}"),
      kMostPodsPerStep);
  EXPECT_EQ(creates(&SimulateStatefulSet,
                    "{metadata: {name: s, uid: u}, spec: {replicas: "
                    "2147483647, podManagementPolicy: Parallel}}"),
            kMostPodsPerStep);
  EXPECT_EQ(creates(&SimulateLeaderWorkerSet,
                    "{metadata: {name: l, uid: u}, spec: {replicas: 2147483647, "
                    "leaderWorkerTemplate: {size: 2147483647}}}"),
            kMostPodsPerStep);
  const json::value set =
      jobs::testing::Yaml("{metadata: {name: r, uid: u}, spec: {replicas: 2147483647}}");
  std::vector<json::value> pods;
  for (int32_t i = 0; i < kMostPodsOfSet; ++i)
    pods.push_back(json::object{{"metadata", json::object{{"name", "p" + std::to_string(i)}}}});
  EXPECT_THAT(SimulateReplicaSet(set, pods).create, IsEmpty());
}

TEST(SimulatedReplicaSet, ReplacesFinishedPods) {
  SimulatedSet set(&SimulateReplicaSet, kReplicaSet);
  set.RunUntilStable();
  set.children[0].as_object()["status"].as_object()["phase"] = "Failed";
  set.makes_ready = false;
  set.RunUntilStable();
  EXPECT_THAT(set.children, SizeIs(3));
  EXPECT_EQ(set.Status("readyReplicas"), "2");
}

TEST(SimulatedDeployment, HasAReplicaSetOfItsTemplate) {
  SimulatedSet set(&SimulateDeployment,
                   "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ns, "
                   "uid: u}, spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: "
                   "{metadata: {labels: {app: web}}, spec: {}}}}");
  set.makes_ready = false;
  set.RunUntilStable();
  ASSERT_THAT(set.children, SizeIs(1));
  const auto& made = set.children[0];
  EXPECT_EQ(json::TextAt(made, "spec.replicas"), "3");
  EXPECT_EQ(json::TextAt(made, "spec.selector.matchLabels.app"), "web");
  EXPECT_EQ(json::TextAt(made, "spec.selector.matchLabels[pod-template-hash]"),
            json::TextAt(made, "spec.template.metadata.labels[pod-template-hash]"));
  set.Scale(1);
  set.RunUntilStable();
  EXPECT_EQ(json::TextAt(set.children[0], "spec.replicas"), "1");
}

std::string NumberedSet(std::string_view policy) {
  return "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: ns, uid: u}, "
         "spec: {replicas: 3, podManagementPolicy: " +
         std::string(policy) + ", template: {spec: {}}}}";
}

TEST(SimulatedStatefulSet, CreatesPodsInOrder) {
  SimulatedSet set(&SimulateStatefulSet, NumberedSet("OrderedReady"));
  set.makes_ready = false;
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), ElementsAre("db-0"));
  set.makes_ready = true;
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), ElementsAre("db-0", "db-1", "db-2"));
  EXPECT_EQ(set.Status("readyReplicas"), "3");
  set.Scale(0);
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), IsEmpty());
  EXPECT_EQ(set.Status("replicas"), "0");
}

TEST(SimulatedStatefulSet, CreatesPodsInParallelWithThatPolicy) {
  SimulatedSet set(&SimulateStatefulSet, NumberedSet("Parallel"));
  set.makes_ready = false;
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), ElementsAre("db-0", "db-1", "db-2"));
}

TEST(SimulatedLeaderWorkerSet, HasALeaderAndItsWorkersForEachReplica) {
  SimulatedSet set(
      &SimulateLeaderWorkerSet,
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: "
      "{name: model, namespace: ns, uid: u}, spec: {replicas: 2, leaderWorkerTemplate: "
      "{size: 2, workerTemplate: {spec: {}}}}}");
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), ElementsAre("model-0", "model-0-1", "model-1", "model-1-1"));
  EXPECT_EQ(set.Status("readyReplicas"), "2");
  set.Scale(1);
  set.RunUntilStable();
  EXPECT_THAT(set.Names(), ElementsAre("model-0", "model-0-1"));
}

}  // namespace
}  // namespace berth::embedded
