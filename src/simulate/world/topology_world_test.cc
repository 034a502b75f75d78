// Places of pods in the virtual world: racks, failed nodes, and what is measured of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/report/report.h"
#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using testing::AddNodes;
using testing::At;
using testing::EditAt;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::NodeYaml;
using testing::QueueYaml;
using ::testing::SizeIs;
using testing::SmallWorld;
using testing::TopologyYaml;

WorldOptions Prompt() {
  WorldOptions options;
  options.cycle_time = base::Duration{};
  return options;
}

SmallWorld WorldWithQuota(int cpu) {
  return SmallWorld(QueueYaml({.name = "q", .cpu = cpu}) + TopologyYaml());
}

double SecondsPending(const Result& result, std::string_view reason) {
  const auto found = std::ranges::find(result.pending_times, reason, &PendingTime::reason);
  return found == result.pending_times.end() ? 0 : found->seconds;
}

// --- Placement -----------------------------------------------------------------------------------

TEST(SimulatedPlacement, AJobWaitsUntilOneRackHasRoomForAllItsPods) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 2, .hosts = 2, .cpu = 4}, world.input());
  world.Add({.at = 0, .cpu = 4, .seconds = 10, .pods = 1, .rack = "required"});
  world.Add({.at = 0, .cpu = 2, .seconds = 30, .pods = 3, .rack = "required"});
  const uint32_t job = world.Add({.at = 1, .cpu = 4, .seconds = 5, .pods = 2, .rack = "required"});
  EXPECT_EQ(Play(world.input(), Prompt()).jobs[job].first_start, At(10));
}

TEST(SimulatedPlacement, AJobThatPrefersARackSpreadsIfItMust) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 2, .hosts = 2, .cpu = 4}, world.input());
  const uint32_t job = world.Add({.cpu = 4, .seconds = 5, .pods = 3, .rack = "preferred"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[job].first_start, At(0));
  EXPECT_DOUBLE_EQ(result.nodes[0].levels[0].together, 0);
}

TEST(SimulatedPlacement, CountsQuotaAloneWithoutNodes) {
  SmallWorld world = WorldWithQuota(100);
  const uint32_t job = world.Add({.cpu = 4, .seconds = 5, .pods = 3, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[job].first_start, At(0));
  EXPECT_THAT(result.nodes, IsEmpty());
}

TEST(SimulatedPlacement, ABoundPodTakesRoomUntilTheEnd) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4}, world.input());
  for (api::Object& object : testing::Objects(
           "kind: Pod\napiVersion: v1\nmetadata: {name: agent, namespace: team}\nspec: {nodeName: "
           "node-0-0, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n"))
    world.input().objects.push_back(std::move(object));
  const uint32_t small = world.Add({.cpu = 3, .seconds = 5, .rack = "required"});
  const uint32_t large = world.Add({.cpu = 4, .seconds = 5, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[small].state, JobState::kFinished);
  EXPECT_EQ(result.jobs[large].state, JobState::kPending);
}

// The check of a provisioned queue passes at once; only then are pods placed.
TEST(SimulatedPlacement, WithAProvisioningCheckPodsArePlacedInASecondPass) {
  SmallWorld world = WorldWithQuota(100);
  for (api::Object& object : testing::Objects(
           "kind: AdmissionCheck\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: prov}\n"
           "spec: {controllerName: kueue.x-k8s.io/provisioning-request}\n---\n"
           "kind: ClusterQueue\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: q}\nspec:\n"
           "  namespaceSelector: {}\n"
           "  admissionChecksStrategy: {admissionChecks: [{name: prov}]}\n"
           "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: default, resources: "
           "[{name: cpu, nominalQuota: 100}]}]}]\n"))
    world.input().objects.push_back(std::move(object));
  AddNodes({.cpu = 4}, world.input());
  const uint32_t first = world.Add({.at = 0, .cpu = 4, .seconds = 7, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[first].first_start, At(0));
  EXPECT_EQ(result.jobs[first].end, At(7));
  EXPECT_EQ(result.jobs[first].moves, 0u);
  EXPECT_EQ(result.nodes[0].placements, 1u);
}

// --- Failed nodes --------------------------------------------------------------------------------

TEST(SimulatedNodeFailure, PodsMoveToAnotherNodeAndTheJobGoesOn) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 1, .hosts = 2, .cpu = 4}, world.input());
  const uint32_t job = world.Add({.cpu = 4, .seconds = 10, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(3, NodeYaml("node-0-0", "rack-0", false)));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].moves, 1u);
  EXPECT_EQ(result.jobs[job].other_evictions, 0u);
  EXPECT_EQ(result.jobs[job].end, At(10));
}

