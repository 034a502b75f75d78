// Workloads that hold quota and need another place: when they are considered.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/testing/placed_engine.h"

namespace berth::engine {
namespace {

using testing::kPlacedStart;
using testing::PlacedEngine;

EngineOptions Patient() {
  EngineOptions options;
  options.tas_failed_node_replacement_fail_fast = false;
  return options;
}

// Two pods on a failed host; no other host has room for them.
struct WithoutRoom : PlacedEngine {
  WithoutRoom() : PlacedEngine(Patient()) {
    AddNode("r1/n1", 2, /*is_usable=*/false);
    AddNode("r1/n2", 1);
    workload = AddFailed("running", {{"n1", 2}}, Requiring(kHostnameLevel));
  }
  // Seconds after the first attempt at which the workload is considered.
  std::vector<int64_t> Attempts(int64_t until) {
    std::vector<int64_t> attempts;
    for (int64_t second = 0; second <= until; ++second)
      if (OutcomeOf(workload, kPlacedStart + base::Duration::Seconds(second)))
        attempts.push_back(second);
    return attempts;
  }

  WorkloadId workload;
};

TEST(SecondPass, IsTriedAgainAfterTwoSecondsAndThenAfterTwiceTheTimeUpToHalfAMinute) {
  WithoutRoom world;
  EXPECT_EQ(world.Attempts(95), (std::vector<int64_t>{0, 2, 6, 14, 30, 60, 90}));
}

TEST(SecondPass, IsTriedAtOnceWhenANodeOfItsFlavorChanges) {
  WithoutRoom world;
  EXPECT_TRUE(world.OutcomeOf(world.workload));
  EXPECT_FALSE(world.OutcomeOf(world.workload));
  world.engine.RequeueUsersOf("n2");
  EXPECT_TRUE(world.OutcomeOf(world.workload));
}

// Otherwise the changes of a large cluster make it try all the time.
TEST(SecondPass, WaitsForItsTimeWhenANodeOfAnotherFlavorChanges) {
  WithoutRoom world;
  world.engine.SetTopologyFlavor(
      {.flavor = world.flavor, .topology = "t", .node_labels = {{"pool", "a"}}});
  world.engine.SetTopologyFlavor(
      {.flavor = world.engine.Flavor("other"), .topology = "t", .node_labels = {{"pool", "b"}}});
  world.engine.SetNode(
      {.name = "b1",
       .labels = {{std::string(kHostnameLevel), "b1"}, {"pool", "b"}, {"rack", "r"}},
       .allocatable = {}});
  EXPECT_TRUE(world.OutcomeOf(world.workload));
  world.engine.RequeueUsersOf("b1");
  EXPECT_FALSE(world.OutcomeOf(world.workload));
}

// Pods on a failed node have no place until their workload is considered.
TEST(SecondPass, TakesPlaceBesideAWaitingHeadWithFairSharing) {
  EngineOptions fair;
  fair.fair_sharing = true;
  PlacedEngine world(fair);
  world.AddNode("r1/n1", 2, /*is_usable=*/false);
  world.AddNode("r1/n2", 2);
  const WorkloadId running = world.AddFailed("running", {{"n1", 2}}, world.Requiring("rack"));
  const WorkloadId head = world.AddPending("never", {3}, {world.Requiring(kHostnameLevel)});
  std::vector<WorkloadId> considered;
  for (const Decision& decision : world.engine.RunCycle(kPlacedStart))
    considered.push_back(decision.workload);
  EXPECT_EQ(considered, (std::vector<WorkloadId>{running, head}));
  EXPECT_EQ(world.PlacesOf(running), "n2:2");
}

}  // namespace
}  // namespace berth::engine
