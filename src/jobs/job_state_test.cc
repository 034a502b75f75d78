// Reads the state of jobs of every kind.

#include "jobs/job_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/completions.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::IsEmpty;
using testing::Kind;
using testing::Yaml;

json::value WithCondition(std::string_view type) {
  return Yaml("{status: {conditions: [{type: Other, status: 'True', message: no}, {type: " +
              std::string(type) + ", status: 'True', message: because}]}}");
}

json::value WithStatus(std::string_view path, std::string_view value) {
  json::value object = json::object();
  *json::MakeAt(object, path) = json::string(json::BoostView(value));
  return object;
}

// --- Suspended ---------------------------------------------------------------------------------

TEST(SuspendedJobs, EveryKindHasItsFlag) {
  for (const Integration& integration : IntegrationSet::BuiltIn().all()) {
    if (integration.suspension != kSuspendedByFlag) continue;
    json::value job = json::object();
    EXPECT_FALSE(IsSuspended(integration, job)) << integration.framework;
    *json::MakeAt(job, integration.suspend) = true;
    EXPECT_TRUE(IsSuspended(integration, job)) << integration.framework;
  }
}

TEST(SuspendedJobs, AJobThatIsBeingStoppedCountsAsRunning) {
  EXPECT_FALSE(IsSuspended(
      Kind("batch/job"),
      Yaml("{metadata: {annotations: {kueue.x-k8s.io/stopping: 'true'}}, spec: {suspend: true}}")));
}

TEST(SuspendedJobs, PodsAreWhenGatedOrEnded) {
  EXPECT_TRUE(IsSuspended(Kind("pod"),
                          Yaml("{spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}]}}")));
  EXPECT_FALSE(IsSuspended(Kind("pod"), Yaml("{spec: {schedulingGates: [{name: other}]}}")));
  EXPECT_TRUE(IsSuspended(Kind("pod"), Yaml("{status: {phase: Failed}}")));
}

// --- Ends --------------------------------------------------------------------------------------

struct EndCase {
  const char* framework;
  json::value succeeded;
  json::value failed;
};

std::vector<EndCase> EndCases() {
  std::vector<EndCase> cases = {
      {"batch/job", WithCondition("Complete"), WithCondition("Failed")},
      {"jobset.x-k8s.io/jobset", WithCondition("Completed"), WithCondition("Failed")},
      {"trainer.kubeflow.org/trainjob", WithCondition("Complete"), WithCondition("Failed")},
      {"workload.codeflare.dev/appwrapper", WithStatus("status.phase", "Succeeded"),
       WithStatus("status.phase", "Failed")},
      {"sparkoperator.k8s.io/sparkapplication",
       WithStatus("status.applicationState.state", "COMPLETED"),
       WithStatus("status.applicationState.state", "SUBMISSION_FAILED")},
      {"ray.io/rayjob",
       Yaml("{status: {jobDeploymentStatus: Complete, jobStatus: SUCCEEDED, message: m}}"),
       Yaml("{status: {jobDeploymentStatus: Complete, jobStatus: FAILED}}")},
      {"pod", WithStatus("status.phase", "Succeeded"), WithStatus("status.phase", "Failed")},
  };
  for (const char* kind : {"mpijob", "pytorchjob", "tfjob", "xgboostjob", "paddlejob", "jaxjob"}) {
    static std::deque<std::string> names;
    cases.push_back({names.emplace_back("kubeflow.org/" + std::string(kind)).c_str(),
                     WithCondition("Succeeded"), WithCondition("Failed")});
  }
  return cases;
}

TEST(JobEnds, EveryKindEndsInItsOwnWay) {
  for (const EndCase& test : EndCases()) {
    SCOPED_TRACE(test.framework);
    EXPECT_FALSE(Finished(Kind(test.framework), Yaml("{status: {}}")).has_value());
    const auto good = Finished(Kind(test.framework), test.succeeded);
    const auto bad = Finished(Kind(test.framework), test.failed);
    ASSERT_TRUE(good && bad);
    EXPECT_TRUE(good->is_success);
    EXPECT_FALSE(bad->is_success);
  }
}