TEST(SimulatedNodeFailure, WithoutAnotherNodeTheJobIsEvictedAndReturnsAfterTheRepair) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4}, world.input());
  const uint32_t job = world.Add({.cpu = 4, .seconds = 10, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(3, NodeYaml("node-0-0", "rack-0", false)));
  options.edits.push_back(EditAt(20, NodeYaml("node-0-0", "rack-0", true)));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].other_evictions, 1u);
  EXPECT_EQ(result.jobs[job].end, At(30));
}

TEST(SimulatedNodeFailure, TwoNodesAtOnceEvict) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 1, .hosts = 4, .cpu = 4}, world.input());
  const uint32_t job = world.Add({.cpu = 4, .seconds = 10, .pods = 2, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(
      EditAt(3, NodeYaml("node-0-0", "rack-0", false) + NodeYaml("node-0-1", "rack-0", false)));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[job].other_evictions, 1u);
  EXPECT_EQ(result.jobs[job].end, At(13));
}

TEST(SimulatedNodeFailure, WithoutTheGateRunningJobsDoNotNotice) {
  SmallWorld world = WorldWithQuota(100);
  world.input().gates.Set(api::Gate::kTASFailedNodeReplacement, false);
  AddNodes({.racks = 1, .hosts = 2, .cpu = 4}, world.input());
  const uint32_t job = world.Add({.cpu = 4, .seconds = 10, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(3, NodeYaml("node-0-0", "rack-0", false)));
  EXPECT_EQ(Play(world.input(), options).jobs[job].moves, 0u);
}

TEST(SimulatedNodeFailure, ByChanceIsTheSameForTheSameSeed) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 2,
            .hosts = 4,
            .cpu = 4,
            .more = "failsAfter: exponential(30s), repairedAfter: exponential(5s)"},
           world.input());
  for (int i = 0; i < 40; ++i)
    world.Add({.at = i, .cpu = 2, .seconds = 20, .pods = 2, .rack = "preferred"});
  const auto ends = [&](uint64_t seed) {
    WorldOptions options = Prompt();
    options.seed = seed;
    const Result result = Play(world.input(), options);
    EXPECT_GT(result.node_failures, 0u);
    EXPECT_TRUE(result.is_complete);
    std::vector<int64_t> times;
    for (const JobOutcome& job : result.jobs) times.push_back(job.end.micros);
    return times;
  };
  EXPECT_EQ(ends(1), ends(1));
  EXPECT_NE(ends(1), ends(2));
}

// On two nodes with room for one job each, one of which fails: no node can replace it until the
// other job ends at 10 s.
void AddJobsWithoutRoomToMove(const std::string& of_first_node, SmallWorld& world) {
  world.input().gates.Set(api::Gate::kTASFailedNodeReplacementFailFast, false);
  AddNodes({.cpu = 4, .more = of_first_node}, world.input());
  AddNodes({.cpu = 4, .more = "className: other"}, world.input());
  world.Add({.cpu = 4, .seconds = 16, .rack = "required"});
  world.Add({.cpu = 4, .seconds = 10, .rack = "required"});
}

TEST(SimulatedNodeFailure, WithoutFailFastAJobMovesWhenThereIsRoom) {
  SmallWorld world = WorldWithQuota(100);
  AddJobsWithoutRoomToMove("failsAfter: 8s", world);
  EXPECT_EQ(Play(world.input(), Prompt()).jobs[0].moves, 1u);
}

TEST(SimulatedNodeFailure, ARepairWithdrawsAReplacementThatIsPending) {
  SmallWorld world = WorldWithQuota(100);
  AddJobsWithoutRoomToMove("failsAfter: 8s, repairedAfter: 1s", world);
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[0].moves, 0u);
  EXPECT_EQ(result.jobs[0].end, At(16));
}

TEST(SimulatedNodeFailure, AnEditThatRepairsWithdrawsAReplacementThatIsPending) {
  SmallWorld world = WorldWithQuota(100);
  AddJobsWithoutRoomToMove("", world);
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(3, NodeYaml("node-0-0", "rack-0", false)));
  options.edits.push_back(EditAt(5, NodeYaml("node-0-0", "rack-0", true)));
  EXPECT_EQ(Play(world.input(), options).jobs[0].moves, 0u);
}

