#include "observe/event_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/scheduler.h"
#include "observe/testing/feed.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;
using testing::Texts;
using ::testing::UnorderedElementsAre;

base::Time After(int64_t seconds) { return kNow + base::Duration::Seconds(seconds); }

class EventSamplesTest : public testing::ClusterStateTest {
 protected:
  void SetUp() override {
    Apply(testing::kQueues);
    Apply(testing::WorkloadText("w", 1));
    workload_ = *Cluster().FindWorkload("space/w");
    workload_.metadata.creation_timestamp = kNow;
  }

  void Reserve(api::Workload& w, base::Time now) {
    api::Admission admission;
    admission.cluster_queue = "team";
    workload::MarkReserved(w, admission, now);
  }
  void ReserveAndAdmit(api::Workload& w, base::Time now) {
    Reserve(w, now);
    workload::SyncAdmitted(w, now);
  }

  // The samples of the transition to `after`, which becomes the current state.
  std::vector<std::string> Step(const api::Workload& after, base::Time now, bool is_ours = true,
                                const control::WorkloadChange* decision = nullptr) {
    const api::Workload before = std::exchange(workload_, after);
    return Texts(SamplesOf(control::WorkloadTransition{.before = &before,
                                                       .after = &workload_,
                                                       .is_ours = is_ours,
                                                       .decision = decision,
                                                       .now = now},
                           Cluster(), Options()));
  }

  api::Workload workload_;
};

TEST_F(EventSamplesTest, ACycleCountsAsOneAttempt) {
  control::CycleCompleted cycle{
      .heads = 2, .has_admitted = true, .took = base::Duration::Milliseconds(2)};
  EXPECT_THAT(Texts(SamplesOf(cycle, Cluster(), Options())),
              ElementsAre("kueue_admission_attempts_total{success} 1",
                          "kueue_admission_attempt_duration_seconds{success} 0.002",
                          "berth_engine_cycle_duration_seconds{} 0.002"));
  cycle = {.heads = 1};
  cycle.skipped_preemptions["team"] = 2;
  cycle.recomputations = {{"team", engine::Outcome::kDeferred},
                          {"team", engine::Outcome::kPreempting},
                          {"team", engine::Outcome::kNoFit}};
  EXPECT_THAT(Texts(SamplesOf(cycle, Cluster(), Options()),
                    {Metric::kAdmissionAttempts, Metric::kPreemptionSkips,
                     Metric::kPreemptionRecomputations}),
              ElementsAre("kueue_admission_attempts_total{inadmissible} 1",
                          "kueue_admission_cycle_preemption_skips{team} 2",
                          "kueue_preemption_target_recomputations_total{team,deferred_fit} 1",
                          "kueue_preemption_target_recomputations_total{team,new_targets} 1",
                          "kueue_preemption_target_recomputations_total{team,skipped} 1"));
}

TEST_F(EventSamplesTest, ImmediateAdmissionIsAlsoAReservation) {
  workload_.spec.priority_class_ref.emplace().name = "high";
  api::Workload after = workload_;
  ReserveAndAdmit(after, After(30));
  EXPECT_THAT(
      Step(after, After(30)),
      UnorderedElementsAre("kueue_quota_reserved_workloads_total{team,high} 1",
                           "kueue_local_queue_quota_reserved_workloads_total{main,space,high} 1",
                           "kueue_quota_reserved_wait_time_seconds{team,high} 30",
                           "kueue_local_queue_quota_reserved_wait_time_seconds{main,space,high} 30",
                           "kueue_admitted_workloads_total{team,high} 1",
                           "kueue_local_queue_admitted_workloads_total{main,space,high} 1",
                           "kueue_admission_wait_time_seconds{team,high} 30",
                           "kueue_local_queue_admission_wait_time_seconds{main,space,high} 30",
                           "kueue_cohort_subtree_admitted_workloads_total{all,high} 1",
                           "kueue_cohort_subtree_admitted_workloads_total{root,high} 1"));
}

TEST_F(EventSamplesTest, ChecksWaitStartsAtTheReservation) {
  api::Workload after = workload_;
  Reserve(after, After(10));
  after.status.admission_checks.push_back(
      {.name = "budget", .state = std::string(api::kCheckPending)});
  EXPECT_THAT(Step(after, After(10)),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("admission_checks"))));
  after.status.admission_checks[0].state = api::kCheckReady;
  workload::SyncAdmitted(after, After(25));
  EXPECT_THAT(Step(after, After(25)),
              ::testing::IsSupersetOf({"kueue_admission_checks_wait_time_seconds{team,} 15",
                                       "kueue_admission_wait_time_seconds{team,} 25",
                                       "kueue_local_queue_admission_checks_wait_time_seconds{main,"
                                       "space,} 15"}));
}

