#include "control/reconcile/serving_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/testing/objects.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::Time kServingNow = base::Time::FromSeconds(1'000'000);

std::string StatefulSetText(int replicas) {
  return "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: ns, uid: u, "
         "labels: {kueue.x-k8s.io/queue-name: lq}}, spec: {replicas: " +
         std::to_string(replicas) +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}}";
}

std::string LeaderWorkerSetText(int replicas) {
  return "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: model, "
         "namespace: ns, uid: u, labels: {kueue.x-k8s.io/queue-name: lq}}, spec: {replicas: " +
         std::to_string(replicas) +
         ", leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: c}]}}}}}";
}

class ServingSet : public ::testing::Test {
 protected:
  JobPlan Plan(std::string_view framework, const std::string& text) {
    JobContext context{.priorities = &priorities_};
    for (const api::Workload& w : workloads_) context.workloads.push_back(&w);
    return PlanServingSet(jobs::testing::Kind(framework), jobs::testing::Yaml(text), context,
                          policy_, kServingNow);
  }
  // Plans until the Workloads are as they ought to be.
  void ReconcileUntilStable(std::string_view framework, const std::string& text) {
    for (int i = 0; i < 5; ++i)
      for (const JobAction& action : Plan(framework, text).actions) {
        if (const auto* created = std::get_if<CreateWorkload>(&action))
          workloads_.push_back(created->workload);
        if (const auto* changed = std::get_if<ChangeWorkload>(&action))
          Find(changed->workload.metadata.name) = changed->workload;
        if (const auto* deleted = std::get_if<DeleteWorkload>(&action))
          std::erase_if(workloads_,
                        [&](const api::Workload& w) { return w.metadata.name == deleted->name; });
      }
    EXPECT_THAT(Plan(framework, text).actions, IsEmpty());
  }
  void ReconcileStatefulSet(int replicas) {
    ReconcileUntilStable("statefulset", StatefulSetText(replicas));
  }
  // The Workload that an older Kueue created for the StatefulSet with two pods.
  void AddLegacyWorkload() {
    ReconcileStatefulSet(2);
    api::ObjectMeta set{.name = "db", .namespace_ = "ns", .uid = "u"};
    workloads_.at(0).metadata.name =
        jobs::LegacyGroupName(jobs::testing::Kind("statefulset"), set, policy_.workload);
    workloads_.at(0).metadata.owner_references.clear();
  }
  void Admit(api::Workload& workload) {
    workload::MarkReserved(workload, {.cluster_queue = "cq"}, kServingNow);
    workload::SyncAdmitted(workload, kServingNow);
  }
  api::Workload& Find(const std::string& name) {
    return *std::ranges::find(workloads_, name, [](const auto& w) { return w.metadata.name; });
  }
  std::string QuotaReason() const {
    const auto* c =
        api::FindCondition(workloads_.at(0).status.conditions, api::condition::kQuotaReserved);
    return c == nullptr ? "" : c->status + " " + c->reason;
  }

  std::vector<api::Workload> workloads_;
  jobs::PriorityTable priorities_;
  JobPolicy policy_;
};

TEST_F(ServingSet, AdoptsTheWorkloadOfAnOlderKueue) {
  AddLegacyWorkload();
  ReconcileStatefulSet(2);
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(workloads_.at(0).metadata.owner_references.at(0).uid, "u");
}

TEST_F(ServingSet, AnAdoptedWorkloadWithOtherPodsKeepsItsNameAndWaitsAgain) {
  AddLegacyWorkload();
  const std::string name = workloads_.at(0).metadata.name;
  workloads_.at(0).spec.pod_sets[0].template_.spec.containers[0].resources = {};
  Admit(workloads_.at(0));
  ReconcileStatefulSet(2);
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(workloads_.at(0).metadata.name, name);
  EXPECT_EQ(QuotaReason(), "False PendingEvaluation");
  const auto& container = workloads_.at(0).spec.pod_sets[0].template_.spec.containers[0];
  EXPECT_NE(container.resources.requests.Find("cpu"), nullptr);
}

TEST_F(ServingSet, IsConstrainedByItsPods) {
  policy_.workload.has_constraints = true;
  std::string text = StatefulSetText(2);
  text.insert(text.find("template: {") + 11,
              "metadata: {annotations: {kueue.x-k8s.io/cannot-borrow: 'true'}}, ");
  ReconcileUntilStable("statefulset", text);
  EXPECT_EQ(workloads_.at(0).spec.admission_constraints->borrowing, "Never");
  ReconcileStatefulSet(2);
  EXPECT_FALSE(workloads_.at(0).spec.admission_constraints.has_value());
}

