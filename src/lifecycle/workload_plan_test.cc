#include "lifecycle/workload_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/status_changes.h"

namespace berth::lifecycle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Write = WorkloadPlan::Write;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

base::Time In(int64_t seconds) { return kNow + base::Duration::Seconds(seconds); }

// A Workload of a job, in queue "lq" that leads to "cq".
class WorkloadLife : public ::testing::Test {
 protected:
  WorkloadLife() {
    workload_.metadata.name = "w";
    workload_.metadata.uid = "u";
    workload_.metadata.generation = 1;
    workload_.metadata.finalizers = {std::string(api::kResourceInUseFinalizer)};
    workload_.metadata.owner_references.emplace_back().name = "job";
    workload_.spec.queue_name = "lq";
    local_queue_.metadata.name = "lq";
    local_queue_.spec.cluster_queue = "cq";
    cluster_queue_.metadata.name = "cq";
    context_ = {.local_queue = &local_queue_, .cluster_queue = &cluster_queue_};
  }

  void Admit() {
    workload::MarkReserved(workload_, {.cluster_queue = "cq"}, kNow);
    workload::SyncAdmitted(workload_, kNow);
  }
  void AddCheck(std::string_view state) {
    cluster_queue_.spec.admission_checks_strategy.emplace().admission_checks.push_back(
        {.name = "check"});
    workload_.status.admission_checks = {
        {.name = "check", .state = std::string(state), .last_transition_time = kNow}};
  }

  // Plans and takes the result as the new state.
  WorkloadPlan Plan(base::Time now = kNow) {
    WorkloadPlan plan = PlanWorkload(workload_, context_, policy_, now);
    if (plan.write != Write::kNothing) workload_ = plan.workload;
    return plan;
  }
  std::string ReasonOf(std::string_view type) const {
    const api::Condition* c = api::FindCondition(workload_.status.conditions, type);
    return c == nullptr ? "" : c->status + " " + c->reason;
  }
  static std::vector<std::string> Reasons(const WorkloadPlan& plan) {
    std::vector<std::string> reasons;
    for (const EventRecord& event : plan.events) reasons.push_back(event.reason);
    return reasons;
  }

  api::Workload workload_;
  api::LocalQueue local_queue_;
  api::ClusterQueue cluster_queue_;
  WorkloadContext context_;
  LifecyclePolicy policy_;
};

TEST_F(WorkloadLife, NothingIsSaidBeforeItWasLookedAt) { EXPECT_EQ(Plan().write, Write::kNothing); }

TEST_F(WorkloadLife, SaysThatItsQueueIsMissing) {
  context_.local_queue = nullptr;
  context_.cluster_queue = nullptr;
  EXPECT_EQ(Plan().write, Write::kStatus);
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False Misconfigured");
  EXPECT_EQ(ReasonOf("Admitted"), "False NoReservation");
}

TEST_F(WorkloadLife, SaysThatItsQueueIsInactiveAndThatItIsNoLonger) {
  context_.is_queue_active = false;
  Plan();
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False Suspended");
  context_.is_queue_active = true;
  Plan();
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False PendingEvaluation");
}

TEST_F(WorkloadLife, KeepsWhatTheSchedulerSaid) {
  workload::MarkUnreserved(workload_, "WaitingForQuota", "1 cpu missing", kNow);
  EXPECT_EQ(Plan().write, Write::kNothing);
}

TEST_F(WorkloadLife, IsAdmittedWhenItsChecksAreReady) {
  AddCheck(api::kCheckPending);
  workload::MarkReserved(workload_, {.cluster_queue = "cq"}, kNow);
  Plan();
  EXPECT_EQ(ReasonOf("Admitted"), "False UnsatisfiedAdmissionChecks");
  workload_.status.admission_checks[0].state = api::kCheckReady;
  EXPECT_THAT(Reasons(Plan()), ElementsAre("Admitted"));
  EXPECT_EQ(ReasonOf("Admitted"), "True Admitted");
}

TEST_F(WorkloadLife, IsEvictedWhenACheckWantsARetry) {
  AddCheck(api::kCheckReady);
  Admit();
  workload_.status.admission_checks[0].state = api::kCheckRetry;
  EXPECT_THAT(Reasons(Plan()), ElementsAre("EvictedDueToAdmissionCheck"));
  EXPECT_EQ(workload_.status.admission_checks[0].retry_count, 1);
}

TEST_F(WorkloadLife, KeepsItsQuotaUntilTheTimeOfTheRetry) {
  AddCheck(api::kCheckRetry);
  workload_.status.admission_checks[0].requeue_after_seconds = 60;
  workload::MarkReserved(workload_, {.cluster_queue = "cq"}, kNow);
  const WorkloadPlan plan = Plan();
  EXPECT_EQ(plan.requeue_at, In(60));
  EXPECT_EQ(workload_.status.requeue_state->requeue_at, In(60));
  EXPECT_FALSE(workload::IsEvicted(workload_));
  Plan(In(60));
  EXPECT_TRUE(workload::IsEvicted(workload_));
  workload::MarkStopped(workload_, In(60));
  Plan(In(61));
  EXPECT_FALSE(workload_.status.requeue_state);
}

