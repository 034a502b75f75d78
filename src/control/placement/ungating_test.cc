#include "control/placement/ungating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "control/testing/placed_workload.h"
#include "control/testing/ungating_walk.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using testing::GatedPod;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::PlacedSet;
using testing::PlacedWorkload;
using testing::PodOn;
using ::testing::SizeIs;

using TestPods = std::map<std::string, PlacedPod>;

// The nodes of the pods that lose their gate.
std::map<std::string, std::string> Plan(const api::Workload& workload, const TestPods& pods) {
  std::vector<UngatingPod> all;
  for (const auto& [name, pod] : pods) all.push_back({.name = name, .pod = &pod});
  std::map<std::string, std::string> nodes;
  for (const Ungating& ungating : PlanUngating(workload, std::move(all)))
    nodes[ungating.pod] = ungating.domain.ValueOrEmpty(api::kHostnameLabel);
  return nodes;
}

std::map<std::string, std::string> Plan(const PlacedSet& set, const TestPods& pods) {
  return Plan(PlacedWorkload({set}), pods);
}

PlacedPod WithOffset(PlacedPod pod, std::string offset) {
  pod.index_offset = std::move(offset);
  return pod;
}

PlacedPod Terminating(PlacedPod pod) {
  pod.is_terminating = true;
  return pod;
}

PlacedSet TwoNodes() { return {.domains = {{{"n1"}, 2}, {{"n2"}, 2}}, .request = {}}; }

PlacedSet Ranked(PlacedSet set) {
  set.request.pod_index_label = "index";
  return set;
}

// --- Which workloads -----------------------------------------------------------------------------

TEST(UngatedWorkload, IsAdmittedAndMayRun) {
  api::Workload workload = PlacedWorkload({TwoNodes()});
  EXPECT_THAT(Plan(workload, {{"a", GatedPod()}}), SizeIs(1));
  for (const std::string_view type : {api::condition::kEvicted, api::condition::kFinished}) {
    api::Workload stopped = workload;
    stopped.status.conditions.push_back({.type = std::string(type), .status = "True"});
    EXPECT_THAT(Plan(stopped, {{"a", GatedPod()}}), IsEmpty()) << type;
  }
  std::erase_if(workload.status.conditions,
                [](const auto& c) { return c.type == api::condition::kAdmitted; });
  EXPECT_THAT(Plan(workload, {{"a", GatedPod()}}), IsEmpty());
}

TEST(UngatedWorkload, HasAPodSetWithATopology) {
  api::Workload workload = PlacedWorkload({TwoNodes(), {.name = "other", .request = {}}});
  workload.status.admission->pod_set_assignments[1].topology_assignment.reset();
  EXPECT_THAT(
      Plan(workload,
           {{"a", GatedPod()}, {"b", GatedPod({}, "other")}, {"c", GatedPod({}, "unknown")}}),
      ElementsAre(Pair("a", "n1")));
}

// --- Any free place ------------------------------------------------------------------------------

TEST(UngatedPods, WithoutRanksFillTheDomainsInTheirOrder) {
  EXPECT_THAT(Plan(TwoNodes(), {{"a", GatedPod()}, {"b", GatedPod()}, {"c", GatedPod()}}),
              ElementsAre(Pair("a", "n1"), Pair("b", "n1"), Pair("c", "n2")));
}

TEST(UngatedPods, AreNoMoreThanAssigned) {
  EXPECT_THAT(
      Plan({.domains = {{{"n1"}, 1}}, .request = {}}, {{"a", PodOn("n1")}, {"b", GatedPod()}}),
      IsEmpty());
}

TEST(UngatedPods, TakeThePlaceOfAPodThatIsGone) {
  EXPECT_THAT(Plan(TwoNodes(),
                   {{"a", PodOn("n1")}, {"b", PodOn("n2")}, {"c", PodOn("n2")}, {"d", GatedPod()}}),
              ElementsAre(Pair("d", "n1")));
}

TEST(UngatedPods, WaitForThePlaceOfAPodThatIsBeingDeleted) {
  EXPECT_THAT(Plan({.domains = {{{"n1"}, 1}}, .request = {}},
                   {{"a", Terminating(PodOn("n1"))}, {"b", GatedPod()}}),
              IsEmpty());
}

TEST(UngatedPods, DoNotIncludePodsThatAreBeingDeleted) {
  EXPECT_THAT(Plan({.domains = {{{"n1"}, 1}}, .request = {}},
                   {{"a", Terminating(GatedPod())}, {"b", GatedPod()}}),
              ElementsAre(Pair("b", "n1")));
}

