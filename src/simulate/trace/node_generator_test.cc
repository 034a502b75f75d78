#include "simulate/trace/node_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "simulate/trace/generator.h"

namespace berth::simulate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kPool = R"(
nodes:
- className: gpu
  levels:
  - {nodeLabel: cloud.example/rack, count: 2}
  - {nodeLabel: kubernetes.io/hostname, count: 3}
  labels: {pool: gpu}
  taints: [{key: gpu, effect: NoSchedule}]
  allocatable: {cpu: 96, memory: 256Gi}
)";

template <class T>
std::vector<const T*> AllOfKind(const Input& input) {
  std::vector<const T*> all;
  for (const api::Object& object : input.objects)
    if (const T* value = object.As<T>()) all.push_back(value);
  return all;
}

Input Generate(std::string_view text) {
  Input input;
  EXPECT_THAT(AddGenerated(text, "g.yaml", input), IsEmpty());
  return input;
}

TEST(GeneratedNodes, CountLabelValuesInEveryDomain) {
  const Input input = Generate(kPool);
  const auto nodes = AllOfKind<api::Node>(input);
  ASSERT_THAT(nodes, SizeIs(6));
  const api::Node& last = *nodes[5];
  EXPECT_EQ(last.metadata.name, "gpu-1-2");
  EXPECT_EQ(last.metadata.labels.ValueOrEmpty("cloud.example/rack"), "rack-1");
  EXPECT_EQ(last.metadata.labels.ValueOrEmpty("kubernetes.io/hostname"), "gpu-1-2");
  EXPECT_EQ(last.metadata.labels.ValueOrEmpty("pool"), "gpu");
}

TEST(GeneratedNodes, AreReadyWithTaintsAndRoomForPods) {
  const Input input = Generate(kPool);
  const api::Node& node = *AllOfKind<api::Node>(input)[0];
  EXPECT_THAT(node.spec.taints, SizeIs(1));
  EXPECT_EQ(node.status.allocatable.Find("memory")->ToString(), "256Gi");
  EXPECT_EQ(node.status.allocatable.Find("pods")->ToString(), "110");
  ASSERT_THAT(node.status.conditions, SizeIs(1));
  EXPECT_EQ(node.status.conditions[0].status, "True");
}

