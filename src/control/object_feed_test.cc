#include "control/object_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/resource_flavor.h"
#include "control/testing/manual_store.h"

namespace berth::control {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A feed whose requests the test answers, with handlers that note what they see.
class PlacementWatchesTest : public ::testing::Test {
 protected:
  PlacementWatchesTest() {
    feed_.handlers().Add<api::ResourceFlavor>(
        {.on_upsert = [](const auto&, const auto*) {}, .on_delete = [](auto, auto) {}});
    feed_.handlers().Add<api::Node>(
        {.on_upsert = [this](const api::Node& node, const auto*) { nodes_.push_back(node); },
         .on_delete = [](auto, auto) {}});
    feed_.handlers().Add<api::Pod>(
        {.on_upsert = [this](const api::Pod& pod, const auto*) { pods_.push_back(pod); },
         .on_delete = [](auto, auto) {}});
  }

  // Answers the oldest list; it must be of this kind.
  void List(std::string_view kind, std::vector<std::string> objects) {
    ASSERT_THAT(Asked(), ::testing::Not(IsEmpty()));
    ASSERT_EQ(Asked().front(), kind);
    store_.calls.pop_front();
    store::Reply reply;
    reply.resource_version = "1";
    for (std::string& object : objects)
      reply.items.push_back(*store::Object::FromJson(std::move(object)));
    store_.Answer(std::move(reply));
  }
  std::vector<std::string> Asked() const {
    std::vector<std::string> kinds;
    for (const store::Call& call : store_.calls)
      kinds.push_back(std::get<store::List>(call).resource.kind);
    return kinds;
  }

  testing::ManualStore store_;
  testing::ManualExecutor executor_;
  KindWatches watches_{
      store_,
      executor_,
      {.on_synced = [] {}, .log = [this](std::string_view text) { log_.emplace_back(text); }}};
  ObjectFeed feed_{executor_, watches_, {.on_change = [] {}, .log = [](std::string_view) {}}};
  std::vector<api::Node> nodes_;
  std::vector<api::Pod> pods_;
  std::vector<std::string> log_;
};

std::string Flavor(std::string_view topology) {
  const std::string name =
      topology.empty() ? "" : R"(, "topologyName": ")" + std::string(topology) + R"(")";
  return R"({"metadata": {"name": "f", "resourceVersion": "1"}, "spec": {"nodeLabels": {"a": "b"})" +
         name + "}}";
}

TEST_F(PlacementWatchesTest, AreNotStartedWithoutAFlavorThatHasATopology) {
  feed_.Watch(true);
  List("ResourceFlavor", {Flavor("")});
  EXPECT_THAT(Asked(), IsEmpty());
  EXPECT_TRUE(watches_.is_synced());
}

TEST_F(PlacementWatchesTest, AreNotStartedWithoutTheGate) {
  feed_.Watch(false);
  List("ResourceFlavor", {Flavor("racks")});
  EXPECT_THAT(Asked(), IsEmpty());
}

TEST_F(PlacementWatchesTest, StartWithAFlavorThatHasATopologyAndAreWaitedFor) {
  feed_.Watch(true);
  List("ResourceFlavor", {Flavor("racks")});
  ASSERT_THAT(Asked(), ElementsAre("Node", "Pod"));
  EXPECT_EQ(std::get<store::List>(store_.calls[1]).selection.field_selector,
            "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed");
  List("Node", {});
  EXPECT_FALSE(watches_.is_synced());
  List("Pod", {});
  EXPECT_TRUE(watches_.is_synced());
}

TEST_F(PlacementWatchesTest, SayWhatWaitsForAListThatFails) {
  feed_.Watch(true);
  List("ResourceFlavor", {Flavor("racks")});
  store_.Answer(std::unexpected(store::Forbidden(store::ResourceOf<api::Node>(), "", "no role")));
  EXPECT_THAT(log_, ElementsAre(AllOf(HasSubstr("Cannot watch nodes: 403"),
                                      HasSubstr("nothing is reconciled until"))));
}

TEST_F(PlacementWatchesTest, ReduceNodesAndPodsToWhatPlacementReads) {
  feed_.Watch(true);
  List("ResourceFlavor", {Flavor("racks")});
  List("Node", {R"({"metadata": {"name": "n1", "resourceVersion": "7", "labels": {"rack": "r1"},
      "annotations": {"a": "b"}}, "spec": {"podCIDR": "10.0.0.0/24", "unschedulable": true},
      "status": {"allocatable": {"cpu": "4"}, "images": [{"names": ["i"]}], "conditions": [
      {"type": "MemoryPressure", "status": "False"}, {"type": "Ready", "status": "True",
       "lastHeartbeatTime": "2030-01-01T00:00:00Z", "message": "fine"}]}})"});
  List("Pod", {R"({"metadata": {"name": "p", "namespace": "n", "resourceVersion": "7",
      "annotations": {"kueue.x-k8s.io/workload": "w", "other": "x"}}, "spec": {"nodeName": "n1",
      "overhead": {"cpu": "1"}, "containers": [
      {"name": "c", "env": [{"name": "e"}], "resources": {"requests": {"cpu": "1"}}}]},
      "status": {"phase": "Running", "podIP": "10.0.0.1"}})"});
  ASSERT_EQ(nodes_.size(), 1u);
  api::Node node;
  node.metadata.name = "n1";
  node.metadata.labels.Set("rack", "r1");
  node.spec.unschedulable = true;
  node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(4));
  node.status.conditions.push_back({.type = "Ready", .status = "True"});
  EXPECT_EQ(nodes_[0], node);
  ASSERT_EQ(pods_.size(), 1u);
  api::Pod pod;
  pod.metadata.name = "p";
  pod.metadata.namespace_ = "n";
  pod.metadata.annotations.Set("kueue.x-k8s.io/workload", "w");
  pod.spec.node_name = "n1";
  pod.spec.containers.emplace_back().resources.requests.Set("cpu", quantity::Quantity::FromInt(2));
  EXPECT_EQ(pods_[0], pod);
}

}  // namespace
}  // namespace berth::control