TEST_F(ServingSet, AStatefulSetHasOneWorkloadForAllItsPods) {
  ReconcileStatefulSet(3);
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(workloads_[0].spec.pod_sets[0].count, 3);
  EXPECT_EQ(workloads_[0].spec.queue_name, "lq");
}

TEST_F(ServingSet, AStatefulSetWithoutPodsHasNoWorkload) {
  ReconcileStatefulSet(0);
  EXPECT_THAT(workloads_, IsEmpty());
}

TEST_F(ServingSet, ScaledToZeroItGivesItsQuotaBackAndIsOnHold) {
  ReconcileStatefulSet(3);
  Admit(workloads_[0]);
  ReconcileStatefulSet(0);
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(QuotaReason(), "False OnHold");
  EXPECT_FALSE(workload::HasReservation(workloads_[0]));
}

TEST_F(ServingSet, FromZeroItWaitsAgainForAsManyPodsAsItHasNow) {
  ReconcileStatefulSet(3);
  Admit(workloads_[0]);
  ReconcileStatefulSet(0);
  ReconcileStatefulSet(5);
  EXPECT_EQ(QuotaReason(), "False PendingEvaluation");
  EXPECT_EQ(workloads_[0].spec.pod_sets[0].count, 5);
}

TEST_F(ServingSet, ScaledDownItGivesTheSurplusBack) {
  ReconcileStatefulSet(3);
  Admit(workloads_[0]);
  ReconcileStatefulSet(1);
  ASSERT_THAT(workloads_[0].status.reclaimable_pods, SizeIs(1));
  EXPECT_EQ(workloads_[0].status.reclaimable_pods[0].count, 2);
  EXPECT_TRUE(workload::HasReservation(workloads_[0]));
}

TEST_F(ServingSet, ScaledUpItWaitsAgain) {
  ReconcileStatefulSet(3);
  Admit(workloads_[0]);
  ReconcileStatefulSet(4);
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(workloads_[0].spec.pod_sets[0].count, 4);
  EXPECT_FALSE(workload::HasReservation(workloads_[0]));
}

TEST_F(ServingSet, AWaitingOneFollowsItsSize) {
  ReconcileStatefulSet(3);
  ReconcileStatefulSet(4);
  EXPECT_EQ(workloads_[0].spec.pod_sets[0].count, 4);
}

TEST_F(ServingSet, ALeaderWorkerSetHasAWorkloadForEachReplica) {
  const std::string kind = "leaderworkerset.x-k8s.io/leaderworkerset";
  ReconcileUntilStable(kind, LeaderWorkerSetText(3));
  ASSERT_THAT(workloads_, SizeIs(3));
  EXPECT_EQ(workloads_[0].spec.pod_sets[0].count, 2);
  ReconcileUntilStable(kind, LeaderWorkerSetText(1));
  ASSERT_THAT(workloads_, SizeIs(1));
  EXPECT_EQ(*workloads_[0].metadata.annotations.Find(api::kComponentWorkloadIndexAnnotation), "0");
}

TEST_F(ServingSet, APodOfARevisionThatIsReplacedIsNotHeldBack) {
  const auto set = jobs::testing::Yaml(
      "{metadata: {name: db, namespace: ns, uid: u}, spec: {replicas: 1}, status: "
      "{currentRevision: old, updateRevision: new}}");
  const auto pod = [](const std::string& revision) {
    return jobs::testing::Yaml(
        "{metadata: {name: db-0, labels: {controller-revision-hash: " + revision +
        "}}, spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}]}}");
  };
  const jobs::Integration& kind = jobs::testing::Kind("statefulset");
  const auto freed = PlanServingPod(kind, set, pod("old"), policy_);
  ASSERT_TRUE(freed.has_value());
  EXPECT_EQ(json::Find(*freed, {"spec", "schedulingGates"}), nullptr);
  const auto marked = PlanServingPod(kind, set, pod("new"), policy_);
  ASSERT_TRUE(marked.has_value());
  EXPECT_NE(json::Find(*marked, {"spec", "schedulingGates"}), nullptr);
  // With quota, the pod starts like any other, on the nodes of the flavor.
  const auto started = PlanServingPod(kind, set, pod("old"), policy_, {.is_admitted = true});
  ASSERT_TRUE(started.has_value());
  EXPECT_NE(json::Find(*started, {"spec", "schedulingGates"}), nullptr);
}

}  // namespace
}  // namespace berth::control
