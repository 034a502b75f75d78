#include "observe/gauges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/testing/feed.h"
#include "workload/convert/convert_admission.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;
using testing::Texts;
using ::testing::UnorderedElementsAre;

class GaugeTest : public testing::ClusterStateTest {
 protected:
  std::vector<std::string> Gauges(std::initializer_list<Metric> metrics) {
    return Texts(GaugesOf(Cluster(), Options()), metrics);
  }

  // Runs cycles and applies their decisions to the Workloads.
  void Admit() {
    for (int i = 0; i < 10; ++i)
      for (const engine::Decision& decision : Cluster().engine().RunCycle(kNow))
        if (decision.outcome == engine::Outcome::kAdmitted) admitted_.push_back(decision.workload);
    for (const engine::WorkloadId id : std::exchange(admitted_, {})) {
      api::Workload w = Cluster().WorkloadOf(id);
      workload::MarkReserved(w, workload::ToAdmission(Cluster().engine(), id, w), kNow);
      workload::SyncAdmitted(w, kNow);
      Cluster().Apply(w);
    }
    Cluster().Sync(kNow);
  }

  std::vector<engine::WorkloadId> admitted_;
};

TEST_F(GaugeTest, CountPendingAndReservingWorkloads) {
  Apply(testing::kQueues);
  for (const char* name : {"a", "b", "c"}) Apply(testing::WorkloadText(name, 2));
  Apply(testing::WorkloadText("huge", 99));
  EXPECT_THAT(Gauges({Metric::kPending, Metric::kPendingHashes}),
              ElementsAre("kueue_pending_workloads{team,active} 4",
                          "kueue_pending_workloads{team,inadmissible} 0",
                          "kueue_pending_scheduling_hashes{team,active} 2",
                          "kueue_pending_scheduling_hashes{team,inadmissible} 0"));
  Admit();
  EXPECT_THAT(
      Gauges({Metric::kPending, Metric::kPendingHashes, Metric::kReserving, Metric::kAdmitted,
              Metric::kLocalPending, Metric::kLocalReserving, Metric::kLocalAdmitted}),
      UnorderedElementsAre(
          "kueue_pending_workloads{team,active} 0", "kueue_pending_workloads{team,inadmissible} 2",
          "kueue_pending_scheduling_hashes{team,active} 0",
          "kueue_pending_scheduling_hashes{team,inadmissible} 2",
          "kueue_reserving_active_workloads{team} 2", "kueue_admitted_active_workloads{team} 2",
          "kueue_local_queue_pending_workloads{main,space,active} 0",
          "kueue_local_queue_pending_workloads{main,space,inadmissible} 2",
          "kueue_local_queue_reserving_active_workloads{main,space} 2",
          "kueue_local_queue_admitted_active_workloads{main,space} 2"));
}

TEST_F(GaugeTest, AnInactiveQueueHasNoActivePendingWorkloads) {
  Apply(testing::kQueues);
  Apply(testing::WorkloadText("a", 1));
  Cluster().Delete(api::ResourceFlavor::KindInfo(), "", "standard");
  Cluster().Sync(kNow);
  EXPECT_THAT(Gauges({Metric::kPending, Metric::kPendingHashes, Metric::kLocalPending,
                      Metric::kQueueStatus}),
              UnorderedElementsAre("kueue_pending_workloads{team,active} 0",
                                   "kueue_pending_workloads{team,inadmissible} 1",
                                   "kueue_pending_scheduling_hashes{team,active} 0",
                                   "kueue_pending_scheduling_hashes{team,inadmissible} 1",
                                   "kueue_local_queue_pending_workloads{main,space,active} 0",
                                   "kueue_local_queue_pending_workloads{main,space,inadmissible} 1",
                                   "kueue_cluster_queue_status{team,pending} 1",
                                   "kueue_cluster_queue_status{team,active} 0",
                                   "kueue_cluster_queue_status{team,terminating} 0"));
}

