#include "engine/topology/topologies.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/topology_walk.h"
#include "engine/testing/topology_world.h"
#include "engine/topology/node_replacement.h"

namespace berth::engine {
namespace {

using testing::kFlavor;
using testing::TopologyWorld;

int64_t FreePods(const TopologyWorld& world, TopologyWorld& names, const std::string& host) {
  const TopologyForest& forest = world.forest();
  const DomainIndex domain = forest.FindLeaf(names.Path(host));
  if (domain == kNoDomain) return -1;
  return forest.CapacityOf(forest.domain(domain).leaf)[kPodsColumn] -
         world.Used(names.Path(host), kPodsColumn);
}

TEST(Topologies, UsageOfANodeCountsAgainWhenTheNodeReturns) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4, 10);
  world.Use("n1", 3);
  world.topologies.RemoveNode("b1/r1/n1");
  EXPECT_EQ(FreePods(world, world, "n1"), -1);
  world.AddNode("b1/r1/n1", 4, 10);
  EXPECT_EQ(FreePods(world, world, "n1"), 7);
}

TEST(Topologies, ANodeThatIsNotUsableOrLacksALevelIsInNoDomain) {
  TopologyWorld world;
  ClusterNodeSpec node = world.Node("b1/r1/n1", 4);
  node.is_usable = false;
  world.topologies.SetNode(node);
  EXPECT_EQ(world.forest().FindLeaf(world.Path("n1")), kNoDomain);
  node.is_usable = true;
  std::erase_if(node.labels, [](const NodeLabel& label) { return label.key == "rack"; });
  world.topologies.SetNode(node);
  EXPECT_EQ(world.forest().FindLeaf(world.Path("n1")), kNoDomain);
}

TEST(Topologies, PodsOfOthersCountEvenBeforeTheirNodeIsThere) {
  TopologyWorld world;
  const Request other[] = {{testing::kPods, 4}};
  world.topologies.SetOtherUsage("b1/r1/n1", other);
  world.AddNode("b1/r1/n1", 4, 10);
  EXPECT_EQ(FreePods(world, world, "n1"), 6);
  world.topologies.SetOtherUsage("b1/r1/n1", {});
  EXPECT_EQ(FreePods(world, world, "n1"), 10);
}

TEST(Topologies, FlavorsWithHostnamesShareTheUsageOfTheirNodes) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4, 10);
  const FlavorId other(1);
  world.topologies.SetFlavor({.flavor = other, .topology = "t", .node_labels = {}});
  world.topologies.AddUsage(TopologyWorld::OneCpu(),
                            {.flavor = other, .domains = {{world.Path("n1"), 3}}}, 1);
  EXPECT_EQ(FreePods(world, world, "n1"), 7);
}

// --- Duplicate hostnames -------------------------------------------------------------------------

std::string RackOf(TopologyWorld& world, const std::string& host) {
  const TopologyForest& forest = world.forest();
  const DomainIndex domain = forest.FindLeaf(world.Path(host));
  return domain == kNoDomain ? "none" : forest.ValueOf(forest.AncestorAt(domain, 1));
}

TEST(DuplicateHostname, HasNoRoomUntilOneNodeIsLeft) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4, 10);
  world.AddNode("b1/r2/n1", 4, 5);
  world.AddNode("b1/r3/n1", 4, 3);
  EXPECT_EQ(FreePods(world, world, "n1"), 0);
  EXPECT_EQ(world.topologies.CountNodes(kFlavor).same_hostname, 3u);
  world.topologies.RemoveNode("b1/r1/n1");
  EXPECT_EQ(FreePods(world, world, "n1"), 0);
  world.topologies.RemoveNode("b1/r3/n1");
  EXPECT_EQ(FreePods(world, world, "n1"), 5);
  EXPECT_EQ(world.topologies.CountNodes(kFlavor).same_hostname, 0u);
}

TEST(DuplicateHostname, LeavesTheLastNodeInItsOwnDomain) {
  for (const char* deleted : {"b1/r1/n1", "b1/r2/n1"}) {
    TopologyWorld world;
    world.AddNode("b1/r1/n1", 4);
    world.AddNode("b1/r2/n1", 4);
    world.topologies.RemoveNode(deleted);
    EXPECT_EQ(RackOf(world, "n1"), std::string_view(deleted) == "b1/r1/n1" ? "r2" : "r1");
  }
}