TEST(UngatedPods, CountWritesInFlight) {
  const PlacedPod pod = GatedPod();
  const NodeLabels domain{{std::string(api::kHostnameLabel), "n1"}};
  EXPECT_THAT(
      PlanUngating(PlacedWorkload({{.domains = {{{"n1"}, 1}}, .request = {}}}),
                   {{.name = "a", .pod = &pod, .domain = &domain}, {.name = "b", .pod = &pod}}),
      IsEmpty());
}

TEST(UngatedPods, GetTheLabelsOfAllAssignedLevels) {
  const PlacedSet set{.domains = {{{"b1", "r1"}, 1}}, .levels = {"block", "rack"}, .request = {}};
  const PlacedPod pod = GatedPod();
  EXPECT_THAT(PlanUngating(PlacedWorkload({set}), {{.name = "a", .pod = &pod}}),
              ElementsAre(Ungating{.pod = "a", .domain = {{"block", "b1"}, {"rack", "r1"}}}));
}

TEST(UngatedPods, OfAnElasticJobHaveQuotaFirst) {
  PlacedPod waiting = GatedPod();
  waiting.gates.emplace_back(api::kElasticJobSchedulingGate);
  EXPECT_THAT(Plan({.domains = {{{"n1"}, 1}}, .request = {}}, {{"a", waiting}, {"b", GatedPod()}}),
              ElementsAre(Pair("b", "n1")));
}

// --- Ranks ---------------------------------------------------------------------------------------

TEST(RankedPods, GoToTheDomainOfTheirRank) {
  EXPECT_THAT(
      Plan(Ranked(TwoNodes()), {{"a", GatedPod({{"index", 3}})}, {"b", GatedPod({{"index", 2}})}}),
      ElementsAre(Pair("a", "n2"), Pair("b", "n2")));
}

TEST(RankedPods, ReplaceThePodOfTheirRank) {
  EXPECT_THAT(Plan(Ranked(TwoNodes()), {{"a", PodOn("n1", {{"index", 0}})},
                                        {"b", PodOn("n2", {{"index", 2}})},
                                        {"c", GatedPod({{"index", 3}})}}),
              ElementsAre(Pair("c", "n2")));
}

TEST(RankedPods, OfAReplicatedJobCountItsJobs) {
  PlacedSet set = Ranked(TwoNodes());
  set.request.sub_group_index_label = "job";
  set.request.sub_group_count = 2;
  EXPECT_THAT(Plan(set, {{"a", GatedPod({{"index", 0}, {"job", 1}})},
                         {"b", GatedPod({{"index", 1}, {"job", 0}})}}),
              ElementsAre(Pair("a", "n2"), Pair("b", "n1")));
}

TEST(RankedPods, CountFromTheirOffset) {
  const PlacedSet set = Ranked({.domains = {{{"n1"}, 1}, {{"n2"}, 1}}, .request = {}});
  EXPECT_THAT(Plan(set, {{"a", WithOffset(GatedPod({{"index", 2}}), "1")}}),
              ElementsAre(Pair("a", "n2")));
}

TEST(RankedPods, OfAGroupCountFromTheLeader) {
  PlacedSet leader{.name = "leader", .domains = {{{"n1"}, 1}}, .request = {}};
  PlacedSet workers =
      Ranked({.name = "workers", .domains = {{{"n1"}, 1}, {{"n2"}, 1}}, .request = {}});
  leader.request.pod_set_group_name = workers.request.pod_set_group_name = "group";
  for (const auto& sets : {std::vector{leader, workers}, std::vector{workers, leader}})
    EXPECT_THAT(Plan(PlacedWorkload(sets), {{"l", GatedPod({{"index", 0}}, "leader")},
                                            {"w", GatedPod({{"index", 2}}, "workers")}}),
                ElementsAre(Pair("l", "n1"), Pair("w", "n2")));
}

TEST(RankedPods, LeaveTheirPlaceToAReplacementWhenTheirNodeIsReplaced) {
  EXPECT_THAT(Plan(Ranked({.domains = {{{"n1"}, 1}, {{"n3"}, 1}}, .request = {}}),
                   {{"a", PodOn("n1", {{"index", 0}})},
                    {"b", Terminating(PodOn("n2", {{"index", 1}}))},
                    {"b2", GatedPod({{"index", 1}})}}),
              ElementsAre(Pair("b2", "n3")));
}

TEST(RankedPods, WaitForThePlaceOfAPodThatIsBeingDeletedAndDisturbNoOthers) {
  const PlacedSet set = Ranked({.domains = {{{"n1"}, 1}, {{"n2"}, 1}, {{"n3"}, 1}}, .request = {}});
  EXPECT_THAT(Plan(set, {{"a", GatedPod({{"index", 2}})},
                         {"b", Terminating(PodOn("n1", {{"index", 0}}))},
                         {"b2", GatedPod({{"index", 0}})}}),
              ElementsAre(Pair("a", "n3")));
}

