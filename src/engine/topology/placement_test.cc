#include "engine/topology/placement.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/testing/topology_world.h"

namespace berth::engine {
namespace {

using testing::TopologyWorld;

constexpr size_t kBlock = 0, kRack = 1, kHost = 2;

PlacementRequest Required(size_t level, int32_t count) {
  return {.kind = TopologyKind::kRequired,
          .count = count,
          .level = level,
          .slice_level = kHost,
          .inner_sizes = {},
          .worker = {},
          .leader = {},
          .assumed = {}};
}
PlacementRequest Preferred(size_t level, int32_t count) {
  PlacementRequest request = Required(level, count);
  request.kind = TopologyKind::kPreferred;
  return request;
}
// The profile LeastFreeCapacity.
PlacementRequest Unconstrained(int32_t count) {
  PlacementRequest request = Required(kHost, count);
  request.kind = TopologyKind::kUnconstrained;
  request.takes_least_free = true;
  return request;
}
PlacementRequest InSlices(PlacementRequest request, size_t level, int32_t size) {
  request.slice_level = level;
  request.slice_size = size;
  return request;
}

// Hosts with room for 2, 3 and 4 pods in one rack.
struct OneRack : TopologyWorld {
  OneRack() {
    AddNode("b1/r1/n2", 2);
    AddNode("b1/r1/n3", 3);
    AddNode("b1/r1/n4", 4);
  }
};

TEST(Placement, RequiredPodsGoToTheSmallestDomainThatSuffices) {
  OneRack world;
  EXPECT_EQ(world.Place(Required(kHost, 3)), "n3:3");
  EXPECT_EQ(world.Place(Required(kHost, 5)), "no place");
  EXPECT_EQ(world.Find(Required(kHost, 5)).fitting, 4);
}

TEST(Placement, WithoutSlicesTheLargestHostsComeFirst) {
  EXPECT_EQ(OneRack().Place(Required(kRack, 5)), "n2:1 n4:4");
}

TEST(Placement, BelowASliceTheSmallestHostsComeFirst) {
  EXPECT_EQ(OneRack().Place(InSlices(Required(kRack, 5), kRack, 5)), "n2:2 n3:3");
}

TEST(Placement, UnconstrainedPodsGoToTheLeastFreeHosts) {
  OneRack world;
  EXPECT_EQ(world.Place(Unconstrained(3)), "n3:3");
  EXPECT_EQ(world.Place(Unconstrained(6)), "n2:2 n3:3 n4:1");
}

TEST(Placement, EqualNamesInTwoBlocksAreTwoRacks) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 2);
  world.AddNode("b2/r1/n2", 2);
  EXPECT_EQ(world.Place(Required(kRack, 3)), "no place");
  EXPECT_EQ(world.Place(Required(kRack, 2)), "n1:2");
}

TEST(Placement, PreferredPodsTryOneLevelUpAndThenSpread) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 2);
  world.AddNode("b1/r2/n2", 2);
  world.AddNode("b2/r1/n3", 3);
  EXPECT_EQ(world.Place(Preferred(kRack, 3)), "n3:3");
  EXPECT_EQ(world.Place(Preferred(kRack, 4)), "n1:2 n2:2");
  EXPECT_EQ(world.Place(Preferred(kRack, 6)), "n1:2 n2:1 n3:3");
  EXPECT_EQ(world.Place(Preferred(kRack, 8)), "no place");
}

// The whole count is distributed again over the racks of all chosen blocks.
TEST(Placement, ABigRackOfTheSecondBlockCanComeFirst) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 3);
  world.AddNode("b1/r2/n2", 3);
  world.AddNode("b2/r1/n3", 5);
  EXPECT_EQ(world.Place(Preferred(kBlock, 7)), "n1:2 n3:5");
}

TEST(Placement, UsageAndThePodLimitCount) {
  OneRack world;
  world.Use("n3", 2);
  EXPECT_EQ(world.Place(Required(kHost, 3)), "n4:3");
  world.AddNode("b1/r1/n4", 4, /*pods=*/2);
  EXPECT_EQ(world.Place(Required(kHost, 3)), "no place");
  PlacementRequest empty = Required(kHost, 3);
  empty.ignores_usage = true;
  EXPECT_EQ(world.Place(empty), "n3:3");
}

TEST(Placement, NegativeCapacityFitsNothing) {
  OneRack world;
  const Request other[] = {{testing::kCpu, 9}, {testing::kPods, 1}};
  world.topologies.SetOtherUsage("b1/r1/n4", other);
  EXPECT_EQ(world.Place(Unconstrained(6)), "no place");
  EXPECT_EQ(world.Place(Unconstrained(5)), "n2:2 n3:3");
}

TEST(Placement, TheLastSliceIsIncompleteIfTheCountIsNoMultiple) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4);
  world.AddNode("b1/r2/n2", 4);
  EXPECT_EQ(world.Place(InSlices(Required(kBlock, 7), kRack, 4)), "n1:4 n2:3");
  EXPECT_EQ(world.Place(InSlices(Required(kBlock, 3), kRack, 4)), "n1:3");
  EXPECT_EQ(world.Place(InSlices(Required(kBlock, 9), kRack, 4)), "no place");
}

TEST(Placement, PodsBeyondAllRoomHaveNoPlaceWhateverTheirNumber) {
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  OneRack world;
  for (const int32_t size : {1, 2, kMost - 1, kMost}) {
    for (const auto& request : {Required(kRack, kMost), Preferred(kRack, kMost)})
      EXPECT_EQ(world.Place(InSlices(request, kRack, size)), "no place") << size;
    EXPECT_EQ(world.Place(InSlices(Unconstrained(kMost), kRack, size)), "no place") << size;
    PlacementRequest balanced = InSlices(Preferred(kRack, kMost), kRack, size);
    balanced.may_balance = true;
    EXPECT_EQ(world.Place(balanced), "no place") << size;
  }
}

TEST(Placement, InnerSlicesStayWhole) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 3);
  world.AddNode("b1/r1/n2", 3);
  world.AddNode("b1/r1/n3", 2);
  PlacementRequest request = InSlices(Required(kBlock, 4), kRack, 4);
  request.inner_sizes = {0, 0, 2};
  EXPECT_EQ(world.Place(request), "n1:2 n3:2");
}

TEST(Placement, TheLeaderIsBelowTheSameDomainAsItsWorkers) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 2);
  world.AddNode("b1/r1/n2", 1);
  world.AddNode("b1/r2/n3", 2);
  PlacementRequest request = Required(kRack, 2);
  request.has_leader = true;
  const Placement placement = world.Find(request);
  EXPECT_EQ(world.Text(placement.workers), "n1:1 n2:1");
  EXPECT_EQ(world.Text(placement.leader), "n1:1");
  request.level = kHost;
  EXPECT_EQ(world.Place(request), "no place");
}

TEST(Placement, OnlyTheRequiredDomainIsUsedForReplacements) {
  OneRack world;
  PlacementRequest request = Unconstrained(2);
  request.within = world.forest().FindLeaf(world.Path("n4"));
  EXPECT_EQ(world.Place(request), "n4:2");
}

TEST(BalancedPlacement, PodsAreSpreadEvenly) {
  TopologyWorld world;
  world.AddNode("b1/r1/n1", 4);
  world.AddNode("b1/r1/n2", 4);
  PlacementRequest request = Preferred(kRack, 6);
  EXPECT_EQ(world.Place(request), "n1:4 n2:2");
  request.may_balance = true;
  EXPECT_EQ(world.Place(request), "n1:3 n2:3");
}

}  // namespace
}  // namespace berth::engine
