// Preemption targets of one domain (gate TASPreemptFewestInDomain).

#include "engine/preemption/domain_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/testing/placed_engine.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kPlacedStart;
using testing::PlacedEngine;

EngineOptions FewestInDomain() {
  EngineOptions options;
  options.tas_preempt_fewest_in_domain = true;
  return options;
}

// Three racks with a host of four cpus each.
struct ThreeRacks : PlacedEngine {
  explicit ThreeRacks(const EngineOptions& options = FewestInDomain(), int64_t quota = 1000)
      : PlacedEngine(options, quota) {
    for (const char* node : {"r1/n1", "r2/n2", "r3/n3"}) AddNode(node, 4);
  }
  // Started later than those before.
  void Run(const std::string& uid, const std::string& host, int32_t pods, int64_t priority = 0,
           bool is_evicted = false) {
    ReservedSpec spec = Running(uid, {{host, pods}}, Requiring("rack"));
    spec.reserved_at = kPlacedStart + base::Duration::Seconds(static_cast<int64_t>(uids.size()));
    spec.priority = priority;
    spec.is_evicted = is_evicted;
    engine.AddReserved(std::move(spec));
    uids.push_back(uid);
  }
  // Of a workload of four pods that need one rack.
  std::vector<std::string> Targets(TopologyKind kind = TopologyKind::kRequired) {
    PodSetTopology request = Requiring("rack");
    request.kind = kind;
    const WorkloadId head = AddPending("head", {4}, {request}, /*priority=*/100);
    std::vector<std::string> targets;
    for (const Decision& decision : engine.RunCycle(kPlacedStart)) {
      EXPECT_EQ(decision.workload, head);
      for (const PreemptionTarget& target : decision.targets)
        targets.push_back(uids.at(target.workload.index()));
    }
    return targets;
  }

  std::vector<std::string> uids;
};

TEST(DomainTargets, AreTheFewest) {
  ThreeRacks world;
  world.Run("all-of-1", "n1", 4);
  world.Run("half-of-2", "n2", 2);
  world.Run("rest-of-2", "n2", 2);
  world.Run("all-of-3", "n3", 4, /*priority=*/200);
  EXPECT_THAT(world.Targets(), ElementsAre("all-of-1"));
}

TEST(DomainTargets, AreNotSoughtByDomainWithoutTheGate) {
  ThreeRacks world{EngineOptions()};
  world.Run("all-of-1", "n1", 4);
  world.Run("half-of-2", "n2", 2);
  world.Run("rest-of-2", "n2", 2);
  world.Run("all-of-3", "n3", 4, /*priority=*/200);
  EXPECT_THAT(world.Targets(), ElementsAre("rest-of-2", "half-of-2"));
}

TEST(DomainTargets, OfEqualNumberHaveTheLowestPriorities) {
  ThreeRacks world;
  world.Run("a", "n1", 2, 1);
  world.Run("b", "n1", 2, 3);
  world.Run("c", "n2", 2, 2);
  world.Run("d", "n2", 2, 2);
  world.Run("e", "n3", 4, 200);
  EXPECT_THAT(world.Targets(), ElementsAre("d", "c"));
}

TEST(DomainTargets, OfEqualPrioritiesAreInTheFirstPath) {
  ThreeRacks world;
  for (const std::string host : {"n3", "n1", "n2"}) world.Run("on-" + host, host, 4);
  EXPECT_THAT(world.Targets(), ElementsAre("on-n1"));
}

// Their pods leave anyway, so waiting for them disturbs nothing.
TEST(DomainTargets, ThatAreBeingEvictedDoNotCount) {
  ThreeRacks world;
  world.Run("a", "n1", 4);
  world.Run("b", "n2", 2, 0, /*is_evicted=*/true);
  world.Run("c", "n2", 2, 0, /*is_evicted=*/true);
  world.Run("d", "n3", 4);
  EXPECT_THAT(world.Targets(), IsEmpty());
}

TEST(DomainTargets, OfAPreferredRequestAreTheFewestToo) {
  ThreeRacks world;
  world.Run("all-of-1", "n1", 4);
  world.Run("half-of-2", "n2", 2);
  world.Run("rest-of-2", "n2", 2);
  world.Run("all-of-3", "n3", 4, /*priority=*/200);
  EXPECT_THAT(world.Targets(TopologyKind::kPreferred), ElementsAre("all-of-1"));
}

// Two pods of each rack: no single rack frees the quota of four.
TEST(DomainTargets, AreSoughtEverywhereIfOneDomainDoesNotFreeEnoughQuota) {
  ThreeRacks world(FewestInDomain(), /*quota=*/6);
  for (const std::string host : {"n1", "n2", "n3"}) world.Run("on-" + host, host, 2);
  EXPECT_THAT(world.Targets(), ElementsAre("on-n3", "on-n2"));
}

}  // namespace
}  // namespace berth::engine