TEST_F(WorkloadLife, IsDeactivatedWhenACheckRejectsIt) {
  AddCheck(api::kCheckReady);
  Admit();
  workload_.status.admission_checks[0].state = api::kCheckRejected;
  EXPECT_THAT(Reasons(Plan()), ElementsAre("AdmissionCheckRejected"));
  EXPECT_EQ(Plan().write, Write::kSpec);
  EXPECT_THAT(Reasons(Plan()), ElementsAre("EvictedDueToDeactivatedDueToAdmissionCheck"));
  EXPECT_EQ(ReasonOf("Evicted"), "True DeactivatedDueToAdmissionCheck");
  EXPECT_EQ(ReasonOf("DeactivationTarget"), "");
}

TEST_F(WorkloadLife, WaitsAgainWhenItIsActivatedAgain) {
  workload_.spec.active = false;
  Admit();
  Plan();
  EXPECT_EQ(ReasonOf("Evicted"), "True Deactivated");
  workload::MarkStopped(workload_, kNow);
  workload_.spec.active = true;
  Plan();
  EXPECT_EQ(ReasonOf("Requeued"), "True Reactivated");
}

TEST_F(WorkloadLife, IsEvictedOnlyByAQueueThatDrains) {
  Admit();
  cluster_queue_.spec.stop_policy = api::kStopPolicyHold;
  EXPECT_THAT(Reasons(Plan()), IsEmpty());
  cluster_queue_.spec.stop_policy = api::kStopPolicyHoldAndDrain;
  EXPECT_THAT(Reasons(Plan()), ElementsAre("EvictedDueToClusterQueueStopped"));
  workload::MarkStopped(workload_, kNow);
  cluster_queue_.spec.stop_policy = api::kStopPolicyNone;
  Plan();
  EXPECT_EQ(ReasonOf("Requeued"), "True ClusterQueueRestarted");
}

TEST_F(WorkloadLife, BacksOffWhenItsPodsAreNotReadyInTime) {
  policy_.pods_ready = {.timeout = base::Duration::Seconds(300), .requeue_limit = 1};
  Admit();
  EXPECT_EQ(Plan().requeue_at, In(300));
  EXPECT_THAT(Reasons(Plan(In(300))), ElementsAre("EvictedDueToPodsReadyTimeout"));
  EXPECT_EQ(workload_.status.requeue_state->count, 1);
  workload::MarkStopped(workload_, In(300));
  const WorkloadPlan waits = Plan(In(301));
  EXPECT_EQ(waits.requeue_at, workload_.status.requeue_state->requeue_at);
  Plan(In(500));
  EXPECT_EQ(ReasonOf("Requeued"), "True BackoffFinished");
  EXPECT_FALSE(workload_.status.requeue_state->requeue_at);
  workload::MarkReserved(workload_, {.cluster_queue = "cq"}, In(500));
  workload::SyncAdmitted(workload_, In(500));
  Plan(In(800));
  EXPECT_EQ(ReasonOf("DeactivationTarget"), "True RequeuingLimitExceeded");
}

TEST_F(WorkloadLife, EndsWithItsTimeOfExecution) {
  workload_.spec.maximum_execution_time_seconds = 100;
  workload_.status.accumulated_past_execution_time_seconds = 40;
  Admit();
  EXPECT_EQ(Plan().requeue_at, In(60));
  EXPECT_THAT(Reasons(Plan(In(60))), ElementsAre("MaximumExecutionTimeExceeded"));
  EXPECT_EQ(ReasonOf("DeactivationTarget"), "True MaximumExecutionTimeExceeded");
}

TEST_F(WorkloadLife, IsDeletedAfterItsTimeOfRetention) {
  policy_.retain_finished = base::Duration::Seconds(10);
  workload::MarkFinished(workload_, "Succeeded", "", kNow);
  EXPECT_EQ(Plan().requeue_at, In(10));
  EXPECT_EQ(Plan(In(10)).write, Write::kDelete);
}

TEST_F(WorkloadLife, TakesOverTheValueOfItsClass) {
  workload_.spec.priority = 1;
  EXPECT_EQ(Plan().write, Write::kNothing);
  context_.class_priority = 100;
  EXPECT_EQ(Plan().write, Write::kSpec);
  EXPECT_EQ(workload_.spec.priority, 100);
}

TEST_F(WorkloadLife, FinishesWhenItsJobIsGone) {
  workload_.metadata.owner_references.clear();
  workload_.metadata.labels.Set(api::kJobUidLabel, "x");
  EXPECT_EQ(Plan().write, Write::kStatus);
  EXPECT_EQ(ReasonOf("Finished"), "True OwnerNotFound");
  EXPECT_EQ(Plan().write, Write::kMetadata);
}

TEST_F(WorkloadLife, IsHeldBackByAdmissionGates) {
  workload_.metadata.annotations.Set(api::kAdmissionGatedByAnnotation, "example.com/me");
  EXPECT_THAT(Reasons(Plan()), ElementsAre("AdmissionGated"));
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False AdmissionGated");
  workload_.metadata.annotations.Erase(api::kAdmissionGatedByAnnotation);
  EXPECT_THAT(Reasons(Plan()), ElementsAre("AdmissionGateCleared"));
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False PendingEvaluation");
}

TEST_F(WorkloadLife, HasNoRequeueTimeOnceItHasPassedAlsoWithQuota) {
  Admit();
  workload_.status.requeue_state.emplace().requeue_at = In(2);
  workload_.status.requeue_state->count = 1;
  EXPECT_EQ(Plan().requeue_at, In(2));
  Plan(In(2));
  EXPECT_FALSE(workload_.status.requeue_state->requeue_at);
  EXPECT_EQ(workload_.status.requeue_state->count, 1);
}

}  // namespace
}  // namespace berth::lifecycle
