#include "workload/topology/node_match_table.h"

#include <gtest/gtest.h>

namespace berth::workload {
namespace {

using engine::NodeExclusion;

NodeProfile AnyNode() {
  api::Node node;
  node.metadata.name = "n1";
  node.metadata.labels.Set("disk", "ssd");
  node.metadata.labels.Set("cpus", "64");
  return NodeProfile::From(node);
}

api::NodeSelectorTerm Term(std::string key, std::string_view op, std::vector<std::string> values) {
  return {.match_expressions = {{.key = std::move(key),
                                 .op = std::string(op),
                                 .values = std::move(values),
                                 .extra = {}}},
          .match_fields = {},
          .extra = {}};
}

NodeExclusion WithRequired(std::vector<api::NodeSelectorTerm> terms) {
  NodeRequirements requirements;
  requirements.affinity.required_during_scheduling_ignored_during_execution =
      api::NodeSelector{.node_selector_terms = std::move(terms), .extra = {}};
  return MatchNode(requirements, {}, AnyNode()).why;
}

TEST(NodeMatch, EveryLabelOfTheSelectorCounts) {
  NodeRequirements requirements;
  requirements.node_selector.Set("disk", "ssd");
  EXPECT_TRUE(MatchNode(requirements, {}, AnyNode()).is_match());
  requirements.node_selector.Set("zone", "a");
  EXPECT_EQ(MatchNode(requirements, {}, AnyNode()).why, NodeExclusion::kNodeSelector);
}

TEST(NodeMatch, OneRequiredTermIsEnough) {
  EXPECT_EQ(WithRequired({Term("zone", api::kNodeSelectorExists, {}),
                          Term("cpus", api::kNodeSelectorGreater, {"32"})}),
            NodeExclusion::kNone);
  EXPECT_EQ(WithRequired({Term("disk", api::kNodeSelectorNotIn, {"ssd"})}),
            NodeExclusion::kNodeAffinity);
  EXPECT_EQ(WithRequired({Term("zone", api::kNodeSelectorNotIn, {"a"})}), NodeExclusion::kNone);
  EXPECT_EQ(WithRequired({{}}), NodeExclusion::kNodeAffinity);
}

TEST(NodeMatch, TheFlavorMayTolerateATaint) {
  NodeProfile node = AnyNode();
  const api::Taint taint{
      .key = "gpu", .value = "", .effect = std::string(api::kNoSchedule), .extra = {}};
  node.taints.push_back(NumberedTaint::From(taint));
  EXPECT_EQ(MatchNode({}, {}, node).why, NodeExclusion::kTaint);
  api::Toleration toleration;
  toleration.key = "gpu";
  toleration.op = api::kTolerationExists;
  EXPECT_TRUE(MatchNode({}, {toleration}, node).is_match());
}

TEST(NodeMatch, WeightsOfMatchingPreferredTermsAreSummed) {
  NodeRequirements requirements;
  for (const int weight : {3, 5}) {
    requirements.affinity.preferred_during_scheduling_ignored_during_execution.push_back(
        {.weight = weight, .preference = Term("disk", api::kNodeSelectorExists, {}), .extra = {}});
  }
  EXPECT_EQ(MatchNode(requirements, {}, AnyNode()).score, 8);
}

TEST(NodeRequirements, AChecksSelectorMustNotContradict) {
  NodeRequirements requirements;
  requirements.node_selector.Set("zone", "a");
  api::PodSetUpdate update;
  update.node_selector.Set("pool", "new");
  EXPECT_TRUE(requirements.Merge(update));
  update.node_selector.Set("zone", "b");
  EXPECT_FALSE(requirements.Merge(update));
}

}  // namespace
}  // namespace berth::workload