TEST_F(GaugeTest, ReportQuotasInBaseUnits) {
  Apply(testing::kQueues);
  Apply(testing::WorkloadText("a", 3));
  Apply(testing::WorkloadText("b", 3));
  Admit();
  EXPECT_THAT(
      Gauges({Metric::kQueueNominal, Metric::kQueueBorrowingLimit, Metric::kQueueLendingLimit,
              Metric::kQueueReservation, Metric::kQueueUsage, Metric::kQueuePending,
              Metric::kLocalReservation, Metric::kLocalUsage}),
      UnorderedElementsAre("kueue_cluster_queue_nominal_quota{all,team,standard,cpu} 4",
                           "kueue_cluster_queue_borrowing_limit{all,team,standard,cpu} 0.5",
                           "kueue_cluster_queue_lending_limit{all,team,standard,cpu} inf",
                           "kueue_cluster_queue_resource_reservation{all,team,standard,cpu} 3",
                           "kueue_cluster_queue_resource_usage{all,team,standard,cpu} 3",
                           "kueue_cluster_queue_resource_pending{team,cpu} 3",
                           "kueue_local_queue_resource_reservation{main,space,standard,cpu} 3",
                           "kueue_local_queue_resource_usage{main,space,standard,cpu} 3"));
}

TEST_F(GaugeTest, OfResourcesRequireTheirSetting) {
  configuration_.metrics.enable_cluster_queue_resources = false;
  Apply(testing::kQueues);
  EXPECT_THAT(Gauges({Metric::kQueueNominal, Metric::kQueueUsage, Metric::kQueuePending}),
              IsEmpty());
}

TEST_F(GaugeTest, CohortsSumUpTheirSubtree) {
  Apply(testing::kQueues);
  Apply(testing::WorkloadText("a", 3));
  Admit();
  EXPECT_THAT(
      Gauges({Metric::kQueueInfo, Metric::kCohortInfo, Metric::kCohortQuota,
              Metric::kCohortReservation, Metric::kCohortAdmitted}),
      UnorderedElementsAre("kueue_cluster_queue_info{team,all,root} 1",
                           "kueue_cohort_info{all,root,root} 1", "kueue_cohort_info{root,,root} 1",
                           "kueue_cohort_subtree_quota{all,standard,cpu} 4",
                           "kueue_cohort_subtree_quota{root,standard,cpu} 4",
                           "kueue_cohort_subtree_resource_reservations{all,standard,cpu} 3",
                           "kueue_cohort_subtree_resource_reservations{root,standard,cpu} 3",
                           "kueue_cohort_subtree_admitted_active_workloads{all} 1",
                           "kueue_cohort_subtree_admitted_active_workloads{root} 1"));
  gates_.Set(api::Gate::kMetricsForCohorts, false);
  EXPECT_THAT(Gauges({Metric::kQueueInfo, Metric::kCohortInfo, Metric::kCohortQuota}), IsEmpty());
}

TEST_F(GaugeTest, SharesRequireFairSharing) {
  configuration_.fair_sharing.emplace();
  Apply(testing::kQueues);
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: lender}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 6}]}]
)");
  EXPECT_THAT(Gauges({Metric::kQueueShare, Metric::kCohortShare}),
              UnorderedElementsAre("kueue_cluster_queue_weighted_share{lender,all} 0",
                                   "kueue_cluster_queue_weighted_share{team,all} 0",
                                   "kueue_cohort_weighted_share{all} 0"));
}

TEST_F(GaugeTest, ReasonsOfUnadmittedWorkloadsAreThoseOfTheirConditions) {
  Apply(testing::kQueues);
  Apply(testing::WorkloadText("new", 1));
  Apply(testing::WorkloadText("seen", 1));
  api::Workload seen = *Cluster().FindWorkload("space/seen");
  workload::MarkUnreserved(seen, "WaitingForQuota", "", kNow);
  workload::SyncAdmitted(seen, kNow);
  Cluster().Apply(seen);
  Apply(testing::WorkloadText("done", 1));
  api::Workload done = *Cluster().FindWorkload("space/done");
  workload::MarkFinished(done, "Succeeded", "", kNow);
  Cluster().Apply(done);
  Cluster().Sync(kNow);
  EXPECT_THAT(
      Gauges({Metric::kUnadmitted, Metric::kLocalUnadmitted, Metric::kFinished,
              Metric::kLocalFinished}),
      UnorderedElementsAre(
          "kueue_unadmitted_workloads{team,NoReservation,PendingEvaluation} 1",
          "kueue_unadmitted_workloads{team,NoReservation,WaitingForQuota} 1",
          "kueue_local_queue_unadmitted_workloads{main,space,team,NoReservation,PendingEvaluation} "
          "1",
          "kueue_local_queue_unadmitted_workloads{main,space,team,NoReservation,WaitingForQuota} 1",
          "kueue_finished_workloads{team} 1",
          "kueue_local_queue_finished_workloads{main,space} 1"));
}