// Jobs wait for the repair of nodes that are down. Nodes that fail later do not keep the world
// going.
TEST(SimulatedNodeFailure, DoesNotKeepTheWorldGoingForever) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4, .more = "failsAfter: 5s, repairedAfter: 100s"}, world.input());
  world.Add({.at = 0, .cpu = 1, .seconds = 3, .rack = "required"});
  const uint32_t fits = world.Add({.at = 6, .cpu = 4, .seconds = 1, .rack = "required"});
  const uint32_t never = world.Add({.at = 6, .cpu = 5, .seconds = 1, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_TRUE(result.is_complete);
  EXPECT_EQ(result.jobs[fits].first_start, At(105));
  EXPECT_EQ(result.jobs[never].state, JobState::kPending);
}

// While jobs only wait for a repair, other nodes do not fail; nor do they all fail afterwards.
TEST(SimulatedNodeFailure, IsNotSavedUpWhileNothingRuns) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4, .more = "failsAfter: 5s, repairedAfter: 100s"}, world.input());
  AddNodes({.cpu = 1, .more = "className: other, failsAfter: 50s"}, world.input());
  world.Add({.at = 0, .cpu = 1, .seconds = 3, .rack = "required"});
  const uint32_t waits = world.Add({.at = 6, .cpu = 4, .seconds = 3, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_EQ(result.jobs[waits].end, At(108));
  EXPECT_EQ(result.node_failures, 1u);
}

TEST(SimulatedNodeFailure, ByChanceDoesNotUndoEdits) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4, .more = "failsAfter: 5s, repairedAfter: 1s"}, world.input());
  const uint32_t large = world.Add({.at = 8, .cpu = 8, .seconds = 1, .rack = "required"});
  const uint32_t later = world.Add({.at = 21, .cpu = 1, .seconds = 1, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(2, NodeYaml("node-0-0", "rack-0", true, 8)));
  options.edits.push_back(EditAt(20, NodeYaml("node-0-0", "rack-0", false, 8)));
  options.edits.push_back(EditAt(40, NodeYaml("node-0-0", "rack-0", true, 8)));
  const Result result = Play(world.input(), options);
  EXPECT_EQ(result.jobs[large].first_start, At(8));
  EXPECT_EQ(result.jobs[later].first_start, At(40));
}

// --- Figures -------------------------------------------------------------------------------------

TEST(SimulatedNodes, UsageIsAMeanOverTime) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 2, .hosts = 2, .cpu = 4}, world.input());
  world.Add({.at = 0, .cpu = 2, .seconds = 10, .pods = 2, .rack = "required"});
  world.Add({.at = 10, .cpu = 4, .seconds = 10, .pods = 4});
  const Result result = Play(world.input(), Prompt());
  ASSERT_THAT(result.nodes, SizeIs(1));
  const NodesOutcome& nodes = result.nodes[0];
  EXPECT_EQ(nodes.flavor, "default");
  ASSERT_THAT(nodes.resources, SizeIs(1));
  EXPECT_DOUBLE_EQ(nodes.resources[0].capacity, 16);
  EXPECT_DOUBLE_EQ(nodes.resources[0].used, 10);  // (4 * 10 + 16 * 10) / 20
  EXPECT_DOUBLE_EQ(nodes.resources[0].peak, 16);
  ASSERT_THAT(nodes.levels, SizeIs(2));
  EXPECT_DOUBLE_EQ(nodes.levels[0].domains, 2);
  EXPECT_DOUBLE_EQ(nodes.levels[0].busy, 1.5);  // one rack, then both
  EXPECT_DOUBLE_EQ(nodes.levels[0].together, 0.5);
  EXPECT_DOUBLE_EQ(nodes.levels[1].busy, 2.5);  // one host with both pods, then all four
}

TEST(SimulatedNodes, CapacityShrinksWhileANodeIsDown) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.racks = 1, .hosts = 2, .cpu = 4}, world.input());
  world.Add({.cpu = 1, .seconds = 10, .rack = "required"});
  WorldOptions options = Prompt();
  options.edits.push_back(EditAt(5, NodeYaml("node-0-1", "rack-0", false)));
  const Result result = Play(world.input(), options);
  EXPECT_DOUBLE_EQ(result.nodes[0].resources[0].capacity, 6);
  EXPECT_DOUBLE_EQ(result.nodes[0].levels[1].domains, 1.5);
}

TEST(SimulatedNodes, CapacityCountsBeforeTheFirstJob) {
  SmallWorld world = WorldWithQuota(100);
  AddNodes({.cpu = 4}, world.input());
  world.Add({.at = 15, .cpu = 2, .seconds = 5, .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  ASSERT_THAT(result.nodes[0].resources, SizeIs(1));
  EXPECT_DOUBLE_EQ(result.nodes[0].resources[0].capacity, 4);
  EXPECT_DOUBLE_EQ(result.nodes[0].resources[0].used, 0.5);
}

TEST(PendingTimes, AreSummedByTheReasonOfTheLastDecision) {
  SmallWorld world = WorldWithQuota(8);
  AddNodes({.racks = 2, .hosts = 1, .cpu = 6}, world.input());
  world.Add({.at = 0, .cpu = 6, .seconds = 10, .rack = "required"});
  world.Add({.at = 1, .cpu = 4, .seconds = 1, .label = "quota", .rack = "required"});
  world.Add({.at = 1, .cpu = 7, .seconds = 1, .label = "nodes", .rack = "required"});
  const Result result = Play(world.input(), Prompt());
  EXPECT_DOUBLE_EQ(SecondsPending(result, "WaitingForQuota"), 9);
  EXPECT_DOUBLE_EQ(SecondsPending(result, "TopologyPlacementFailed"), 10);
}

}  // namespace
}  // namespace berth::simulate