TEST(GeneratedNodes, AreTensOfThousandsInAFewLines) {
  const Input input = Generate(
      "nodes: [{levels: [{nodeLabel: a, count: 10}, {nodeLabel: b, count: 20}, "
      "{nodeLabel: c, count: 300}], allocatable: {cpu: 1}}]");
  EXPECT_THAT(AllOfKind<api::Node>(input), SizeIs(60'000));
}

// The format of Kueue's performance test for topologies.
TEST(GeneratedNodes, OfATopologyCarryTheLabelOfItsFlavor) {
  const Input input = Generate(R"(
topology:
  name: default
  levels:
  - {name: rack, count: 2, nodeLabel: cloud.example/rack}
  - {name: node, count: 2, nodeLabel: kubernetes.io/hostname, capacity: {cpu: 8}}
resourceFlavor: {name: tas, nodeLabel: group, topologyName: default}
)");
  ASSERT_THAT(AllOfKind<api::Topology>(input), SizeIs(1));
  EXPECT_THAT(AllOfKind<api::Topology>(input)[0]->spec.levels, SizeIs(2));
  const auto flavors = AllOfKind<api::ResourceFlavor>(input);
  ASSERT_THAT(flavors, SizeIs(1));
  EXPECT_EQ(flavors[0]->spec.topology_name, "default");
  const auto nodes = AllOfKind<api::Node>(input);
  ASSERT_THAT(nodes, SizeIs(4));
  EXPECT_EQ(nodes[0]->metadata.labels.ValueOrEmpty("group"),
            flavors[0]->spec.node_labels.ValueOrEmpty("group"));
  EXPECT_EQ(nodes[0]->status.allocatable.Find("cpu")->ToString(), "8");
  EXPECT_EQ(nodes[0]->status.allocatable.Find("memory")->ToString(), "256Gi");
}

TEST(GeneratedJobs, AskForATopology) {
  const auto request = [](std::string_view job) {
    const Input input = Generate(
        "cohorts: [{className: c, count: 1, queuesSets: [{className: q, count: 1, nominalQuota: 1, "
        "workloadsSets: [{count: 1, workloads: [{className: w, runtimeMs: 1, request: 1, podCount: "
        "4, " +
        std::string(job) + "}]}]}]}]");
    return input.kinds[0].workload.spec.pod_sets[0].topology_request.value_or(
        api::PodSetTopologyRequest());
  };
  EXPECT_EQ(request("tasConstraint: required, tasLevel: rack").required, "rack");
  EXPECT_EQ(request("tasConstraint: preferred, tasLevel: rack").preferred, "rack");
  EXPECT_EQ(request("tasConstraint: unconstrained").unconstrained, true);
  const auto slices = request("tasConstraint: balanced, tasLevel: rack, sliceSize: 2");
  EXPECT_EQ(slices.pod_set_slice_required_topology, "rack");
  EXPECT_EQ(slices.pod_set_slice_size, 2);
}

// --- Errors --------------------------------------------------------------------------------------

std::string ProblemOf(std::string_view text) {
  Input input;
  const schema::Problems problems = AddGenerated(text, "g.yaml", input);
  EXPECT_THAT(input.objects, IsEmpty());
  return problems.empty() ? "" : schema::ToString(problems.front());
}

std::string WithChange(std::string_view from, std::string_view to) {
  std::string text(kPool);
  text.replace(text.find(from), from.size(), to);
  return ProblemOf(text);
}

TEST(GeneratedNodes, ReportWhereSomethingIsWrong) {
  EXPECT_THAT(WithChange("count: 2", "count: 0"), HasSubstr("g.yaml:5:44"));
  EXPECT_THAT(WithChange("count: 2", "count: 100000"), HasSubstr("more than 200000 nodes"));
  EXPECT_THAT(WithChange("cloud.example/rack", "kubernetes.io/hostname"),
              AllOf(HasSubstr("g.yaml:5"), HasSubstr("can only be the last level")));
  EXPECT_THAT(WithChange("kubernetes.io/hostname", "cloud.example/rack"),
              HasSubstr("must be unique among levels"));
  EXPECT_THAT(WithChange("labels: {pool: gpu}", "labels: {kubernetes.io/hostname: a}"),
              HasSubstr("follows from the levels"));
  EXPECT_THAT(WithChange("cpu: 96", "cpu: -1"), HasSubstr("must not be negative"));
  EXPECT_THAT(WithChange("NoSchedule", "Never"), HasSubstr("effect must be NoSchedule"));
  EXPECT_THAT(WithChange("className: gpu", "className: GPU"), HasSubstr("className"));
  EXPECT_THAT(WithChange("labels:", "failsAfter: soon\n  labels:"),
              AllOf(HasSubstr("g.yaml:7"), HasSubstr("exponential(30m)")));
  EXPECT_THAT(WithChange("labels:", "repairedAfter: 1h\n  labels:"), HasSubstr("failsAfter"));
}

TEST(GeneratedNodes, OfTwoPoolsNeedDifferentNames) {
  const std::string pool = "{levels: [{nodeLabel: rack, count: 1}], allocatable: {cpu: 1}}";
  EXPECT_THAT(ProblemOf("nodes: [" + pool + ", " + pool + "]"),
              AllOf(HasSubstr("nodes[1]"), HasSubstr("write a className for each")));
}

// node with two levels makes node-1-0, as node-1 does with one.
TEST(GeneratedNodes, OfTwoPoolsOfDifferentDepthNeedDifferentNames) {
  EXPECT_THAT(ProblemOf("nodes: [{className: node, levels: [{nodeLabel: rack, count: 2}, "
                        "{nodeLabel: host, count: 2}], allocatable: {cpu: 1}}, {className: "
                        "node-1, levels: [{nodeLabel: rack, count: 2}], allocatable: {cpu: 1}}]"),
              AllOf(HasSubstr("nodes[1].className"), HasSubstr("node-1-0"), HasSubstr("nodes[0]")));
}

TEST(GeneratedJobs, ReportIncompleteConstraints) {
  const auto problem = [](std::string_view job) {
    return ProblemOf(
        "cohorts: [{className: c, count: 1, queuesSets: [{className: q, count: 1, nominalQuota: 1, "
        "workloadsSets: [{count: 1, workloads: [{className: w, runtimeMs: 1, request: 1, " +
        std::string(job) + "}]}]}]}]");
  };
  EXPECT_THAT(problem("tasConstraint: required"), HasSubstr("needs a level"));
  EXPECT_THAT(problem("tasLevel: rack"), HasSubstr("no constraint uses this level"));
  EXPECT_THAT(problem("tasConstraint: balanced, tasLevel: rack"), HasSubstr("sliceSize"));
  EXPECT_THAT(problem("tasConstraint: sometimes"), HasSubstr("tasConstraint"));
  EXPECT_THAT(problem("tasConstraint: balanced, tasLevel: rack, sliceSize: 2"),
              HasSubstr("at most podCount, 1"));
}

}  // namespace
}  // namespace berth::simulate