TEST_F(GaugeTest, LocalQueuesReportTheirStatusAndConsumption) {
  configuration_.admission_fair_sharing.emplace().resource_weights.Set("cpu", 2.0);
  Apply(testing::kQueues);
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: heavy, namespace: space}
spec: {clusterQueue: team, fairSharing: {weight: 4}}
status:
  conditions: [{type: Active, status: "False", reason: Stopped, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
  fairSharing: {weightedShare: 0, admissionFairSharingStatus: {lastUpdate: "2026-01-01T00:00:00Z", consumedResources: {cpu: 500m, memory: 3}}}
)");
  EXPECT_THAT(Gauges({Metric::kLocalStatus, Metric::kLocalFairUsage}),
              ElementsAre("kueue_local_queue_status{heavy,space,True} 0",
                          "kueue_local_queue_status{heavy,space,False} 1",
                          "kueue_local_queue_status{heavy,space,Unknown} 0",
                          "kueue_local_queue_admission_fair_sharing_usage{heavy,space,team} 1"));
}

TEST_F(GaugeTest, LabelsOfWorkloadsSplitCounts) {
  gates_.Set(api::Gate::kCustomMetricLabels, true);
  configuration_.metrics.custom_labels = {{.name = "user", .source_kind = "Workload"},
                                          {.name = "owner"}};
  Apply(testing::kQueues);
  Apply(testing::WorkloadText("a", 1));
  EXPECT_THAT(Gauges({Metric::kPending, Metric::kReserving}),
              ElementsAre("kueue_pending_workloads{team,active,anna,bob} 1",
                          "kueue_reserving_active_workloads{team,anna} 0"));
}

TEST_F(GaugeTest, ConstraintsThatBlockAreCounted) {
  gates_.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  Apply(testing::kQueues);
  EXPECT_THAT(Gauges({Metric::kConstrained}),
              ElementsAre("berth_admission_constrained_workloads{team,cannot-preempt} 0",
                          "berth_admission_constrained_workloads{team,cannot-borrow} 0"));
  Apply(testing::WorkloadText("modest", 1));
  api::Workload modest = *Cluster().FindWorkload("space/modest");
  modest.spec.admission_constraints = {.preemption = std::string(api::kConstraintNever),
                                       .borrowing = std::string(api::kConstraintNever)};
  workload::MarkUnreserved(modest, "AdmissionConstrained",
                           "cannot-borrow: admission would borrow 2 cpu", kNow);
  Cluster().Apply(modest);
  Cluster().Sync(kNow);
  EXPECT_THAT(Gauges({Metric::kConstrained}),
              ElementsAre("berth_admission_constrained_workloads{team,cannot-preempt} 0",
                          "berth_admission_constrained_workloads{team,cannot-borrow} 1"));
}

TEST_F(GaugeTest, OfDeletedObjectsAreAbsent) {
  Apply(testing::kQueues);
  Cluster().Delete(api::ClusterQueue::KindInfo(), "", "team");
  Cluster().Delete(api::LocalQueue::KindInfo(), "space", "main");
  Cluster().Delete(api::Cohort::KindInfo(), "", "all");
  Cluster().Sync(kNow);
  EXPECT_THAT(Texts(GaugesOf(Cluster(), Options())), IsEmpty());
}

}  // namespace
}  // namespace berth::observe
