#include "embedded/nodes/node_lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::embedded {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// A node that was registered, with this status of the condition Ready.
api::Node Registered(std::string_view ready) {
  api::Node node;
  node.metadata.name = "a";
  api::Node wanted = *SimulateNode(node, kNow);
  wanted.status.conditions[0].status = ready;
  return wanted;
}

std::vector<std::string> TaintsOf(const api::Node& node) {
  std::vector<std::string> texts;
  for (const api::Taint& taint : node.spec.taints) texts.push_back(taint.key + ":" + taint.effect);
  return texts;
}

// Of a pod that started a minute ago.
std::optional<base::Duration> StaysFor(const api::PodSpec& spec, const api::Node& node) {
  api::Pod pod;
  pod.spec = spec;
  pod.status.start_time = kNow - base::Duration::Seconds(60);
  const auto leaves = LeavesAt(pod, node, SimulationSettings(), kNow);
  return leaves ? std::optional(*leaves - kNow) : std::nullopt;
}

api::PodSpec Tolerating(std::string_view key, std::optional<int64_t> seconds) {
  api::PodSpec pod;
  api::Toleration& toleration = pod.tolerations.emplace_back();
  toleration.key = key;
  toleration.op = api::kTolerationExists;
  toleration.toleration_seconds = seconds;
  return pod;
}

TEST(SimulatedNodeLifecycle, ANodeWithoutStatusBecomesReady) {
  const api::Node node = Registered("True");
  EXPECT_TRUE(IsReady(node));
  EXPECT_EQ(node.metadata.labels.ValueOrEmpty("kubernetes.io/hostname"), "a");
  EXPECT_EQ(node.status.allocatable.Find("cpu")->ToString(), "8");
  EXPECT_EQ(SimulateNode(node, kNow), std::nullopt);
}

TEST(SimulatedNodeLifecycle, ANodeWithResourcesBecomesReadyWithThem) {
  api::Node node;
  node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(2));
  const api::Node wanted = *SimulateNode(node, kNow);
  EXPECT_TRUE(IsReady(wanted));
  EXPECT_EQ(wanted.status.allocatable.Find("cpu")->ToString(), "2");
  EXPECT_EQ(wanted.status.allocatable.Find("pods")->ToString(), "110");
  EXPECT_FALSE(wanted.status.allocatable.Contains("memory"));
}

TEST(SimulatedNodeLifecycle, ANodeKeepsTheStatusThatItWasRegisteredWith) {
  api::Node node = Registered("True");
  node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(96));
  EXPECT_EQ(SimulateNode(node, kNow), std::nullopt);
}

TEST(SimulatedNodeLifecycle, AFailedNodeIsTaintedUntilItIsReadyAgain) {
  api::Node failed = *SimulateNode(Registered("False"), kNow);
  EXPECT_THAT(TaintsOf(failed), ::testing::ElementsAre("node.kubernetes.io/not-ready:NoSchedule",
                                                       "node.kubernetes.io/not-ready:NoExecute"));
  failed.status.conditions[0].status = "Unknown";
  api::Node lost = *SimulateNode(failed, kNow);
  EXPECT_THAT(TaintsOf(lost), ::testing::ElementsAre("node.kubernetes.io/unreachable:NoSchedule",
                                                     "node.kubernetes.io/unreachable:NoExecute"));
  lost.status.conditions[0].status = "True";
  EXPECT_THAT(SimulateNode(lost, kNow)->spec.taints, IsEmpty());
}

TEST(SimulatedNodeLifecycle, PodsLeaveAFailedNodeSoon) {
  const api::Node failed = *SimulateNode(Registered("False"), kNow);
  EXPECT_EQ(StaysFor({}, failed), SimulationSettings().eviction_delay);
  EXPECT_EQ(StaysFor(Tolerating("node.kubernetes.io/not-ready", 300), failed),
            base::Duration::Seconds(300));
  EXPECT_EQ(StaysFor(Tolerating("node.kubernetes.io/not-ready", std::nullopt), failed),
            std::nullopt);
}

TEST(SimulatedNodeLifecycle, PodsThatDoNotTolerateATaintLeaveAtOnce) {
  api::Node node = Registered("True");
  EXPECT_EQ(StaysFor({}, node), std::nullopt);
  node.spec.taints.push_back({.key = "repair", .value = "", .effect = "NoExecute"});
  node = *SimulateNode(node, kNow);
  EXPECT_EQ(StaysFor({}, node), base::Duration{});
  EXPECT_EQ(StaysFor(Tolerating("repair", 60), node), base::Duration::Seconds(60));
  node.spec.taints[0].effect = "NoSchedule";
  EXPECT_EQ(StaysFor({}, node), std::nullopt);
}

TEST(SimulatedNodeLifecycle, ATolerationCountsFromTheStartOfAPodOnANodeTaintedBefore) {
  api::Node node = Registered("True");
  node.spec.taints.push_back({.key = "repair", .value = "", .effect = "NoExecute"});
  node.spec.taints[0].time_added = kNow - base::Duration::Seconds(3600);
  api::Pod pod;
  pod.spec = Tolerating("repair", 60);
  const SimulationSettings settings;
  EXPECT_EQ(LeavesAt(pod, node, settings, kNow), kNow + base::Duration::Seconds(60));
  pod.status.start_time = kNow - base::Duration::Seconds(10);
  EXPECT_EQ(LeavesAt(pod, node, settings, kNow), kNow + base::Duration::Seconds(50));
}

}  // namespace
}  // namespace berth::embedded
