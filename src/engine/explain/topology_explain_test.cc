// Explanations of workloads whose pods are placed in a topology.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/explain/explanation.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

// Nodes in racks in blocks, in the flavor "tas" of a queue with more quota than nodes. Every pod
// takes one cpu.
class TopologyExplanation : public ::testing::Test {
 protected:
  TopologyExplanation() {
    engine.SetTopology({.name = "t", .levels = {"block", "rack", std::string(kHostnameLevel)}});
    engine.SetTopologyFlavor({.flavor = flavor, .topology = "t", .node_labels = {}});
    queue = AddQueue("q");
  }

  NodeId AddQueue(std::string name, int64_t cpu = 1000) {
    return engine.SetClusterQueue(
        {.name = std::move(name),
         .groups = {{.resources = {cpus},
                     .flavors = {{.flavor = flavor, .quotas = {{.nominal = Amount(cpu)}}}}}}});
  }

  void AddNode(const std::string& block, const std::string& rack, const std::string& host,
               int64_t cpu, bool is_usable = true) {
    std::vector<NodeLabel> labels = {{"block", block}, {std::string(kHostnameLevel), host}};
    if (!rack.empty()) labels.push_back({"rack", rack});
    std::ranges::sort(labels);
    engine.SetNode({.name = host,
                    .labels = labels,
                    .allocatable = {{cpus, cpu}, {engine.Resource("pods"), 110}},
                    .is_usable = is_usable});
  }

  PodSetTopology Requiring(std::string_view level) {
    return {.kind = TopologyKind::kRequired,
            .level = std::string(level),
            .slices = {},
            .per_pod = {{cpus, 1}}};
  }

  PendingSpec Job(std::string uid, int32_t count, PodSetTopology request) {
    return {
        .uid = std::move(uid),
        .local_queue = engine.LocalQueue("ns/lq"),
        .cluster_queue = queue,
        .queue_order_time = kNow,
        .shape = {.pod_sets = {{.count = count, .full_count = count, .requests = {{cpus, count}}}},
                  .key = {1, static_cast<uint64_t>(++jobs)}},
        .topology = WorkloadTopology{.pod_sets = {std::move(request)}}};
  }
  Explanation Explain(int32_t count, PodSetTopology request) {
    return engine.Explain(engine.AddPending(Job("w", count, std::move(request)), kNow));
  }

  WorkloadId Run(std::string uid, const std::string& host, int32_t count, NodeId in) {
    const DomainPathId path = engine.DomainPath({&host, 1});
    return engine.AddReserved({.uid = std::move(uid),
                               .local_queue = engine.LocalQueue("ns/lq"),
                               .cluster_queue = in,
                               .queue_order_time = kNow,
                               .reserved_at = kNow,
                               .pod_sets = {{.count = count,
                                             .resources = {{cpus, flavor, count}},
                                             .domains = {{path, count}}}},
                               .topology = WorkloadTopology{.pod_sets = {Requiring("rack")}}});
  }
  WorkloadId Run(std::string uid, const std::string& host, int32_t count) {
    return Run(std::move(uid), host, count, queue);
  }

  static const Remedy* Find(const Explanation& explanation, RemedyKind kind) {
    const auto it = std::ranges::find(explanation.remedies, kind, &Remedy::kind);
    return it == explanation.remedies.end() ? nullptr : &*it;
  }
  // "b1/r1/n1".
  static std::string Text(const std::vector<std::string>& path) {
    std::string text;
    for (const std::string& value : path) text += (text.empty() ? "" : "/") + value;
    return text;
  }
  // "b1/r1:4 b1/r2:3", the pods that fit.
  static std::string BestOf(const LevelRoom& level) {
    std::string text;
    for (const DomainRoom& domain : level.best)
      text += (text.empty() ? "" : " ") + Text(domain.path) + ":" + std::to_string(domain.pods);
    return text;
  }

  Engine engine{[] {
    EngineOptions options;
    options.topology = true;
    return options;
  }()};
  const FlavorId flavor = engine.Flavor("tas");
  const ResourceId cpus = engine.Resource("cpu");
  NodeId queue;
  int jobs = 0;
};