// The pods of a workload that runs there stay charged, and those of others count once one is left.
TEST(DuplicateHostname, KeepsUsage) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4, 10);
  world.Use("n1", 3);
  world.AddNode("b1/r2/n1", 4, 10);
  const Request other[] = {{testing::kPods, 2}};
  world.topologies.SetOtherUsage("b1/r2/n1", other);
  EXPECT_EQ(FreePods(world, world, "n1"), -3);
  world.topologies.RemoveNode("b1/r1/n1");
  EXPECT_EQ(FreePods(world, world, "n1"), 5);
}

TEST(TopologyTrial, UndoesUsage) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4, 10);
  {
    TopologyTrial trial(world.topologies.usage(), UsageLayer::kTried);
    world.Use("n1", 3);
    EXPECT_EQ(FreePods(world, world, "n1"), 7);
    {
      TopologyTrial inner(world.topologies.usage(), UsageLayer::kTried);
      world.Use("n1", 1);
      EXPECT_EQ(FreePods(world, world, "n1"), 6);
    }
    EXPECT_EQ(FreePods(world, world, "n1"), 7);
  }
  EXPECT_EQ(FreePods(world, world, "n1"), 10);
}

// A match may cost as much as a placement; only nodes that changed are asked about again.
TEST(NodeMatchCache, AsksAgainOnlyForChangedNodes) {
  TopologyWorld world;
  int asked = 0;
  world.topologies.SetMatcher([&](NodeMatchId, FlavorId, ClusterNodeId) {
    ++asked;
    return NodeMatch{};
  });
  for (int i = 0; i < 5; ++i) world.AddNode("b1/r1/n" + std::to_string(i), 4);
  world.topologies.MatchesOf(kFlavor, NodeMatchId(0));
  EXPECT_EQ(asked, 5);
  world.AddNode("b1/r1/n3", 5);
  world.topologies.MatchesOf(kFlavor, NodeMatchId(0));
  EXPECT_EQ(asked, 6);
}

// Nodes of clusters that scale up and down have a new name each time.
struct Churn : TopologyWorld {
  static constexpr int kNodes = 20, kGone = 6000;
  static std::string Host(int i) {
    return "b" + std::to_string(i % 2) + "/r" + std::to_string(i % 4) + "/n" + std::to_string(i);
  }
  // Every node is gone after some others have come.
  void ComeAndGo() {
    for (int i = 0; i < kGone; ++i) {
      AddNode(Host(i), 4 + i % 3);
      if (i >= kNodes) topologies.RemoveNode(Host(i - kNodes));
    }
  }
};

TEST(Topologies, DoNotGrowWithNodesThatAreGone) {
  Churn world;
  world.ComeAndGo();
  EXPECT_EQ(world.forest().existing_leaf_count(), static_cast<size_t>(Churn::kNodes));
  EXPECT_LE(world.forest().leaf_count(), 2u * Churn::kNodes + 1026);
  EXPECT_LE(world.topologies.SetNode(world.Node("b1/r1/last", 4)).value(), 21u);
}

TEST(Topologies, PlaceAsIfNodesThatAreGoneHadNeverBeen) {
  Churn churned;
  TopologyWorld fresh;
  churned.AddNode("b9/r9/stays", 9);
  churned.Use("stays", 2);
  churned.ComeAndGo();
  fresh.AddNode("b9/r9/stays", 9);
  fresh.Use("stays", 2);
  for (int i = Churn::kGone - Churn::kNodes; i < Churn::kGone; ++i)
    fresh.AddNode(Churn::Host(i), 4 + i % 3);
  for (const TopologyKind kind :
       {TopologyKind::kRequired, TopologyKind::kPreferred, TopologyKind::kUnconstrained}) {
    for (int32_t count = 1; count < 130; count += 3) {
      const PlacementRequest request{.kind = kind,
                                     .count = count,
                                     .level = kind == TopologyKind::kUnconstrained ? 2u : 1u,
                                     .slice_level = 2,
                                     .inner_sizes = {},
                                     .worker = {},
                                     .leader = {},
                                     .takes_least_free = kind == TopologyKind::kUnconstrained,
                                     .assumed = {}};
      EXPECT_EQ(churned.Place(request), fresh.Place(request)) << count;
    }
  }
}

TEST(Topologies, AgreeWithTheNaiveModelAfterEveryEvent) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    base::Random random(seed);
    testing::TopologyWalk walk([&](uint64_t bound) { return random.Below(bound); });
    for (int step = 0; step < 200; ++step) {
      walk.Step();
      ASSERT_EQ(walk.Difference(), "") << "seed " << seed << ", step " << step;
    }
  }
}

// --- Failed nodes --------------------------------------------------------------------------------

