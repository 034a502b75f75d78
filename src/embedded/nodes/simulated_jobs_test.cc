#include "embedded/nodes/simulated_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/nodes/simulated_children.h"
#include "jobs/testing/objects.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kIndex = "metadata.labels[batch.kubernetes.io/job-completion-index]";

// A batch/v1 Job and its pods.
class JobOnNodes : public ::testing::Test {
 protected:
  SimulatedSetPlan Step() {
    SimulatedSetPlan plan = SimulateBatchJob(job_, pods_, settings_, now_);
    for (const std::string& name : plan.remove)
      std::erase_if(pods_, [&](const json::value& pod) { return NameIn(pod) == name; });
    for (const json::value& pod : plan.create) pods_.push_back(pod);
    if (plan.status) job_.as_object()["status"] = *plan.status;
    return plan;
  }
  void SetPhase(size_t pod, std::string_view phase) {
    pods_[pod].as_object()["status"] =
        json::object{{"phase", json::BoostView(phase)}, {"startTime", "2026-01-01T00:00:00Z"}};
  }
  std::vector<std::string> OfPods(std::string_view path) const {
    std::vector<std::string> texts;
    for (const json::value& pod : pods_) texts.push_back(json::TextAt(pod, path));
    return texts;
  }
  std::string Status(const std::string& field) const {
    return json::TextAt(job_, "status." + field);
  }
  json::object& Spec() { return job_.as_object()["spec"].as_object(); }

  json::value job_ = jobs::testing::Yaml(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: u, annotations: "
      "{berth.dev/run-time: 3s}}, spec: {suspend: false, parallelism: 3, completions: 3, template: "
      "{metadata: {labels: {a: b}}, spec: {nodeSelector: {c: d}}}}}");
  std::vector<json::value> pods_;
  SimulationSettings settings_;
  base::Time now_ = base::Time::FromSeconds(1'000'000);
};

TEST_F(JobOnNodes, HasAsManyPodsAsItRunsInParallel) {
  Spec()["parallelism"] = 2;
  Step();
  Step();
  EXPECT_THAT(pods_, SizeIs(2));
  EXPECT_THAT(OfPods("spec.nodeSelector.c"), UnorderedElementsAre("d", "d"));
  EXPECT_THAT(OfPods("metadata.labels.a"), UnorderedElementsAre("b", "b"));
  EXPECT_THAT(OfPods("metadata.annotations[berth.dev/run-time]"), UnorderedElementsAre("3s", "3s"));
  EXPECT_EQ(Status("active"), "2");
}

TEST_F(JobOnNodes, NumbersItsPodsIfItIsIndexed) {
  Spec()["completionMode"] = "Indexed";
  Step();
  EXPECT_THAT(OfPods(kIndex), UnorderedElementsAre("0", "1", "2"));
  SetPhase(0, "Succeeded");
  pods_.erase(pods_.begin() + 1);
  Step();
  EXPECT_THAT(OfPods(kIndex), UnorderedElementsAre("0", "1", "2"));
}

TEST_F(JobOnNodes, CompletesWithItsPods) {
  Step();
  for (size_t i = 0; i < 3; ++i) SetPhase(i, "Succeeded");
  Step();
  EXPECT_EQ(Status("succeeded"), "3");
  EXPECT_NE(Status("completionTime"), "");
  EXPECT_THAT(Step().create, IsEmpty());
}

TEST_F(JobOnNodes, ReplacesPodsThatAreGone) {
  Step();
  pods_.pop_back();
  Step();
  EXPECT_THAT(pods_, SizeIs(3));
}

// On a node that does not answer they stay for long.
TEST_F(JobOnNodes, ReplacesPodsThatAreBeingDeleted) {
  Spec()["completionMode"] = "Indexed";
  Step();
  pods_[1].as_object()["metadata"].as_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  Step();
  EXPECT_THAT(OfPods(kIndex), UnorderedElementsAre("0", "1", "1", "2"));
  EXPECT_THAT(NamesOf(pods_), SizeIs(4));
}

// A controller may set pods to Failed that never ran, because their node is gone.
TEST_F(JobOnNodes, ReplacesFailedPodsThatNeverRan) {
  Step();
  pods_[0].as_object()["status"] = json::object{{"phase", "Failed"}};
  Step();
  EXPECT_THAT(pods_, SizeIs(4));
  EXPECT_EQ(Status("failed"), "");
}

TEST_F(JobOnNodes, FailsWithItsFirstFailedPod) {
  Step();
  SetPhase(1, "Failed");
  Step();
  EXPECT_EQ(Status("failed"), "1");
  EXPECT_THAT(pods_, SizeIs(1));
}

TEST_F(JobOnNodes, LosesItsPodsWhenItIsSuspended) {
  Step();
  Spec()["suspend"] = true;
  Step();
  EXPECT_THAT(pods_, IsEmpty());
  EXPECT_EQ(Status("active"), "");
  EXPECT_EQ(Status("startTime"), "");
}

TEST_F(JobOnNodes, CreatesPodsInBatches) {
  Spec()["parallelism"] = 1'000'000'000;
  Spec()["completions"] = 1'000'000'000;
  EXPECT_THAT(Step().create, SizeIs(kMostPodsPerStep));
}

TEST(JobsOfOtherKindsOnNodes, HaveTheNumberedPodsOfTheirTemplates) {
  json::value job_set = jobs::testing::Yaml(
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s, uid: u}, spec: "
      "{suspend: false, replicatedJobs: [{name: workers, replicas: 2, template: {spec: "
      "{parallelism: 2, completions: 2, template: {spec: {containers: [{name: c}]}}}}}]}}");
  const jobs::Integration& kind = jobs::testing::Kind("jobset.x-k8s.io/jobset");
  const SimulatedSetPlan plan = SimulateJobPods(kind, job_set, {});
  std::vector<std::string> places;
  for (const json::value& pod : plan.create)
    places.push_back(NameIn(pod) + " " +
                     json::TextAt(pod, "metadata.labels[jobset.sigs.k8s.io/job-index]") + "/" +
                     json::TextAt(pod, kIndex));
  EXPECT_THAT(places, UnorderedElementsAre("s-workers-0 0/0", "s-workers-1 0/1", "s-workers-2 1/0",
                                           "s-workers-3 1/1"));
  job_set.as_object()["spec"].as_object()["suspend"] = true;
  EXPECT_THAT(SimulateJobPods(kind, job_set, plan.create).remove, SizeIs(4));
}

TEST(JobsOfOtherKindsOnNodes, RunAsLongAsTheirPods) {
  const json::value job_set = jobs::testing::Yaml(
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s, uid: u, "
      "annotations: {berth.dev/run-time: 3s}}, spec: {suspend: false, replicatedJobs: [{name: "
      "workers, template: {spec: {template: {spec: {containers: [{name: c}]}}}}}]}}");
  const SimulatedSetPlan plan =
      SimulateJobPods(jobs::testing::Kind("jobset.x-k8s.io/jobset"), job_set, {});
  ASSERT_THAT(plan.create, SizeIs(1));
  const json::value& pod = plan.create[0];
  EXPECT_EQ(json::TextAt(pod, "metadata.annotations[berth.dev/run-time]"), "3s");
  EXPECT_EQ(json::TextAt(pod, "metadata.annotations[berth.dev/fails]"), "");
}

}  // namespace
}  // namespace berth::embedded
