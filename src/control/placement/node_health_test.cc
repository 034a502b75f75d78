#include "control/placement/node_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

api::Node ReadyNode(const std::string& name, const std::string& host = "") {
  api::Node node;
  node.metadata.name = name;
  if (!host.empty()) node.metadata.labels.Set(api::kHostnameLabel, host);
  node.status.conditions.push_back({.type = "Ready", .status = "True"});
  return node;
}

TEST(NodeHealth, AHeartbeatChangesNothing) {
  NodeHealthCache nodes;
  api::Node node = ReadyNode("n1");
  EXPECT_THAT(nodes.Upsert(node), ElementsAre("n1"));
  node.metadata.resource_version = "2";
  node.status.allocatable.Set("cpu", quantity::Quantity::Parse("1").value());
  node.spec.taints.push_back({.key = "busy", .effect = std::string(api::kPreferNoSchedule)});
  EXPECT_THAT(nodes.Upsert(node), IsEmpty());
}

TEST(NodeHealth, ReadinessAndTaintsThatKeepPodsOffChangeIt) {
  NodeHealthCache nodes;
  api::Node node = ReadyNode("n1");
  nodes.Upsert(node);
  EXPECT_EQ(nodes.Find("n1")->readiness, NodeHealth::Readiness::kReady);
  EXPECT_THAT(nodes.Find("n1")->taints, IsEmpty());
  node.spec.taints.push_back({.key = "bad", .effect = std::string(api::kNoExecute)});
  EXPECT_THAT(nodes.Upsert(node), ElementsAre("n1"));
  EXPECT_EQ(nodes.Find("n1")->taints.size(), 1u);
  node.spec.taints.clear();
  node.status.conditions[0].status = "Unknown";
  EXPECT_THAT(nodes.Upsert(node), ElementsAre("n1"));
  EXPECT_EQ(nodes.Find("n1")->readiness, NodeHealth::Readiness::kNotReady);
  node.status.conditions.clear();
  EXPECT_THAT(nodes.Upsert(node), ElementsAre("n1"));
  EXPECT_EQ(nodes.Find("n1")->readiness, NodeHealth::Readiness::kUnreported);
}

TEST(NodeHealth, IsFoundByHostName) {
  NodeHealthCache nodes;
  nodes.Upsert(ReadyNode("n1", "host-1"));
  EXPECT_EQ(nodes.Find("n1"), nullptr);
  EXPECT_EQ(nodes.Find("host-1")->name, "n1");
  EXPECT_THAT(nodes.Upsert(ReadyNode("n1", "host-2")), UnorderedElementsAre("host-1", "host-2"));
  EXPECT_EQ(nodes.Find("host-1"), nullptr);
  EXPECT_THAT(nodes.Erase("n1"), ElementsAre("host-2"));
  EXPECT_EQ(nodes.Find("host-2"), nullptr);
  EXPECT_THAT(nodes.Erase("n1"), IsEmpty());
}

TEST(NodeHealth, IsThatOfTheFirstNodeWithItsHostName) {
  NodeHealthCache nodes;
  nodes.Upsert(ReadyNode("b", "host"));
  nodes.Upsert(ReadyNode("a", "host"));
  EXPECT_EQ(nodes.Find("host")->name, "a");
  nodes.Erase("a");
  EXPECT_EQ(nodes.Find("host")->name, "b");
}

}  // namespace
}  // namespace berth::control