// --- Room ----------------------------------------------------------------------------------------

TEST_F(TopologyExplanation, ListsTheDomainsOfEachLevelWithTheMostRoomFirst) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r1", "n2", 4);
  AddNode("b2", "r1", "n3", 5);
  Run("r", "n1", 3);
  const Explanation e = Explain(6, Requiring("rack"));
  ASSERT_THAT(e.topologies, SizeIs(1));
  const TopologyRoom& room = e.topologies[0].room;
  EXPECT_TRUE(e.topologies[0].is_chosen);
  EXPECT_FALSE(room.fits);
  EXPECT_TRUE(room.fits_if_empty);
  EXPECT_EQ(room.fitting, 5);
  EXPECT_EQ(room.needed, 6);
  ASSERT_THAT(room.levels, SizeIs(3));
  EXPECT_EQ(BestOf(room.levels[0]), "b1:5 b2:5");
  EXPECT_EQ(BestOf(room.levels[1]), "b1/r1:5 b2/r1:5");
  EXPECT_EQ(BestOf(room.levels[2]), "b2/r1/n3:5 b1/r1/n2:4 b1/r1/n1:1");
  EXPECT_EQ(room.levels[2].best[2].free,
            (std::vector<Request>{{engine.Resource("pods"), 107}, {cpus, 1}}));
  EXPECT_EQ(room.levels[2].best[2].scarcest, cpus);
}

TEST_F(TopologyExplanation, CountsNodesThatCannotBeUsed) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r1", "n2", 4, /*is_usable=*/false);
  AddNode("b1", "", "n3", 4);
  AddNode("b1", "r1", "n4", 4);
  AddNode("b1", "r1", "n5", 0);
  engine.SetNodeMatcher([&](NodeMatchId, FlavorId, ClusterNodeId node) {
    return NodeMatch{.why =
                         node == ClusterNodeId(3) ? NodeExclusion::kTaint : NodeExclusion::kNone};
  });
  PodSetTopology request = Requiring("rack");
  request.match = NodeMatchId(0);
  const TopologyRoom room = Explain(5, request).topologies.at(0).room;
  EXPECT_EQ(room.nodes, (FlavorNodes{.total = 5, .unusable = 1, .without_level = 1}));
  EXPECT_EQ(room.excluded.tainted, 1u);
  EXPECT_THAT(room.full, ElementsAre(std::pair(cpus, size_t{1})));
}

TEST_F(TopologyExplanation, AWorkloadThatFitsNowhereEvenIfAllOthersEndedSaysSo) {
  AddNode("b1", "r1", "n1", 4);
  const Explanation e = Explain(5, Requiring("rack"));
  EXPECT_EQ(e.reason, WaitReason::kTopologyPlacementFailed);
  EXPECT_FALSE(e.topologies.at(0).room.fits_if_empty);
  EXPECT_EQ(e.preemption.attempt, PreemptionAttempt::kCannotHelp);
}

TEST_F(TopologyExplanation, LaterPodSetsSeeThePodsOfEarlierOnes) {
  AddNode("b1", "r1", "n1", 4);
  PendingSpec job = Job("w", 3, Requiring("rack"));
  job.shape.pod_sets.push_back(job.shape.pod_sets[0]);
  job.shape.pod_sets[1].group = 1;
  job.topology->pod_sets.push_back(job.topology->pod_sets[0]);
  job.topology->pod_sets[1].group = 1;
  const Explanation e = engine.Explain(engine.AddPending(job, kNow));
  ASSERT_THAT(e.topologies, SizeIs(2));
  EXPECT_TRUE(e.topologies[0].room.fits);
  EXPECT_EQ(e.topologies[1].room.fitting, 1);
}

