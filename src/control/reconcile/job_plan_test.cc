#include "control/reconcile/job_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/integration_set.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kJobNow = base::Time::FromSeconds(1'000'000);
constexpr std::string_view kWaitingJob = R"({"apiVersion": "batch/v1", "kind": "Job",
    "metadata": {"name": "train", "namespace": "ns", "uid": "u", "labels": {"kueue.x-k8s.io/queue-name": "lq"}},
    "spec": {"suspend": true, "parallelism": 1, "template": {"spec": {"nodeSelector": {"disk": "ssd"},
        "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}}})";

// A job that waits, and its Workload.
class JobLife : public ::testing::Test {
 protected:
  JobLife() {
    context_.priorities = &priorities_;
    context_.find_flavor = [](std::string_view) { return nullptr; };
    const JobPlan plan = PlanJob(kind_, job_, context_, policy_, kJobNow);
    workload_ = std::get<CreateWorkload>(plan.actions.at(0)).workload;
    context_.workloads = {&workload_};
  }

  void Reserve() {
    workload::MarkReserved(
        workload_, {.cluster_queue = "cq", .pod_set_assignments = {{.name = "main", .count = 1}}},
        kJobNow);
    workload::SyncAdmitted(workload_, kJobNow);
  }
  // Takes over what is done to the Workload; which parts of it.
  std::vector<ChangeWorkload::Part> Take(const JobPlan& plan) {
    std::vector<ChangeWorkload::Part> parts;
    for (const JobAction& action : plan.actions) {
      const auto& change = std::get<ChangeWorkload>(action);
      parts.push_back(change.part);
      workload_ = change.workload;
    }
    return parts;
  }
  std::string WhyFinished() const {
    const api::Condition* finished =
        api::FindCondition(workload_.status.conditions, api::condition::kFinished);
    return finished == nullptr ? "" : finished->reason;
  }

  const jobs::Integration& kind_ = *jobs::IntegrationSet::BuiltIn().FindFramework("batch/job");
  const json::value job_ = *json::Parse(kWaitingJob);
  jobs::PriorityTable priorities_;
  JobContext context_;
  JobPolicy policy_;
  api::Workload workload_;
};

using Part = ChangeWorkload::Part;

TEST_F(JobLife, ItsQuotaIsFreeWhenItIsDeleted) {
  Reserve();
  EXPECT_THAT(Take(PlanJobEnd(context_, policy_.life, kJobNow)), ElementsAre(Part::kStatus));
  EXPECT_EQ(WhyFinished(), "OwnerNotFound");
  EXPECT_THAT(Take(PlanJobEnd(context_, policy_.life, kJobNow)), ElementsAre(Part::kMetadata));
  EXPECT_THAT(workload_.metadata.finalizers, IsEmpty());
  EXPECT_THAT(Take(PlanJobEnd(context_, policy_.life, kJobNow)), IsEmpty());
}

TEST(DeferredEnd, IsThatOfServicesThatCleanUpRedis) {
  const jobs::Integration& service =
      *jobs::IntegrationSet::BuiltIn().FindFramework("ray.io/rayservice");
  const auto defers = [&](std::string_view text, const JobPolicy& policy = {}) {
    return DefersEnd(service, *json::Parse(text), policy);
  };
  constexpr std::string_view kTolerant =
      R"({"metadata": {"annotations": {"ray.io/ft-enabled": "true"}}})";
  EXPECT_TRUE(defers(kTolerant));
  EXPECT_TRUE(defers(
      R"({"spec": {"rayClusterConfig": {"gcsFaultToleranceOptions": {"redisAddress": "r"}}}})"));
  EXPECT_FALSE(defers(R"({"metadata": {"annotations": {"ray.io/ft-enabled": "false"}}})"));
  EXPECT_FALSE(defers(kTolerant, {.defers_cleanup = false}));
}

TEST_F(JobLife, AWorkloadThatIsDeletedWithItsJobIsOnlyLetGo) {
  workload_.metadata.deletion_timestamp = kJobNow;
  EXPECT_THAT(Take(PlanJobEnd(context_, policy_.life, kJobNow)), ElementsAre(Part::kMetadata));
  EXPECT_EQ(WhyFinished(), "");
}

TEST_F(JobLife, WithoutFinishOrphanedWorkloadsTheWorkloadOfADeletedJobIsOnlyLetGo) {
  api::FeatureGates gates;
  gates.Set(api::Gate::kFinishOrphanedWorkloads, false);
  const auto policy = lifecycle::LifecyclePolicy::From({}, gates);
  EXPECT_THAT(Take(PlanJobEnd(context_, policy, kJobNow)), ElementsAre(Part::kMetadata));
  EXPECT_EQ(WhyFinished(), "");
}

TEST_F(JobLife, TellsOfAnotherPriorityClassWhileItWaits) {
  api::WorkloadPriorityClass high;
  high.metadata.name = "high";
  high.value = 100;
  priorities_.Add(high);
  json::value job = job_;
  job.at("metadata").at("labels").as_object()["kueue.x-k8s.io/priority-class"] = "high";
  const JobPlan plan = PlanJob(kind_, job, context_, policy_, kJobNow);
  EXPECT_THAT(Take(plan), ElementsAre(Part::kSpec));
  EXPECT_EQ(workload_.spec.priority, 100);
  ASSERT_EQ(plan.events.size(), 1U);
  EXPECT_EQ(plan.events[0].reason, "UpdatedWorkload");
}

TEST_F(JobLife, FollowsItsQueueAndItsConstraintsWhileItHoldsNoQuotaAfterAnEviction) {
  policy_.workload.has_constraints = true;
  Reserve();
  workload::MarkPreempted(workload_, api::reason::kInClusterQueue, "", kJobNow);
  workload::MarkStopped(workload_, kJobNow);
  json::value job = job_;
  job.at("metadata").at("labels").as_object()["kueue.x-k8s.io/queue-name"] = "other";
  job.at("metadata").as_object()["annotations"] =
      json::object{{"kueue.x-k8s.io/cannot-borrow", "true"}};
  EXPECT_THAT(Take(PlanJob(kind_, job, context_, policy_, kJobNow)), ElementsAre(Part::kSpec));
  EXPECT_EQ(workload_.spec.queue_name, "other");
  ASSERT_TRUE(workload_.spec.admission_constraints);
  EXPECT_EQ(workload_.spec.admission_constraints->borrowing, "Never");
  EXPECT_THAT(Take(PlanJob(kind_, job, context_, policy_, kJobNow)), IsEmpty());
}

TEST_F(JobLife, KeepsItsConstraintsUntilAnEvictionReleasedItsQuota) {
  policy_.workload.has_constraints = true;
  Reserve();
  json::value job = job_;
  job.at("metadata").as_object()["annotations"] =
      json::object{{"kueue.x-k8s.io/cannot-borrow", "true"}};
  FollowConstraints(jobs::MetadataOf(job)->annotations, policy_.workload, workload_);
  EXPECT_FALSE(workload_.spec.admission_constraints);
}

TEST_F(JobLife, TellsThatItCannotStartWithWhatAnAdmissionCheckAdds) {
  Reserve();
  workload_.status.admission_checks = {
      {.name = "check",
       .state = std::string(api::kCheckReady),
       .pod_set_updates = {{.name = "main", .node_selector = {{"disk", "hdd"}}}}}};
  const JobPlan plan = PlanJob(kind_, job_, context_, policy_, kJobNow);
  EXPECT_THAT(Take(plan), ElementsAre(Part::kStatus));
  EXPECT_EQ(WhyFinished(), "FailedToStart");
  ASSERT_EQ(plan.events.size(), 1U);
  EXPECT_EQ(plan.events[0].reason, "FinishedWorkload");
}

}  // namespace
}  // namespace berth::control
