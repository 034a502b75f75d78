// Jobs in scenario files: parsing and reported differences. The rules for managed jobs are in
// scenarios/managed-jobs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/scenario.h"
#include "scenario/scenario_check.h"
#include "scenario/scenario_update.h"

namespace berth::scenario {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kQueues = R"(
configuration:
  manageJobsWithoutQueueName: true
  managedJobsNamespaceSelector: {matchLabels: {queued: "true"}}
objects:
- {apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {queued: "true"}}}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main, namespace: team}, spec: {clusterQueue: q}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: q}
  spec:
    namespaceSelector: {}
    resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
)";

std::string JobOf(std::string_view metadata, int cpu = 1) {
  return "- {apiVersion: batch/v1, kind: Job, metadata: {name: train, " + std::string(metadata) +
         "}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, "
         "resources: {requests: {cpu: " +
         std::to_string(cpu) + "}}}]}}}}\n";
}

constexpr std::string_view kInQueue = "namespace: team, labels: {kueue.x-k8s.io/queue-name: main}";

std::vector<std::string> DifferencesOf(const std::string& text) {
  const ScenarioReport report = CheckScenario(text, "f");
  for (const schema::Problem& problem : report.problems) ADD_FAILURE() << ToString(problem);
  return report.differences;
}

std::vector<std::string> WithWant(const std::string& job, std::string_view want) {
  return DifferencesOf(std::string(kQueues) + job + "want:\n  jobs:\n    " + std::string(want) +
                       "\n");
}

std::vector<std::string> MistakesIn(const std::string& text) {
  std::vector<std::string> lines;
  for (const schema::Problem& problem : CheckScenario(text, "f").problems)
    lines.push_back(ToString(problem));
  return lines;
}

TEST(AJobInAScenario, IsAdmittedAsItsWorkload) {
  EXPECT_THAT(WithWant(JobOf(kInQueue, 3),
                       "Job team/train: {managed: true, reason: QueueName, "
                       "suspended: false, workloads: [team/job-train]}\n"
                       "  newlyAdmitted: [team/job-train]"),
              IsEmpty());
}

TEST(AJobInAScenario, WaitsIfItDoesNotFit) {
  EXPECT_THAT(WithWant(JobOf(kInQueue, 5),
                       "Job team/train: {suspended: true}\n"
                       "  reasons: {team/job-train: ExceedsMaxQuota}"),
              IsEmpty());
}

TEST(AJobInAScenario, MayRunFromTheBeginning) {
  const std::string running = R"(- apiVersion: kueue.x-k8s.io/v1beta2
  kind: Workload
  metadata: {name: job-train, namespace: team}
  spec: {queueName: main, podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}}}]}
  status:
    admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: 3}}]}
    conditions: [{type: QuotaReserved, status: "True", reason: QuotaReserved, message: "", lastTransitionTime: "2024-01-01T00:00:00Z"}]
)";
  EXPECT_THAT(WithWant(running + JobOf(kInQueue, 3),
                       "Job team/train: {suspended: false}\n"
                       "  newlyAdmitted: []"),
              IsEmpty());
}

TEST(AJobInAScenario, FollowsItsPriorityClass) {
  const std::string high =
      "- {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, "
      "value: 10}\n";
  EXPECT_THAT(
      WithWant(
          JobOf("namespace: team, labels: {kueue.x-k8s.io/queue-name: main, "
                "kueue.x-k8s.io/priority-class: high}"),
          R"(Job team/train: {workloads: [], suspended: true, problem: WorkloadPriorityClass "high" not found})"),
      IsEmpty());
  EXPECT_THAT(WithWant(high + JobOf("namespace: team, labels: {kueue.x-k8s.io/queue-name: main, "
                                    "kueue.x-k8s.io/priority-class: high}"),
                       R"(Job team/train: {workloads: [team/job-train], problem: ""})"),
              IsEmpty());
}

TEST(ADifferenceOfAJob, SaysWhyItIsManagedOrNot) {
  EXPECT_THAT(
      WithWant(JobOf(kInQueue), "Job team/train: {managed: false}"),
      ElementsAre("Job team/train: expected not to be managed, but it is managed: queue name "
                  "is \"main\""));
  EXPECT_THAT(WithWant(JobOf("namespace: other"), "Job other/train: {managed: true}"),
              ElementsAre("Job other/train: expected to be managed, but it is not managed: "
                          "managedJobsNamespaceSelector (queued=true) does not match the "
                          "namespace"));
  EXPECT_THAT(WithWant(JobOf(kInQueue), "Job team/train: {reason: Namespace}"),
              ElementsAre(AllOf(HasSubstr("expected the reason Namespace"),
                                HasSubstr("but it is QueueName"))));
}