TEST_F(EventSamplesTest, WaitRestartsWithARequeue) {
  workload::SetRequeued(workload_, true, "BackoffFinished", "", After(100));
  api::Workload after = workload_;
  Reserve(after, After(140));
  EXPECT_THAT(Step(after, After(140)),
              ::testing::Contains("kueue_quota_reserved_wait_time_seconds{team,} 40"));
}

TEST_F(EventSamplesTest, EvictionsCountByReasonAndOnceForEach) {
  ReserveAndAdmit(workload_, kNow);
  workload::SetCondition(workload_, "PodsReady", true, "Started", "", After(10));
  api::Workload after = workload_;
  const workload::Eviction eviction{.reason = "PodsReadyTimeout", .cause = "WaitForRecovery"};
  workload::MarkEvicted(after, eviction, After(70));
  EXPECT_THAT(
      Step(after, After(70)),
      UnorderedElementsAre(
          "kueue_evicted_workloads_total{team,PodsReadyTimeout,WaitForRecovery,} 1",
          "kueue_evicted_workloads_once_total{team,PodsReadyTimeout,WaitForRecovery,} 1",
          "kueue_local_queue_evicted_workloads_total{main,space,PodsReadyTimeout,WaitForRecovery,} "
          "1",
          "kueue_pods_ready_to_evicted_time_seconds{team,PodsReadyTimeout,WaitForRecovery} 60"));
  workload::MarkEvicted(after, eviction, After(80));
  EXPECT_THAT(Step(after, After(80)),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("once_total"))));
}

TEST_F(EventSamplesTest, ReleasedQuotaRecordsTheEvictionLatency) {
  ReserveAndAdmit(workload_, kNow);
  workload::MarkPreempted(workload_, "InClusterQueue", "", After(10));
  api::Workload after = workload_;
  workload::MarkStopped(after, After(25));
  EXPECT_THAT(Step(after, After(25), /*is_ours=*/false),
              ElementsAre("kueue_workload_eviction_latency_seconds{team,Preempted} 15"));
}

TEST_F(EventSamplesTest, PreemptionsCountForThePreemptingQueue) {
  ReserveAndAdmit(workload_, kNow);
  api::Workload after = workload_;
  workload::MarkPreempted(after, "InCohortReclamation", "", After(1));
  control::WorkloadChange change;
  change.kind = control::WorkloadChange::Kind::kPreempt;
  change.reason = "InCohortReclamation";
  change.preempting_queue = "other";
  EXPECT_THAT(
      Step(after, After(1), true, &change),
      ::testing::IsSupersetOf({"kueue_preempted_workloads_total{other,InCohortReclamation} 1",
                               "kueue_evicted_workloads_total{team,Preempted,,} 1"}));
}

TEST_F(EventSamplesTest, AReplacedSliceCountsForItsQueue) {
  ReserveAndAdmit(workload_, kNow);
  api::Workload after = workload_;
  workload::MarkFinished(after, "WorkloadSliceReplaced", "", After(5));
  control::WorkloadChange change;
  change.kind = control::WorkloadChange::Kind::kReplace;
  EXPECT_THAT(Step(after, After(5), true, &change),
              ::testing::Contains("kueue_replaced_workload_slices_total{team} 1"));
}

TEST_F(EventSamplesTest, OnlyTheFirstReadinessCounts) {
  ReserveAndAdmit(workload_, After(20));
  api::Workload after = workload_;
  workload::SetCondition(after, "PodsReady", true, "Started", "", After(50));
  EXPECT_THAT(Step(after, After(50)),
              UnorderedElementsAre(
                  "kueue_ready_wait_time_seconds{team,} 50",
                  "kueue_local_queue_ready_wait_time_seconds{main,space,} 50",
                  "kueue_admitted_until_ready_wait_time_seconds{team,} 30",
                  "kueue_local_queue_admitted_until_ready_wait_time_seconds{main,space,} 30"));
  workload::SetCondition(after, "PodsReady", false, "WaitForRecovery", "", After(60));
  Step(after, After(60));
  workload::SetCondition(after, "PodsReady", true, "Recovered", "", After(70));
  EXPECT_THAT(Step(after, After(70)), IsEmpty());
}

TEST_F(EventSamplesTest, ExecutionTimeAddsUpOverEvictions) {
  ReserveAndAdmit(workload_, After(100));
  workload_.status.accumulated_past_execution_time_seconds = 7;
  api::Workload after = workload_;
  workload::MarkFinished(after, "Succeeded", "", After(160));
  EXPECT_THAT(Step(after, After(161), /*is_ours=*/false),
              UnorderedElementsAre("kueue_finished_workloads_total{team,} 1",
                                   "kueue_local_queue_finished_workloads_total{main,space,} 1",
                                   "kueue_execution_time_seconds{team,} 67",
                                   "kueue_local_queue_execution_time_seconds{main,space,} 67"));
}

