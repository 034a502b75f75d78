// Workloads that hold quota and need another place: when they are considered.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
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

// Otherwise one cycle would both replace the slice and evict it or move its pods.
TEST(SecondPass, EndsWhenAnotherSliceReplacesTheWorkload) {
  for (const int64_t cpus : {1, 2}) {  // one pod has no other place in its rack, or has one
    PlacedEngine world;
    world.AddNode("r1/n1", 1, /*is_usable=*/false);
    world.AddNode("r1/n2", cpus);
    world.AddNode("r2/n3", 2);
    const WorkloadId old = world.AddFailed("old", {{"n1", 1}, {"n2", 1}}, world.Requiring("rack"));
    PendingSpec slice = world.Waiting("new", {2}, {world.Requiring("rack")});
    slice.replaces_uid = "old";
    const WorkloadId replacement = world.engine.AddPending(slice, kPlacedStart);
    std::vector<WorkloadId> considered;
    for (const Decision& decision : world.engine.RunCycle(kPlacedStart))
      considered.push_back(decision.workload);
    EXPECT_EQ(considered, std::vector<WorkloadId>{replacement});
    EXPECT_EQ(world.PlacesOf(replacement), "n3:2");
    EXPECT_FALSE(world.engine.IsReserved(old));
  }
}

// --- Slices ------------------------------------------------------------------------------------

// Four racks of three hosts, and a workload in slices of a rack.
class SlicesInRacks {
 public:
  SlicesInRacks(base::Random& random, int32_t count, int32_t size) : count_(count), size_(size) {
    for (int i = 0; i < 12; ++i) {
      cpus_.push_back(static_cast<int64_t>(random.Below(5)));
      world_.AddNode(NodeName(i), cpus_.back());
    }
    request_ = world_.Requiring("rack");
    request_.kind = TopologyKind::kPreferred;
    request_.slices = {{"rack", size}};
    workload_ = world_.AddPending("slices", {count}, {request_});
    is_placed_ = world_.OutcomeOf(workload_) == Outcome::kAdmitted;
  }

  bool is_placed() const { return is_placed_; }
  // Then it has another place, or none.
  void FailAHost(base::Random& random) {
    std::vector<PlacedEngine::Pods> pods = Pods();
    std::swap(pods[0], pods[random.Below(pods.size())]);
    const int host = std::stoi(pods[0].host.substr(1));
    cpus_[static_cast<size_t>(host)] = 0;
    world_.AddNode(NodeName(host), 0, /*is_usable=*/false);
    world_.engine.Remove(workload_);
    workload_ = world_.AddFailed("slices", pods, request_);
    is_placed_ = world_.OutcomeOf(workload_) == Outcome::kPlaced;
  }

  // "" if every pod has a place and each rack has whole slices, one of them besides the last one.
  std::string Fault() const {
    std::map<int, int32_t> by_rack;
    int32_t all = 0;
    for (const PlacedEngine::Pods& pods : Pods()) {
      const int host = std::stoi(pods.host.substr(1));
      by_rack[host / 3] += pods.count;
      all += pods.count;
      if (pods.count > cpus_[static_cast<size_t>(host)]) return pods.host + " is overfull";
    }
    if (all != count_) return std::to_string(all) + " pods have a place";
    int incomplete = 0;
    for (const auto& [rack, pods] : by_rack) {
      if (pods % size_ == 0) continue;
      ++incomplete;
      if (pods % size_ != count_ % size_) return "a slice is torn";
    }
    return incomplete > 1 ? "two slices are incomplete" : "";
  }

 private:
  static std::string NodeName(int i) {
    return "r" + std::to_string(i / 3) + "/n" + std::to_string(i);
  }
  std::vector<PlacedEngine::Pods> Pods() const {
    const std::vector<PodSetAssignment> assignment = world_.engine.AssignmentOf(workload_);
    std::vector<PlacedEngine::Pods> pods;
    for (const DomainPods& in : assignment[0].domains)
      pods.push_back({world_.engine.DomainValues(in.path).back(), in.count});
    return pods;
  }

  PlacedEngine world_;
  int32_t count_, size_;
  std::vector<int64_t> cpus_;
  PodSetTopology request_;
  WorkloadId workload_;
  bool is_placed_ = false;
};

TEST(SecondPass, KeepsSlicesTogetherWhicheverHostsFail) {
  int replaced = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    base::Random random(seed);
    const auto count = static_cast<int32_t>(1 + random.Below(12));
    SlicesInRacks slices(random, count, static_cast<int32_t>(1 + random.Below(4)));
    for (; slices.is_placed(); ++replaced) {
      ASSERT_EQ(slices.Fault(), "") << "seed " << seed;
      slices.FailAHost(random);
    }
  }
  EXPECT_GT(replaced, 200);
}

}  // namespace
}  // namespace berth::engine