TEST(ADifferenceOfAJob, SaysWhatIsOtherwise) {
  EXPECT_THAT(
      WithWant(JobOf(kInQueue), "Job team/train: {suspended: true, queue: \"\", workloads: []}"),
      ElementsAre("Job team/train: expected to name no queue, but it names \"main\"",
                  "Job team/train: expected to be suspended, but it is not; it is managed: "
                  "queue name is \"main\"",
                  "Job team/train: expected not to have the Workload team/job-train, but it has"));
  EXPECT_THAT(WithWant(JobOf(kInQueue), "train: {managed: true}"),
              ElementsAre(HasSubstr("there is none; jobs are named as in Job team/train")));
}

TEST(AMistakeInAJob, IsFoundAtItsPlace) {
  EXPECT_THAT(MistakesIn("objects:\n- apiVersion: batch/v1\n  kind: Job\n  metadta: {name: x}\n"),
              ::testing::Contains(HasSubstr("f:4:3: objects[0].metadta: unknown field")));
  EXPECT_THAT(MistakesIn("objects:\n- {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet}\n"),
              ElementsAre(HasSubstr("objects[0].metadata.name: an object needs a name")));
  EXPECT_THAT(MistakesIn("objects:\n- {apiVersion: batch/v1, kind: Jbo, metadata: {name: x}}\n"),
              ElementsAre(HasSubstr("did you mean \"Job\"?")));
}

TEST(AMistakeInAJob, MayBeAReasonThatIsNone) {
  EXPECT_THAT(MistakesIn("want:\n  jobs:\n    Job team/train: {managed: true, reason: QueueNam}\n"),
              ElementsAre(AllOf(HasSubstr("unknown reason \"QueueNam\""),
                                HasSubstr("did you mean \"QueueName\"?"))));
  EXPECT_THAT(MistakesIn("want: {jobs: {Job team/train: {reason: Because}}}\n"),
              ElementsAre(HasSubstr("one of QueueName, Namespace")));
}

TEST(AnUnknownKind, MayOwnJobsUnlessItIsMisspelt) {
  const ScenarioResult scenario = ReadScenario(
      "objects: [{apiVersion: argoproj.io/v1, kind: Workflow, metadata: {name: w}}]\n"
      "steps: [{delete: [Workflow w]}]\n",
      "f");
  ASSERT_TRUE(scenario.has_value());
  ASSERT_THAT(scenario->steps[0].jobs, SizeIs(1));
  EXPECT_EQ(scenario->steps[1].remove[0].kind_name, "Workflow");
  EXPECT_THAT(MistakesIn("objects: [{apiVersion: v1, kind: Namespac, metadata: {name: w}}]\n"),
              ElementsAre(HasSubstr("did you mean \"Namespace\"?")));
  EXPECT_THAT(
      MistakesIn("objects: [{apiVersion: example.com/v1, kind: Workload, metadata: {name: w}}]\n"),
      ElementsAre(HasSubstr("unknown kind \"Workload\" in example.com/v1")));
}

TEST(AConfigurationInAScenario, IsWarnedOfUnlessItsErrorsAreWanted) {
  const std::string bad = "configuration: {managedJobsNamespaceSelector: {}}\n";
  const ScenarioReport report = CheckScenario(bad, "f");
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_THAT(ToString(report.warnings[0]), HasSubstr("configuration.managedJobsNamespaceSel"));
  const std::string wanted = bad + "want: {configurationErrors: [managedJobsNamespaceSelector]}\n";
  EXPECT_THAT(CheckScenario(wanted, "f").warnings, IsEmpty());
  EXPECT_THAT(DifferencesOf(wanted), IsEmpty());
  EXPECT_THAT(DifferencesOf(bad + "want: {configurationErrors: []}\n"),
              ElementsAre(HasSubstr("matches the namespace \"kube-system\""),
                          HasSubstr("matches the namespace \"kueue-system\"")));
  EXPECT_THAT(
      DifferencesOf("want: {configurationErrors: [\"namespace: is wrong\"]}\n"),
      ElementsAre("configuration: expected the error \"namespace: is wrong\", but there is none"));
}

TEST(UpdatingAJob, WritesWhatIsAskedForAndNoMore) {
  const std::string text = std::string(kQueues) + JobOf(kInQueue) +
                           "want:\n  jobs:\n    Job team/train:\n      suspended: true\n";
  const base::Result<std::string> updated = UpdateScenario(text, "f");
  ASSERT_TRUE(updated.has_value());
  EXPECT_THAT(*updated, HasSubstr("want:\n  jobs:\n    Job team/train:\n      suspended: false\n"));
  EXPECT_THAT(*updated, ::testing::Not(HasSubstr("workloads")));
  EXPECT_TRUE(CheckScenario(*updated, "f").has_passed());
}

}  // namespace
}  // namespace berth::scenario