// A quarter of each rack is free: a pod set of one rack could have four pods if the twelve that run
// were packed.
TEST_F(TopologyExplanation, FragmentationIsTheLossOfTheLargestPodSetToScatteredPods) {
  for (const std::string i : {"1", "2", "3", "4"}) {
    AddNode("b1", "r" + i, "n" + i, 4);
    Run("r" + i, "n" + i, 3);
  }
  const TopologyRoom room = Explain(4, Requiring("rack")).topologies.at(0).room;
  EXPECT_EQ(room.levels[0].fragmentation(), 0);
  EXPECT_EQ(room.levels[1].largest, 1);
  EXPECT_EQ(room.levels[1].largest_if_packed, 4);
  EXPECT_EQ(room.levels[1].fragmentation(), 75);
}

TEST_F(TopologyExplanation, WholeFreeDomainsAreNotFragmented) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r2", "n2", 4);
  Run("r", "n1", 4);
  const TopologyRoom room = Explain(5, Requiring("rack")).topologies.at(0).room;
  for (const LevelRoom& level : room.levels) EXPECT_EQ(level.fragmentation(), 0) << level.level;
}

// --- Remedies ------------------------------------------------------------------------------------

TEST_F(TopologyExplanation, TheNextWiderLevelWithRoomIsOffered) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r2", "n2", 4);
  AddNode("b2", "r1", "n3", 4);
  const Explanation e = Explain(6, Requiring(kHostnameLevel));
  ASSERT_NE(Find(e, RemedyKind::kWiderLevel), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kWiderLevel)->topology.level, "block");
  EXPECT_NE(Find(e, RemedyKind::kPreferLevel), nullptr);
}

TEST_F(TopologyExplanation, APreferredLevelIsNoHelpWithoutRoomAnywhere) {
  AddNode("b1", "r1", "n1", 4);
  const Explanation e = Explain(5, Requiring("rack"));
  EXPECT_EQ(Find(e, RemedyKind::kWiderLevel), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kPreferLevel), nullptr);
  ASSERT_NE(Find(e, RemedyKind::kFewerPods), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kFewerPods)->pod_count, 4);
}

TEST_F(TopologyExplanation, TheLargestSlicesThatHaveRoomAreOffered) {
  for (const char* host : {"n1", "n2", "n3", "n4"}) AddNode("b1", "r1", host, 3);
  PodSetTopology request = Requiring("block");
  request.slices = {{std::string(kHostnameLevel), 4}};
  const Explanation e = Explain(8, request);
  ASSERT_NE(Find(e, RemedyKind::kSmallerSlices), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kSmallerSlices)->topology.slice_size, 2);
  ASSERT_NE(Find(e, RemedyKind::kWiderSliceLevel), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kWiderSliceLevel)->topology.level, "rack");
}

TEST_F(TopologyExplanation, APodSetIsNotReducedBelowOneSlice) {
  AddNode("b1", "r1", "n1", 3);
  PodSetTopology request = Requiring("block");
  request.slices = {{"rack", 4}};
  EXPECT_EQ(Find(Explain(8, request), RemedyKind::kFewerPods), nullptr);
}

TEST_F(TopologyExplanation, RoomIsFreedWhereTheFewestPodsAreMissing) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r1", "n2", 4);
  AddNode("b1", "r2", "n3", 4);
  AddNode("b1", "r2", "n4", 4);
  Run("a", "n1", 3);
  Run("b", "n3", 1);
  Run("c", "n4", 1);
  const Explanation e = Explain(8, Requiring("rack"));
  const Remedy* remedy = Find(e, RemedyKind::kFreeRoom);
  ASSERT_NE(remedy, nullptr);
  ASSERT_THAT(remedy->topology.room, SizeIs(2));
  EXPECT_EQ(Text(remedy->topology.room[0].path), "b1/r2/n3");
  EXPECT_EQ(remedy->topology.room[0].pods, 1);
  EXPECT_THAT(remedy->topology.room[0].amounts, ElementsAre(Request{cpus, 1}));
  EXPECT_EQ(Text(remedy->topology.room[1].path), "b1/r2/n4");
}

TEST_F(TopologyExplanation, NoMoreIsFreedThanWorkloadsUse) {
  AddNode("b1", "r1", "n1", 4);
  Run("a", "n1", 2);
  EXPECT_EQ(Find(Explain(5, Requiring("rack")), RemedyKind::kFreeRoom), nullptr);
}

