#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/testing/lint_text.h"

namespace berth::lint {
namespace {

using testing::Documents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LintText;
using testing::OnlyMessage;

constexpr std::string_view kLocalQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: cq})";

struct QueueText {
  std::string name = "cq";
  std::string cohort = {};
  std::string cpu = "9";
  std::string limits = {};  // "borrowingLimit: 2"
};

// A ClusterQueue for cpu in one flavor, "default".
std::string Queue(const QueueText& queue) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + queue.name +
         "}\nspec:\n  namespaceSelector: {}\n" +
         (queue.cohort.empty() ? "" : "  cohortName: " + queue.cohort + "\n") +
         "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: default\n"
         "      resources: [{name: cpu, nominalQuota: " +
         queue.cpu + (queue.limits.empty() ? "" : ", " + queue.limits) + "}]";
}

struct JobText {
  std::string requests = "cpu: 1";
  int parallelism = 1;
  std::string annotations = {};
  std::string pod = {};  // more of the pod's spec
};

std::string Job(const JobText& job) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  namespace: team\n"
         "  labels: {kueue.x-k8s.io/queue-name: lq}\n  annotations: {" +
         job.annotations + "}\nspec:\n  parallelism: " + std::to_string(job.parallelism) +
         "\n  completions: 100\n  template:\n    spec:\n      restartPolicy: Never\n" + job.pod +
         "      containers: [{name: c, image: i, resources: {requests: {" + job.requests + "}}}]";
}

constexpr std::string_view kNever = "never-admits spec.template.spec.containers";

TEST(NeverAdmits, IsSilentAboutWhatFits) {
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), Job({.parallelism = 9}))), IsEmpty());
}

TEST(NeverAdmits, CountsAllPods) {
  const std::string text = Documents(kLocalQueue, Queue({}), Job({.parallelism = 10}));
  EXPECT_THAT(LintText(text), ElementsAre(HasSubstr(kNever)));
  EXPECT_THAT(OnlyMessage(text),
              HasSubstr("10 pods request 10 cpu, but ClusterQueue cq can offer at "
                        "most 9 cpu (nominal) in flavor default"));
}

TEST(NeverAdmits, CountsWhatCanBeBorrowed) {
  const std::string other = Queue({.name = "other", .cohort = "all", .cpu = "3"});
  const auto lint = [&](const QueueText& queue, int pods) {
    return LintText(Documents(kLocalQueue, other, Queue(queue), Job({.parallelism = pods})));
  };
  EXPECT_THAT(lint({.cohort = "all"}, 12), IsEmpty());
  EXPECT_THAT(lint({.cohort = "all"}, 13), ElementsAre(HasSubstr(kNever)));
  EXPECT_THAT(lint({.cohort = "all", .limits = "borrowingLimit: 2"}, 11), IsEmpty());
  EXPECT_THAT(lint({.cohort = "all", .limits = "borrowingLimit: 2"}, 12),
              ElementsAre(HasSubstr(kNever)));
  EXPECT_THAT(lint({.cohort = "alone"}, 10), ElementsAre(HasSubstr(kNever)));
}

TEST(NeverAdmits, DoesNotCountWhatMustNotBeBorrowed) {
  const std::string job =
      Job({.parallelism = 10, .annotations = "kueue.x-k8s.io/cannot-borrow: \"true\""});
  const std::string text = Documents(kLocalQueue, Queue({.cohort = "all"}),
                                     Queue({.name = "other", .cohort = "all"}), job);
  LintOptions on;
  on.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  EXPECT_THAT(OnlyMessage(text, on),
              HasSubstr("10 pods request 10 cpu, but ClusterQueue cq can offer at most 9 cpu "
                        "(nominal, without borrowing) in flavor default"));
  EXPECT_THAT(LintText(text), ElementsAre(HasSubstr("no-effect metadata.annotations")));
}

TEST(NeverAdmits, NamesResourcesThatNoGroupCovers) {
  const std::string text =
      Documents(kLocalQueue, Queue({}), Job({.requests = "cpu: 1, example.com/gpu: 2"}));
  EXPECT_THAT(LintText(text),
              ElementsAre(HasSubstr("undeclared-resource spec.resourceGroups"), HasSubstr(kNever)));
}

TEST(NeverAdmits, CountsOnlyDeclaredResourcesWhereTheConfigurationSaysSo) {
  constexpr std::string_view kConfiguration = R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {QuotaCheck: true}
resources: {quotaCheck: OnlyDeclared})";
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), kConfiguration,
                                 Job({.requests = "cpu: 1, example.com/gpu: 2"}))),
              IsEmpty());
}

TEST(NeverAdmits, AcceptsThatAJobMayStartWithFewerPods) {
  EXPECT_THAT(
      LintText(Documents(
          kLocalQueue, Queue({}),
          Job({.parallelism = 50, .annotations = "kueue.x-k8s.io/job-min-parallelism: \"9\""}))),
      IsEmpty());
}

TEST(NeverAdmits, LooksAtTaintsAndLabelsOfFlavors) {
  constexpr std::string_view kTainted = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
spec:
  nodeLabels: {pool: a}
  nodeTaints: [{key: spot, value: "true", effect: NoSchedule}])";
  const auto lint = [&](const std::string& pod) {
    return LintText(Documents(kLocalQueue, Queue({}), kTainted, Job({.pod = pod})));
  };
  EXPECT_THAT(lint(""), ElementsAre(HasSubstr(kNever)));
  EXPECT_THAT(lint("      tolerations: [{key: spot, operator: Exists}]\n"), IsEmpty());
  EXPECT_THAT(lint("      tolerations: [{key: spot, operator: Exists}]\n"
                   "      nodeSelector: {pool: b}\n"),
              ElementsAre(HasSubstr(kNever)));
}

TEST(NeverAdmits, CountsDefaultsOfLimitRangesAndOverhead) {
  constexpr std::string_view kLimits = R"(apiVersion: v1
kind: LimitRange
metadata: {name: l, namespace: team}
spec: {limits: [{type: Container, defaultRequest: {cpu: 10}}]})";
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), kLimits, Job({.requests = ""}))),
              ElementsAre(HasSubstr(kNever)));
  constexpr std::string_view kRuntime = R"(apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: vm}
handler: vm
overhead: {podFixed: {cpu: 9}})";
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), kRuntime,
                                 Job({.pod = "      runtimeClassName: vm\n"}))),
              ElementsAre(HasSubstr(kNever)));
}

TEST(NeverAdmits, SaysNothingWhereAQueueIsBroken) {
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({.cohort = "all"}),
                                 Queue({.name = "other", .cohort = "all", .cpu = "-1"}),
                                 Job({.parallelism = 10}))),
              ElementsAre(HasSubstr("error invalid")));
}

TEST(NeverAdmits, SaysNothingOfWorkloadsThatHaveQuota) {
  const auto workload = [](std::string_view status) {
    return R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: team}
spec:
  queueName: lq
  podSets:
  - name: main
    count: 10
    template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)" + std::string(status);
  };
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), workload(""))),
              ElementsAre(HasSubstr("never-admits spec.podSets[0].template.spec.containers")));
  EXPECT_THAT(LintText(Documents(kLocalQueue, Queue({}), workload(R"(
status:
  admission:
    clusterQueue: cq
    podSetAssignments: [{name: main, count: 10, flavors: {cpu: default}, resourceUsage: {cpu: 10}}]
)"))),
              IsEmpty());
}

}  // namespace
}  // namespace berth::lint