TEST_F(EventSamplesTest, FollowersDoNotCountWritesOfOthers) {
  api::Workload after = workload_;
  ReserveAndAdmit(after, After(1));
  EXPECT_THAT(Step(after, After(1), /*is_ours=*/false), IsEmpty());
  workload::MarkPreempted(after, "InClusterQueue", "", After(2));
  EXPECT_THAT(Step(after, After(2), /*is_ours=*/false), IsEmpty());
}

TEST_F(EventSamplesTest, AWorkloadOfAnUnchangedJobRecordsTheCreationLatency) {
  workload_.metadata.creation_timestamp = After(3);
  control::WorkloadCreated made{
      .job_kind = "Job", .job_created_at = kNow, .job_generation = 1, .workload = &workload_};
  EXPECT_THAT(Texts(SamplesOf(made, Cluster(), Options())),
              ElementsAre("kueue_workload_creation_latency_seconds{Job} 3"));
  made.job_generation = 2;
  EXPECT_THAT(SamplesOf(made, Cluster(), Options()), IsEmpty());
}

TEST_F(EventSamplesTest, ARemovedGateRecordsTheRemovalLatency) {
  ReserveAndAdmit(workload_, kNow);
  EXPECT_THAT(Texts(SamplesOf(control::PodReleased{.workload = &workload_,
                                                   .gate = "kueue.x-k8s.io/admission",
                                                   .is_of_group = true,
                                                   .now = After(2)},
                              Cluster(), Options())),
              ElementsAre("kueue_pod_scheduling_gate_removal_seconds{kueue.x-k8s.io/admission,"
                          "team,true} 2"));
}

TEST_F(EventSamplesTest, OnlyAConstraintThatBlocksCountsWhenItTakesEffect) {
  gates_.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  cluster_.reset();
  SetUp();
  workload_.spec.admission_constraints = {.preemption = std::string(api::kConstraintNever),
                                          .borrowing = std::string(api::kConstraintNever)};
  Cluster().Apply(workload_);
  Cluster().Sync(kNow);
  api::Workload after = workload_;
  workload::MarkUnreserved(after, "AdmissionConstrained",
                           "cannot-preempt: admission would preempt 1 workload", After(1));
  EXPECT_THAT(Step(after, After(1)),
              ElementsAre("berth_admission_constrained_total{team,cannot-preempt} 1"));
  EXPECT_THAT(Step(after, After(2)), IsEmpty());
  workload::MarkUnreserved(after, "AdmissionConstrained",
                           "cannot-borrow: admission would borrow 1 cpu", After(3));
  EXPECT_THAT(Step(after, After(3)),
              ElementsAre("berth_admission_constrained_total{team,cannot-borrow} 1"));
}

TEST_F(EventSamplesTest, LocalQueuesThatAreNotSelectedHaveNoMetrics) {
  configuration_.metrics.local_queue_metrics.emplace().enable = true;
  configuration_.metrics.local_queue_metrics->local_queue_selector.emplace().match_labels.Set(
      "team", "blue");
  api::Workload after = workload_;
  ReserveAndAdmit(after, After(1));
  EXPECT_THAT(Step(after, After(1)),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("local_queue"))));
}

TEST_F(EventSamplesTest, CustomLabelsFollowTheirObjects) {
  gates_.Set(api::Gate::kCustomMetricLabels, true);
  configuration_.metrics.custom_labels = {
      {.name = "owner"},
      {.name = "region", .source_annotation_key = "region", .source_kind = "Cohort"},
      {.name = "who",
       .source_label_key = "user",
       .source_kind = "Workload",
       .tracked_values = {"alice"}},
      {.name = "team", .source_kind = "LocalQueue"}};
  api::Workload after = workload_;
  ReserveAndAdmit(after, After(1));
  EXPECT_THAT(Step(after, After(1)),
              ::testing::IsSupersetOf(
                  {"kueue_admitted_workloads_total{team,,anna} 1",
                   "kueue_local_queue_admitted_workloads_total{main,space,,red,kueue.x-k8s.io/"
                   "_UNTRACKED_VALUE_} 1",
                   "kueue_local_queue_quota_reserved_workloads_total{main,space,,red} 1",
                   "kueue_cohort_subtree_admitted_workloads_total{all,,north} 1",
                   "kueue_cohort_subtree_admitted_workloads_total{root,,} 1"}));
}

}  // namespace
}  // namespace berth::observe
