#include "embedded/nodes/node_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::embedded {
namespace {

using ::testing::HasSubstr;

struct NodeText {
  std::string name;
  std::string cpu = "4";
  std::string label = "";  // the value of "disk"
  std::string taint = "";  // its key
  std::string ready = "True";
  bool is_cordoned = false;
};

api::Node Machine(const NodeText& text) {
  api::Node node;
  node.metadata.name = text.name;
  node.metadata.labels.Set("kubernetes.io/hostname", text.name);
  if (!text.label.empty()) node.metadata.labels.Set("disk", text.label);
  if (!text.taint.empty())
    node.spec.taints.push_back({.key = text.taint, .value = "", .effect = "NoSchedule"});
  node.spec.unschedulable = text.is_cordoned;
  node.status.allocatable.Set("cpu", *quantity::Quantity::Parse(text.cpu));
  node.status.allocatable.Set("pods", quantity::Quantity::FromInt(110));
  api::CoreCondition& condition = node.status.conditions.emplace_back();
  condition.type = "Ready";
  condition.status = text.ready;
  return node;
}

api::Pod PodOf(std::string_view cpu, const std::string& node = "") {
  api::Pod pod;
  pod.spec.node_name = node;
  api::Container& container = pod.spec.containers.emplace_back();
  container.resources.requests.Set("cpu", *quantity::Quantity::Parse(cpu));
  return pod;
}

NodeRoom RoomOf(const std::vector<NodeText>& nodes) {
  NodeRoom room;
  for (const NodeText& node : nodes) room.Set(Machine(node));
  return room;
}

TEST(NodeRoom, APodGoesWhereItsRequestsFit) {
  NodeRoom room = RoomOf({{.name = "a", .cpu = "2"}, {.name = "b", .cpu = "8"}});
  EXPECT_EQ(room.Choose(PodOf("3").spec).node, "b");
  const NodeChoice none = room.Choose(PodOf("9").spec);
  EXPECT_EQ(none.node, "");
  EXPECT_EQ(none.full, 2u);
  EXPECT_THAT(none.Message(), HasSubstr("none of 2 nodes"));
}

TEST(NodeRoom, BoundPodsTakeRoomUntilTheyEnd) {
  NodeRoom room = RoomOf({{.name = "a"}});
  api::Pod bound = PodOf("3", "a");
  EXPECT_FALSE(room.SetPod("ns/p", bound));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "");
  bound.status.phase = "Succeeded";
  EXPECT_TRUE(room.SetPod("ns/p", bound));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "a");
}

// Its object may change for other reasons meanwhile, and it may be replaced by another one.
TEST(NodeRoom, APodThatIsBeingBoundTakesRoomUntilThatFails) {
  NodeRoom room = RoomOf({{.name = "a"}});
  api::Pod pod = PodOf("3");
  pod.metadata.uid = "u";
  room.Assume("ns/p", pod, "a");
  EXPECT_FALSE(room.SetPod("ns/p", pod));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "");
  EXPECT_TRUE(room.Forget("ns/p"));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "a");

  room.Assume("ns/p", pod, "a");
  pod.metadata.uid = "v";
  EXPECT_TRUE(room.SetPod("ns/p", pod));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "a");
}

TEST(NodeRoom, ABoundPodIsNotForgotten) {
  NodeRoom room = RoomOf({{.name = "a"}});
  api::Pod pod = PodOf("3");
  pod.metadata.uid = "u";
  room.Assume("ns/p", pod, "a");
  pod.spec.node_name = "a";
  EXPECT_FALSE(room.SetPod("ns/p", pod));
  EXPECT_FALSE(room.Forget("ns/p"));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "");
}

TEST(NodeRoom, ANodeThatReturnsStillHasItsPods) {
  NodeRoom room = RoomOf({{.name = "a"}});
  room.SetPod("ns/p", PodOf("3", "a"));
  room.Remove("a");
  room.Set(Machine({.name = "a"}));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "");
  EXPECT_TRUE(room.RemovePod("ns/p"));
  EXPECT_EQ(room.Choose(PodOf("2").spec).node, "a");
}

TEST(NodeRoom, SelectorsAndTaintsCount) {
  NodeRoom room = RoomOf({{.name = "a", .taint = "gpu"}, {.name = "b", .label = "ssd"}});
  api::Pod pod = PodOf("1");
  pod.spec.node_selector.Set("disk", "hdd");
  const NodeChoice none = room.Choose(pod.spec);
  EXPECT_EQ(none.node, "");
  EXPECT_EQ(none.tainted, 1u);
  EXPECT_EQ(none.unmatched, 1u);
  pod.spec.node_selector.Set("disk", "ssd");
  EXPECT_EQ(room.Choose(pod.spec).node, "b");
  api::Pod tolerant = PodOf("4");
  tolerant.spec.node_selector.Set("kubernetes.io/hostname", "a");
  EXPECT_EQ(room.Choose(tolerant.spec).node, "");
  tolerant.spec.tolerations.emplace_back().op = api::kTolerationExists;
  EXPECT_EQ(room.Choose(tolerant.spec).node, "a");
}

TEST(NodeRoom, NodesThatAreNotReadyOrCordonedTakeNoPods) {
  NodeRoom room = RoomOf({{.name = "a", .ready = "False"},
                          {.name = "b", .ready = "Unknown"},
                          {.name = "c", .is_cordoned = true}});
  EXPECT_EQ(room.Choose(PodOf("1").spec).unavailable, 3u);
}

TEST(NodeRoom, PodsSpread) {
  NodeRoom room = RoomOf({{.name = "a"}, {.name = "b"}, {.name = "c"}});
  std::string nodes;
  for (int i = 0; i < 4; ++i) nodes += room.Choose(PodOf("1").spec).node;
  EXPECT_EQ(nodes, "abca");
}

}  // namespace
}  // namespace berth::embedded
