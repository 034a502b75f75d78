#include "scenario/scenario_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/decode.h"

namespace berth::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Outcome From(std::string_view json) {
  return schema::Decode<Outcome>(json, {.is_strict = true}).value();
}

// An outcome; members not given are empty.
Outcome Happened(std::string_view json = "{}") {
  Outcome outcome = From(json);
  const auto fill = [](auto& member) {
    if (!member) member.emplace();
  };
  fill(outcome.admissions);
  fill(outcome.newly_admitted);
  fill(outcome.preempted);
  fill(outcome.evicted);
  fill(outcome.finished);
  fill(outcome.pending);
  fill(outcome.inadmissible);
  fill(outcome.per_cycle);
  return outcome;
}

constexpr std::string_view kHoldsSpot = R"({"admissions": {"a/job": {
  "clusterQueue": "a",
  "podSetAssignments": [{"name": "main", "count": 2, "flavors": {"cpu": "spot"},
                         "resourceUsage": {"cpu": "1500m"}}]}}})";

TEST(Comparing, LeavesOutWhatIsNotWanted) {
  EXPECT_THAT(Differences(From("{}"), Happened(kHoldsSpot)), IsEmpty());
}

TEST(Comparing, TakesListsAsSets) {
  EXPECT_THAT(Differences(From(R"({"newlyAdmitted": ["a/y", "a/x"]})"),
                          Happened(R"({"newlyAdmitted": ["a/x", "a/y"]})")),
              IsEmpty());
}

TEST(Comparing, TakesQuantitiesByValue) {
  EXPECT_THAT(Differences(From(R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "main", "count": 2, "flavors": {"cpu": "spot"},
                             "resourceUsage": {"cpu": "1.5"}}]}}})"),
                          Happened(kHoldsSpot)),
              IsEmpty());
}

TEST(Comparing, TakesPodSetsByName) {
  const std::string_view both = R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "x", "count": 1}, {"name": "y", "count": 2}]}}})";
  const std::string_view turned = R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "y", "count": 2}, {"name": "x", "count": 1}]}}})";
  EXPECT_THAT(Differences(From(both), Happened(turned)), IsEmpty());
}

TEST(Comparing, TakesPackedTopologiesByDomain) {
  const std::string_view one_slice = R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "main", "topologyAssignment": {"levels": ["rack"],
        "slices": [{"domainCount": 2, "podCounts": {"universal": 1},
          "valuesPerLevel": [{"individual": {"prefix": "r", "roots": ["1", "2"]}}]}]}}]}}})";
  const std::string_view two_slices = R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "main", "topologyAssignment": {"levels": ["rack"],
        "slices": [
          {"domainCount": 1, "podCounts": {"universal": 1},
           "valuesPerLevel": [{"universal": "r2"}]},
          {"domainCount": 1, "podCounts": {"universal": 1},
           "valuesPerLevel": [{"universal": "r1"}]}]}}]}}})";
  EXPECT_THAT(Differences(From(one_slice), Happened(two_slices)), IsEmpty());
  EXPECT_THAT(Differences(From(one_slice), Happened(R"({"admissions": {"a/job": {
      "clusterQueue": "a", "podSetAssignments": [{"name": "main"}]}}})")),
              ElementsAre(R"(a/job, podset "main": expected levels rack, but it has none)",
                          R"(a/job, podset "main": expected 1 pod in "r1", but there is none)",
                          R"(a/job, podset "main": expected 1 pod in "r2", but there is none)"));
}

TEST(ADifference, SaysWhyAWorkloadWaits) {
  EXPECT_THAT(
      Differences(From(kHoldsSpot), Happened(R"({"inadmissible": {"a": ["a/job"]},
                                                 "reasons": {"a/job": "WaitingForQuota"}})")),
      ElementsAre(R"(a/job: expected to be admitted in "a": "main" x2 with cpu 1500m from flavor )"
                  R"("spot", but it is inadmissible in "a": WaitingForQuota)"));
}

TEST(ADifference, NamesBothFlavors) {
  EXPECT_THAT(Differences(From(R"({"admissions": {"a/job": {"clusterQueue": "a",
      "podSetAssignments": [{"name": "main", "count": 2, "flavors": {"cpu": "on-demand"},
                             "resourceUsage": {"cpu": "1500m"}}]}}})"),
                          Happened(kHoldsSpot)),
              ElementsAre(R"(a/job, podset "main": expected cpu from flavor "on-demand", )"
                          R"(but it comes from flavor "spot")"));
}

TEST(ADifference, NamesWhatWasNotExpectedAtAll) {
  EXPECT_THAT(Differences(From(R"({"admissions": {}, "preempted": {}, "pending": {}})"),
                          Happened(R"({"admissions": {"a/job": {"clusterQueue": "a"}},
                               "preempted": {"a/job": "InClusterQueue"},
                               "pending": {"b": ["a/next"]}})")),
              ElementsAre(R"(a/job: expected to hold no quota, but it is admitted in "a")",
                          "a/job: expected not to be preempted, but it is (InClusterQueue)",
                          R"(a/next: expected not to be pending in "b", but it is)"));
}

TEST(ADifference, TellsAnotherReasonFromNone) {
  EXPECT_THAT(Differences(From(R"({"preempted": {"a/x": "InClusterQueue", "a/y": "InClusterQueue"},
                                   "reasons": {"a/z": "WaitingForQuota"}})"),
                          Happened(R"({"preempted": {"a/x": "InCohortReclamation"},
                                       "reasons": {"a/z": "ExceedsMaxQuota"}})")),
              ElementsAre("a/x: expected to be preempted because of InClusterQueue, but the reason "
                          "is InCohortReclamation",
                          "a/y: expected to be preempted (InClusterQueue), but it is not; it "
                          "has no quota and is not pending",
                          "a/z: expected the pending reason WaitingForQuota, but the reason is "
                          "ExceedsMaxQuota"));
}

TEST(ADifference, NamesTheCycle) {
  EXPECT_THAT(Differences(From(R"({"perCycle": [{}, {"newlyAdmitted": ["a/job"]}]})"),
                          Happened(R"({"perCycle": [{}, {"newlyAdmitted": []}]})")),
              ElementsAre("in cycle 2, a/job: expected to be newly admitted, but it is not; it "
                          "is not pending"));
  EXPECT_THAT(Differences(From(R"({"perCycle": [{}]})"), Happened()),
              ElementsAre("expected 1 cycle, but the number is 0"));
}

}  // namespace
}  // namespace berth::scenario
