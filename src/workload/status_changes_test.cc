#include "workload/status_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "api/meta/conditions.h"
#include "schema/decode.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);
constexpr base::Time kLater = base::Time::FromSeconds(1'000'060);

// "Type=Status Reason" of all conditions.
std::vector<std::string> Conditions(const api::Workload& workload) {
  std::vector<std::string> texts;
  for (const api::Condition& c : workload.status.conditions)
    texts.push_back(c.type + "=" + c.status + " " + c.reason);
  return texts;
}

void Reserve(api::Workload& workload, base::Time now) {
  MarkReserved(workload, {.cluster_queue = "q", .pod_set_assignments = {}, .extra = {}}, now);
  SyncAdmitted(workload, now);
}

TEST(AWorkloadsLife, IsShownByItsConditions) {
  api::Workload workload;
  Reserve(workload, kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=True QuotaReserved", "Admitted=True Admitted"));
  MarkPreempted(workload, "InClusterQueue", "for b", kNow);
  MarkStopped(workload, kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=False PendingEvaluation", "Admitted=False NoReservation",
                          "Evicted=True Preempted", "Preempted=True InClusterQueue",
                          "Requeued=True Preempted"));
  EXPECT_FALSE(workload.status.admission.has_value());
  Reserve(workload, kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=True QuotaReserved", "Admitted=True Admitted",
                          "Evicted=False QuotaReserved", "Preempted=False QuotaReserved",
                          "Requeued=True Preempted"));
}

TEST(AWorkload, KeepsItsQuotaUntilItHasStopped) {
  api::Workload workload;
  Reserve(workload, kNow);
  MarkPreempted(workload, "InClusterQueue", "for b", kNow);
  EXPECT_TRUE(HasReservation(workload));
  EXPECT_TRUE(IsAdmitted(workload));
}

TEST(ACondition, KeepsItsTimeWhileItsStatusStays) {
  api::Workload workload;
  EXPECT_TRUE(MarkFinished(workload, "Succeeded", "", kNow));
  EXPECT_TRUE(MarkFinished(workload, "Failed", "", kLater));
  EXPECT_FALSE(MarkFinished(workload, "Failed", "", kLater));
  const api::Condition* finished = api::FindCondition(workload.status.conditions, "Finished");
  EXPECT_EQ(finished->reason, "Failed");
  EXPECT_EQ(finished->last_transition_time, kNow);
}

TEST(AnEviction, IsCountedByReasonAndCause) {
  api::Workload workload;
  const Eviction timeout{.reason = "PodsReadyTimeout", .cause = "WaitForStart", .message = ""};
  MarkEvicted(workload, timeout, kNow);
  MarkEvicted(workload, timeout, kNow);
  MarkEvicted(workload, {.reason = "Deactivated", .cause = "RequeuingLimitExceeded", .message = ""},
              kNow);
  const auto& evictions = workload.status.scheduling_stats->evictions;
  ASSERT_EQ(evictions.size(), 2u);
  EXPECT_EQ(evictions[0].count, 2);
  EXPECT_EQ(api::FindCondition(workload.status.conditions, "Evicted")->reason,
            "DeactivatedDueToRequeuingLimitExceeded");
}

TEST(AnEviction, StartsChecksOver) {
  api::Workload workload;
  workload.status.admission_checks = {{.name = "a", .state = "Ready"},
                                      {.name = "b", .state = "Retry", .retry_count = 1}};
  MarkEvicted(workload, {.reason = "AdmissionCheck", .cause = "", .message = ""}, kNow);
  EXPECT_EQ(workload.status.admission_checks[0].state, "Pending");
  EXPECT_FALSE(workload.status.admission_checks[0].retry_count);
  EXPECT_EQ(workload.status.admission_checks[1].retry_count, 2);
}

TEST(TimeAdmitted, AddsUpWhenAdmissionEnds) {
  api::Workload workload;
  Reserve(workload, kNow);
  MarkStopped(workload, kLater);
  EXPECT_EQ(workload.status.accumulated_past_execution_time_seconds, 60);
}

// The clock may have been set back since, and the time of the admission is written by others.
TEST(TimeAdmitted, IsNeverNegativeAndNeverOverflows) {
  const base::Time now = base::Time::FromSeconds(1000);
  EXPECT_EQ(ExecutionSeconds(5, now + base::Duration::Seconds(60), now), 5);
  EXPECT_EQ(ExecutionSeconds(-5, now, now), 0);
  EXPECT_EQ(ExecutionSeconds(5, base::kZeroTime, now), std::numeric_limits<int32_t>::max());
}

TEST(AdmissionChecks, AreThoseOfAssignedFlavorsOrOfAllFlavors) {
  const auto queue = schema::Decode<api::ClusterQueue>(
                         R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
              {"name": "x", "resources": []}, {"name": "y", "resources": []}]}],
              "admissionChecksStrategy": {"admissionChecks": [
                {"name": "all"}, {"name": "on-x", "onFlavors": ["x"]},
                {"name": "on-both", "onFlavors": ["x", "y"]}]}}})")
                         .value();
  api::Workload workload;
  EXPECT_THAT(ChecksFor(workload, queue), ElementsAre("all", "on-both"));
  workload.status.admission.emplace().pod_set_assignments.emplace_back().flavors.Set("cpu", "y");
  EXPECT_THAT(ChecksFor(workload, queue), ElementsAre("all", "on-both"));
  workload.status.admission->pod_set_assignments[0].flavors.Set("cpu", "x");
  EXPECT_THAT(ChecksFor(workload, queue), ElementsAre("all", "on-both", "on-x"));
}

TEST(AdmissionChecks, ThatAreNewArePendingAndOthersAreRemoved) {
  api::Workload workload;
  workload.status.admission_checks = {{.name = "old", .state = "Ready"},
                                      {.name = "kept", .state = "Ready"}};
  EXPECT_TRUE(SyncChecks(workload, {"kept", "new"}, kNow));
  ASSERT_EQ(workload.status.admission_checks.size(), 2u);
  EXPECT_EQ(workload.status.admission_checks[0].state, "Ready");
  EXPECT_EQ(workload.status.admission_checks[1].state, "Pending");
  EXPECT_FALSE(SyncChecks(workload, {"kept", "new"}, kLater));
}

}  // namespace
}  // namespace berth::workload