// --- Ranks that cannot be -----------------------------------------------------------------------

struct BadRank {
  std::string name;
  PlacedPod pod;
};

class UnusableRank : public ::testing::TestWithParam<BadRank> {};

// Pod b has rank 3: with ranks it would go to n2.
TEST_P(UnusableRank, MakePodsTakeAnyFreePlace) {
  EXPECT_THAT(Plan(Ranked(TwoNodes()), {{"a", GetParam().pod}, {"b", GatedPod({{"index", 3}})}}),
              ElementsAre(Pair("a", "n1"), Pair("b", "n1")));
}

INSTANTIATE_TEST_SUITE_P(Pods, UnusableRank,
                         ::testing::ValuesIn(std::vector<BadRank>{
                             {"Missing", GatedPod()},
                             {"Duplicate", GatedPod({{"index", 3}})},
                             {"BehindTheLast", GatedPod({{"index", 4}})},
                             {"BeforeTheOffset", WithOffset(GatedPod({{"index", 0}}), "1")},
                             {"UnreadableOffset", WithOffset(GatedPod({{"index", 0}}), "one")}}),
                         [](const auto& row) { return row.param.name; });

TEST(UnusableRanks, OfPodsThatRunElsewhereApplyToNone) {
  EXPECT_THAT(Plan(Ranked(TwoNodes()),
                   {{"a", PodOn("n2", {{"index", 0}})}, {"b", GatedPod({{"index", 3}})}}),
              ElementsAre(Pair("b", "n1")));
}

TEST(UnusableRanks, BehindTheAssignedPodsApplyToNone) {
  PlacedSet set = Ranked(TwoNodes());
  set.count = 5;
  EXPECT_THAT(Plan(set, {{"a", GatedPod({{"index", 4}})}, {"b", GatedPod({{"index", 3}})}}),
              ElementsAre(Pair("a", "n1"), Pair("b", "n1")));
}

TEST(UnusableRanks, OfReplicatedJobsWithoutACountApplyToNone) {
  PlacedSet set = Ranked(TwoNodes());
  set.request.sub_group_index_label = "job";
  for (const std::optional<int32_t> count : {std::optional<int32_t>(), std::optional(0)}) {
    set.request.sub_group_count = count;
    EXPECT_THAT(Plan(set, {{"a", GatedPod({{"index", 1}, {"job", 1}})}}),
                ElementsAre(Pair("a", "n1")));
  }
}

TEST(UnusableRanks, OfJobsThatAreTooLargeApplyToNone) {
  PlacedSet set = Ranked(TwoNodes());
  set.request.sub_group_index_label = "job";
  set.request.sub_group_count = 2;
  EXPECT_THAT(Plan(set, {{"a", GatedPod({{"index", 2}, {"job", 0}})},
                         {"b", GatedPod({{"index", 1}, {"job", 1}})}}),
              ElementsAre(Pair("a", "n1"), Pair("b", "n1")));
}

// --- Failed nodes --------------------------------------------------------------------------------

TEST(FailedNode, GetsNoPods) {
  api::Workload workload = PlacedWorkload({TwoNodes()});
  workload.status.unhealthy_nodes.push_back({.name = "n1", .extra = {}});
  EXPECT_THAT(Plan(workload, {{"a", GatedPod()}}), ElementsAre(Pair("a", "n2")));
  workload.spec.pod_sets[0].topology_request->pod_index_label = "index";
  EXPECT_THAT(Plan(workload, {{"a", GatedPod({{"index", 0}})}, {"b", GatedPod({{"index", 3}})}}),
              ElementsAre(Pair("b", "n2")));
}

TEST(FailedNode, KeepsThePodsThatRunElsewhere) {
  EXPECT_THAT(Plan(Ranked({.domains = {{{"n2"}, 1}, {{"n3"}, 1}}, .request = {}}),
                   {{"a", PodOn("n3", {{"index", 0}})}, {"b", GatedPod({{"index", 1}})}}),
              ElementsAre(Pair("b", "n2")));
}

// --- Any life ------------------------------------------------------------------------------------

TEST(UngatingWalk, NeverOverfillsADomainAndEndsTheSameInAnyOrder) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    base::Random random(seed);
    testing::UngatingWalk walk([&](uint64_t bound) { return random.Below(bound); });
    for (int step = 0; step < 200; ++step) {
      walk.Step();
      ASSERT_EQ(walk.problem(), "") << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace berth::control