struct TwoRacks : TopologyWorld {
  TwoRacks() {
    for (const char* node : {"b1/r1/n1", "b1/r1/n2", "b1/r2/n3", "b1/r2/n4"}) AddNode(node, 4);
  }
  NodeReplacement Replace(const PodSetTopology& request, std::vector<DomainPods> placed) {
    return ReplaceNode(topologies, forest(), request, placed, "n1");
  }
  std::string Within(const NodeReplacement& replacement) {
    if (replacement.within == kNoDomain) return "anywhere";
    return forest().ValueOf(replacement.within);
  }
};

TEST(NodeReplacement, RequiredPodsStayInTheDomainOfTheOthers) {
  TwoRacks world;
  const PodSetTopology request{
      .kind = TopologyKind::kRequired, .level = "rack", .slices = {}, .per_pod = {}};
  const NodeReplacement replacement =
      world.Replace(request, {{world.Path("n1"), 2}, {world.Path("n2"), 1}});
  EXPECT_EQ(replacement.count, 2);
  EXPECT_EQ(world.Within(replacement), "r1");
  EXPECT_EQ(world.Within(world.Replace(request, {{world.Path("n1"), 2}})), "anywhere");
}

TEST(NodeReplacement, ABrokenSliceIsCompletedWhereItIs) {
  TwoRacks world;
  const PodSetTopology request{.kind = TopologyKind::kUnconstrained,
                               .level_choice = LevelChoice::kHighest,
                               .slices = {{"rack", 4}},
                               .per_pod = {}};
  const NodeReplacement replacement =
      world.Replace(request, {{world.Path("n1"), 2}, {world.Path("n2"), 2}, {world.Path("n3"), 4}});
  EXPECT_EQ(world.Within(replacement), "r1");
  EXPECT_TRUE(replacement.request.slices.empty());
}

PodSetTopology InSlicesOfThree() {
  return {.kind = TopologyKind::kUnconstrained,
          .level_choice = LevelChoice::kHighest,
          .slices = {{"rack", 3}},
          .per_pod = {}};
}

// Eight pods in slices of three: the last slice has two.
TEST(NodeReplacement, AnIncompleteSliceStaysInItsDomain) {
  TwoRacks world;
  const NodeReplacement replacement = world.Replace(
      InSlicesOfThree(), {{world.Path("n1"), 1}, {world.Path("n2"), 1}, {world.Path("n3"), 6}});
  EXPECT_EQ(world.Within(replacement), "r1");
  EXPECT_EQ(replacement.request.slices, (std::vector<SliceLayer>{{"rack", 1}}));
}

// The rest of the last slice is not needed anywhere.
TEST(NodeReplacement, AnIncompleteSliceThatIsLostNeedsRoomForItsPodsAlone) {
  TwoRacks world;
  const NodeReplacement replacement =
      world.Replace(InSlicesOfThree(), {{world.Path("n1"), 1}, {world.Path("n3"), 6}});
  EXPECT_EQ(world.Within(replacement), "anywhere");
  EXPECT_EQ(replacement.request.slices, (std::vector<SliceLayer>{{"rack", 1}}));
}

TEST(NodeReplacement, AnIncompleteSliceStaysInTheRequiredDomain) {
  TwoRacks world;
  PodSetTopology request = InSlicesOfThree();
  request.kind = TopologyKind::kRequired;
  request.level_choice = LevelChoice::kNamed;
  request.level = "block";
  EXPECT_EQ(world.Within(world.Replace(request, {{world.Path("n1"), 1}, {world.Path("n3"), 6}})),
            "b1");
}

// Six pods in a rack, three of them on a host. Eleven of them: the last slice has three and two.
TEST(NodeReplacement, AnIncompleteSliceOfSlicesStaysWithItsOuterOne) {
  TwoRacks world;
  PodSetTopology request = InSlicesOfThree();
  request.slices = {{"rack", 6}, {std::string(kHostnameLevel), 3}};
  const NodeReplacement replacement =
      world.Replace(request, {{world.Path("n1"), 2}, {world.Path("n2"), 3}, {world.Path("n3"), 6}});
  EXPECT_EQ(world.Within(replacement), "r1");
  EXPECT_EQ(replacement.request.slices,
            (std::vector<SliceLayer>{{"rack", 2}, {std::string(kHostnameLevel), 2}}));
}

TEST(NodeReplacement, FailsIfAnotherDomainIsGone) {
  TwoRacks world;
  const PodSetTopology request{
      .kind = TopologyKind::kPreferred, .level = "rack", .slices = {}, .per_pod = {}};
  EXPECT_FALSE(
      world.Replace(request, {{world.Path("n1"), 2}, {world.Path("gone"), 1}}).is_possible);
}

}  // namespace
}  // namespace berth::engine