TEST(JobEnds, TheMessageIsThatOfTheCondition) {
  EXPECT_EQ(Finished(Kind("batch/job"), WithCondition("Complete"))->message, "because");
}

TEST(JobEnds, ServicesDoNotEnd) {
  for (const char* framework : {"ray.io/raycluster", "ray.io/rayservice", "deployment",
                                "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
    EXPECT_THAT(Kind(framework).finished, IsEmpty()) << framework;
}

TEST(JobEnds, AFailedAppWrapperEndsWhenItsResourcesAreGone) {
  json::value wrapper = WithCondition("ResourcesDeployed");
  *json::MakeAt(wrapper, "status.phase") = "Failed";
  EXPECT_FALSE(Finished(Kind("workload.codeflare.dev/appwrapper"), wrapper).has_value());
  *json::MakeAt(wrapper, "status.conditions[1].status") = "False";
  const auto finished = Finished(Kind("workload.codeflare.dev/appwrapper"), wrapper);
  ASSERT_TRUE(finished.has_value());
  EXPECT_FALSE(finished->is_success);
}

TEST(JobEnds, ARayJobThatIsInvalidIsOnHoldAndOneWithAClusterIsSkipped) {
  EXPECT_EQ(HoldReason(Kind("ray.io/rayjob"),
                       WithStatus("status.jobDeploymentStatus", "ValidationFailed")),
            "status.jobDeploymentStatus is ValidationFailed");
  EXPECT_EQ(HoldReason(Kind("ray.io/rayjob"), WithStatus("status.jobDeploymentStatus", "Running")),
            "");
  EXPECT_TRUE(jobs::IsSkipped(Kind("ray.io/rayjob"), Yaml("{spec: {clusterSelector: {a: b}}}")));
  EXPECT_FALSE(jobs::IsSkipped(Kind("ray.io/rayjob"), Yaml("{spec: {clusterSelector: {}}}")));
}

// --- Pods --------------------------------------------------------------------------------------

bool Ready(std::string_view framework, const json::value& job) {
  const auto sets = PodSetsOf(Kind(framework), job, {});
  return PodsReady(Kind(framework), job, sets ? *sets : std::vector<JobPodSet>());
}

TEST(ReadyPods, JobsCountReadyAndSucceededOnes) {
  EXPECT_FALSE(Ready("batch/job", Yaml("{spec: {parallelism: 3}, status: {ready: 2}}")));
  EXPECT_TRUE(Ready(
      "batch/job",
      Yaml("{spec: {parallelism: 3}, status: {ready: 1, succeeded: 1, uncountedTerminatedPods: "
           "{succeeded: [uid]}}}")));
}

TEST(ReadyPods, JobSetsCountJobs) {
  const char* spec =
      "spec: {replicatedJobs: [{name: a, replicas: 2, template: {spec: {parallelism: 4}}}]}";
  EXPECT_TRUE(
      Ready("jobset.x-k8s.io/jobset",
            Yaml("{" + std::string(spec) +
                 ", status: {replicatedJobsStatus: [{name: a, ready: 1, succeeded: 1}]}}")));
  EXPECT_FALSE(Ready(
      "jobset.x-k8s.io/jobset",
      Yaml("{" + std::string(spec) + ", status: {replicatedJobsStatus: [{name: a, ready: 1}]}}")));
}

TEST(ReadyPods, OtherKindsReportReadiness) {
  EXPECT_TRUE(Ready("kubeflow.org/pytorchjob", WithCondition("Running")));
  EXPECT_FALSE(Ready("kubeflow.org/pytorchjob", WithCondition("Created")));
  EXPECT_TRUE(Ready("ray.io/raycluster", WithStatus("status.state", "ready")));
  EXPECT_TRUE(Ready("ray.io/rayjob", WithStatus("status.rayClusterStatus.state", "ready")));
  EXPECT_TRUE(Ready("workload.codeflare.dev/appwrapper", WithCondition("PodsReady")));
  EXPECT_TRUE(Ready("pod", WithCondition("Ready")));
}

TEST(ReadyPods, ASparkApplicationNeedsItsExecutors) {
  const char* spec =
      "spec: {executor: {instances: 2}}, status: {applicationState: {state: RUNNING}";
  EXPECT_FALSE(
      Ready("sparkoperator.k8s.io/sparkapplication",
            Yaml("{" + std::string(spec) + ", executorState: {a: RUNNING, b: PENDING}}}")));
  EXPECT_TRUE(
      Ready("sparkoperator.k8s.io/sparkapplication",
            Yaml("{" + std::string(spec) + ", executorState: {a: RUNNING, b: COMPLETED}}}")));
}

TEST(ActivePods, EveryKindReportsThem) {
  EXPECT_TRUE(IsActive(Kind("batch/job"), Yaml("{status: {active: 1}}")));
  EXPECT_FALSE(IsActive(Kind("batch/job"), Yaml("{status: {active: 0}}")));
  EXPECT_TRUE(IsActive(Kind("jobset.x-k8s.io/jobset"),
                       Yaml("{status: {replicatedJobsStatus: [{active: 0}, {active: 2}]}}")));
  EXPECT_TRUE(IsActive(Kind("kubeflow.org/tfjob"),
                       Yaml("{status: {replicaStatuses: {PS: {}, Worker: {active: 1}}}}")));
  EXPECT_FALSE(IsActive(Kind("ray.io/rayjob"), Yaml("{}")));
  EXPECT_TRUE(IsActive(Kind("ray.io/rayjob"), WithStatus("status.jobDeploymentStatus", "Running")));
}

// --- Reclaimable -------------------------------------------------------------------------------

TEST(ReclaimableJobPods, AreThoseBeyondTheRemainingCompletions) {
  const auto count = [](int parallelism, int completions, int succeeded) {
    json::value job = json::object();
    *json::MakeAt(job, "spec.parallelism") = parallelism;
    *json::MakeAt(job, "spec.completions") = completions;
    *json::MakeAt(job, "status.succeeded") = succeeded;
    return ReclaimableOfJob(job);
  };
  EXPECT_EQ(count(3, 3, 1), 1);
  EXPECT_EQ(count(3, 5, 1), 0);
  EXPECT_EQ(count(3, 5, 4), 2);
  EXPECT_EQ(count(3, 3, 9), 3);
  EXPECT_EQ(count(1, 3, 3), 0);
  EXPECT_EQ(count(3, 3, 0), 0);
}

TEST(ReclaimableJobPods, IndexesCountOnceAndBelowTheCompletions) {
  EXPECT_EQ(CountIndexes("0,3-5,9", "", 10), 5);
  EXPECT_EQ(CountIndexes("0-4", "3-6", 10), 7);
  EXPECT_EQ(CountIndexes("2-20", "", 5), 3);
  EXPECT_EQ(CountIndexes("5-3,x,,7", "", 10), 1);
  EXPECT_EQ(CountIndexes("0-3", "", 0), 0);
}

TEST(ReclaimableJobPods, JobSetsReleaseWholeJobs) {
  const json::value job = Yaml(R"(
spec: {replicatedJobs: [
  {name: A, replicas: 3, template: {spec: {parallelism: 4}}},
  {name: b, replicas: 1, template: {spec: {}}}]}
status: {replicatedJobsStatus: [{name: A, succeeded: 2}, {name: b, succeeded: 5}]}
)");
  const Integration& kind = Kind("jobset.x-k8s.io/jobset");
  const auto pods = ReclaimablePods(kind, job, *PodSetsOf(kind, job, {}));
  ASSERT_EQ(pods.size(), 1u);
  EXPECT_EQ(pods[0].name, "a");
  EXPECT_EQ(pods[0].count, 8);
}

}  // namespace
}  // namespace berth::jobs