TEST_F(TopologyExplanation, ASliceIsCompletedOnTheNodeThatMissesTheFewestPods) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r1", "n2", 4);
  AddNode("b1", "r1", "n3", 4);
  Run("a", "n1", 3);
  Run("b", "n2", 1);
  PodSetTopology request = Requiring("rack");
  request.slices = {{std::string(kHostnameLevel), 4}};
  const Explanation e = Explain(8, request);
  const Remedy* remedy = Find(e, RemedyKind::kFreeRoom);
  ASSERT_NE(remedy, nullptr);
  ASSERT_THAT(remedy->topology.room, SizeIs(1));
  EXPECT_EQ(Text(remedy->topology.room[0].path), "b1/r1/n2");
}

TEST_F(TopologyExplanation, TheFewestNodesThatHelpAreAddedToOneDomain) {
  AddNode("b1", "r1", "n1", 4);
  AddNode("b1", "r2", "n2", 6);
  const Explanation e = Explain(13, Requiring("rack"));
  const Remedy* remedy = Find(e, RemedyKind::kAddNodes);
  ASSERT_NE(remedy, nullptr);
  EXPECT_EQ(remedy->topology.node_count, 2);
  EXPECT_EQ(remedy->topology.node_like, "n2");
  EXPECT_EQ(Text(remedy->topology.beside), "b1/r2");
}

TEST_F(TopologyExplanation, NodesThatAreTriedLeaveNoTrace) {
  AddNode("b1", "r1", "n1", 4);
  EXPECT_NE(Find(Explain(5, Requiring("rack")), RemedyKind::kAddNodes), nullptr);
  EXPECT_THAT(engine.RunCycle(kNow), SizeIs(1));
  EXPECT_TRUE(engine.AssignmentOf(Run("r", "n1", 1)).size() == 1);
  const TopologyRoom room = *engine.RoomFor(flavor, Requiring("block"), 1);
  EXPECT_EQ(room.levels[0].best.at(0).pods, 3);
  EXPECT_EQ(room.levels[2].domains, 1u);
}

TEST_F(TopologyExplanation, WorkloadsOfOtherTreesOnTheSameNodesMayFinish) {
  AddNode("b1", "r1", "n1", 4);
  const WorkloadId other = Run("other", "n1", 2, AddQueue("elsewhere"));
  const Explanation e = Explain(3, Requiring("rack"));
  EXPECT_EQ(e.reason, WaitReason::kWaitingForQuota);
  ASSERT_NE(Find(e, RemedyKind::kOneFinishes), nullptr);
  EXPECT_THAT(Find(e, RemedyKind::kOneFinishes)->workloads, ElementsAre(other));
}

TEST_F(TopologyExplanation, AFlavorWithoutTheLevelIsOfferedWithALevelThatItHas) {
  AddNode("b1", "r1", "n1", 4);
  PendingSpec job = Job("w", 3, Requiring("row"));
  job.shape.pod_sets[0].mismatches = {{flavor, Mismatch::kTopology}};
  const Explanation e = engine.Explain(engine.AddPending(job, kNow));
  EXPECT_EQ(e.reason, WaitReason::kNoMatchingFlavor);
  ASSERT_NE(Find(e, RemedyKind::kMatchFlavor), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kMatchFlavor)->mismatch, Mismatch::kTopology);
}

// --- What it gets --------------------------------------------------------------------------------

TEST_F(TopologyExplanation, TheDomainsOfAnAdmissibleWorkloadAreReported) {
  AddNode("b1", "r1", "n1", 4);
  const Explanation e = Explain(3, Requiring("rack"));
  EXPECT_EQ(e.outcome, Outcome::kAdmitted);
  ASSERT_THAT(e.offered, SizeIs(1));
  const std::string host = "n1";
  EXPECT_THAT(e.offered[0].domains, ElementsAre(DomainPods{engine.DomainPath({&host, 1}), 3}));
  EXPECT_THAT(e.remedies, IsEmpty());
}

}  // namespace
}  // namespace berth::engine
