// Groups of podsets: a leader with one pod, and its workers.

#include "engine/topology/workload_placer.h"

#include <gtest/gtest.h>

#include "engine/testing/placed_engine.h"

namespace berth::engine {
namespace {

using testing::PlacedEngine;

struct RackOfTen : PlacedEngine {
  RackOfTen() { AddNode("r1/n1", 10); }

  WorkloadId AddGroup(const std::vector<int32_t>& counts) {
    return AddPending("group", counts,
                      std::vector<PodSetTopology>(counts.size(), Requiring("rack")));
  }
};

TEST(PodSetGroup, PlacesTheLeaderAndItsWorkers) {
  RackOfTen world;
  const WorkloadId group = world.AddGroup({1, 3});
  EXPECT_EQ(world.OutcomeOf(group), Outcome::kAdmitted);
  EXPECT_EQ(world.PlacesOf(group, 0), "n1:1");
  EXPECT_EQ(world.PlacesOf(group, 1), "n1:3");
}

// Neither of them could be the leader of the other two.
TEST(PodSetGroup, OfThreePodSetsHasNoPlace) {
  RackOfTen world;
  EXPECT_EQ(world.OutcomeOf(world.AddGroup({1, 2, 3})), Outcome::kNoFit);
}

// A leader is one pod: the second one would be without a place.
TEST(PodSetGroup, OfTwoPodSetsWithSeveralPodsHasNoPlace) {
  RackOfTen world;
  EXPECT_EQ(world.OutcomeOf(world.AddGroup({2, 3})), Outcome::kNoFit);
}

}  // namespace
}  // namespace berth::engine
