#include "lint/lint.h"

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

constexpr std::string_view kQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 9}])";

constexpr std::string_view kFlavor = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default})";

TEST(Lint, IsSilentAboutGoodObjects) {
  EXPECT_THAT(LintText(Documents(kQueue, kFlavor)), IsEmpty());
}

TEST(Lint, CountsObjectsAndKindsItDoesNotKnow) {
  const auto manifests = api::ReadManifests(Documents(
      kFlavor, "{apiVersion: ray.io/v1, kind: RayJob}", "{apiVersion: ray.io/v1, kind: RayJob}"));
  const LintResult result = Lint(manifests);
  EXPECT_EQ(result.object_count, 3U);
  EXPECT_THAT(result.unknown_kinds, ElementsAre(std::pair("ray.io/v1, RayJob", 2U)));
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Lint, SortsFindingsByPlace) {
  EXPECT_THAT(
      LintText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: Q}
spec:
  stopPolicy: Sometimes
  clusterQueues: x)"),
      ElementsAre("3 error invalid-name metadata.name", "5 error not-supported spec.stopPolicy",
                  "6 error unknown-field spec.clusterQueues"));
}

// --- Single objects ----------------------------------------------------------------------------

TEST(Lint, ReportsSyntaxErrors) {
  EXPECT_THAT(LintText("apiVersion: v1\nkind: [\n"), ElementsAre(HasSubstr("error syntax")));
}

TEST(Lint, ReportsWhatTheWebhookRefuses) {
  EXPECT_THAT(LintText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources:
      - name: cpu
        nominalQuota: -1)"),
              ElementsAre("12 error invalid "
                          "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"));
}

TEST(Lint, ReportsAMissingFieldOnce) {
  EXPECT_THAT(LintText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: c}
spec: {})"),
              ElementsAre("4 error required spec.controllerName"));
}

TEST(Lint, WarnsOfFieldsWhoseGateIsOff) {
  const std::string text = std::string(kQueue) + "\n  excludeResourcePrefixes: [example.com]";
  EXPECT_THAT(LintText(text), ElementsAre("11 warning no-effect spec.excludeResourcePrefixes"));
  LintOptions options;
  options.gates.Set(api::Gate::kClusterQueueResourceExclusion, true);
  EXPECT_THAT(LintText(text, options), IsEmpty());
}

TEST(Lint, TakesFeatureGatesFromTheConfiguration) {
  EXPECT_THAT(LintText(Documents(std::string(kQueue) + "\n  excludeResourcePrefixes: [example.com]",
                                 R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {ClusterQueueResourceExclusion: true})")),
              IsEmpty());
}

TEST(Lint, ReportsBadAnnotationsOfJobs) {
  EXPECT_THAT(LintText(R"(apiVersion: ray.io/v1
kind: RayJob
metadata:
  name: j
  annotations:
    kueue.x-k8s.io/cannot-preempt: yes please)"),
              ElementsAre(HasSubstr("warning no-effect metadata.annotations"),
                          HasSubstr("error not-supported metadata.annotations")));
}

// A pod of the group "g" with an annotation.
std::string GroupPod(const std::string& name, const std::string& cannot_borrow) {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name +
         "\n  namespace: team\n  labels: {kueue.x-k8s.io/pod-group-name: g}\n"
         "  annotations: {kueue.x-k8s.io/cannot-borrow: \"" +
         cannot_borrow + "\"}\nspec: {containers: [{name: c, image: i}]}";
}

TEST(Lint, DemandsThatPodsOfAGroupAgreeInTheirConstraints) {
  LintOptions on;
  on.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  EXPECT_THAT(LintText(Documents(GroupPod("a", "true"), GroupPod("b", "true")), on), IsEmpty());
  const std::string text = Documents(GroupPod("a", "true"), GroupPod("b", "false"));
  EXPECT_THAT(OnlyMessage(text, on),
              HasSubstr("is \"true\" on pod \"a\" of the group, but not on pod \"b\""));
  EXPECT_THAT(LintText(text), ElementsAre(HasSubstr("warning no-effect")));
}

TEST(Lint, SaysThatConstraintsOfAWorkloadHaveNoEffectWhileTheirGateIsOff) {
  EXPECT_THAT(LintText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: team}
spec:
  queueName: q
  admissionConstraints: {borrowing: Never}
  podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}])"),
              ElementsAre("6 warning no-effect spec.admissionConstraints"));
}

TEST(Lint, DemandsContainersOfQueuedJobs) {
  EXPECT_THAT(LintText(R"(apiVersion: batch/v1
kind: Job
metadata: {name: j, labels: {kueue.x-k8s.io/queue-name: q}}
spec:
  template:
    spec:)"),
              ElementsAre("6 error required spec.template.spec.containers"));
}

// --- Names and kinds ---------------------------------------------------------------------------

TEST(Lint, DemandsAName) {
  EXPECT_THAT(LintText("{apiVersion: v1, kind: Namespace, metadata: {}}"),
              ElementsAre("1 error required metadata.name"));
  EXPECT_THAT(LintText("{apiVersion: v1, kind: Namespace, metadata: {generateName: x-}}"),
              IsEmpty());
}

TEST(Lint, KnowsTheRulesForNames) {
  EXPECT_THAT(OnlyMessage("{apiVersion: v1, kind: Namespace, metadata: {name: a.b}}"),
              HasSubstr("\"a.b\" is not a valid name (a name must not contain dots)"));
  EXPECT_THAT(LintText("{apiVersion: v1, kind: ConfigMap, metadata: {name: a.b}}"), IsEmpty());
}

TEST(Lint, WarnsOfANamespaceWhereThereIsNone) {
  EXPECT_THAT(LintText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: default
  namespace: team)"),
              ElementsAre("5 warning namespace-ignored metadata.namespace"));
}

TEST(Lint, SuggestsKindsAndVersions) {
  EXPECT_THAT(OnlyMessage("{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQeue}"),
              HasSubstr("did you mean \"ClusterQueue\"?"));
  EXPECT_THAT(OnlyMessage("{apiVersion: kueue.x-k8s.io/v1beta3, kind: ClusterQueue}"),
              HasSubstr("write apiVersion: kueue.x-k8s.io/v1beta2"));
  EXPECT_THAT(OnlyMessage("{apiVersion: kueue.k8s.io/v1beta2, kind: ClusterQueue}"),
              HasSubstr("write apiVersion: kueue.x-k8s.io/v1beta2"));
  EXPECT_THAT(OnlyMessage("{apiVersion: batch/v1, kind: Jbo}"), HasSubstr("did you mean \"Job\"?"));
  EXPECT_THAT(LintText("{apiVersion: apps/v1, kind: DaemonSet}"), IsEmpty());
}

// --- References --------------------------------------------------------------------------------

constexpr std::string_view kOtherDefault = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
spec: {nodeLabels: {a: b}})";

TEST(Lint, FindsTheSameObjectTwiceInAFile) {
  EXPECT_THAT(LintText(Documents(kFlavor, kFlavor)),
              ElementsAre("8 warning duplicate-object metadata.name"));
  EXPECT_THAT(LintText(Documents(kFlavor, kOtherDefault)),
              ElementsAre("8 error duplicate-object metadata.name"));
}

// The text of the only finding in two files.
std::string LintTwoFiles(std::string_view a, std::string_view b) {
  std::vector<api::Manifest> manifests = api::ReadManifests(a, {.file = "a"});
  for (api::Manifest& m : api::ReadManifests(b, {.file = "b"})) manifests.push_back(std::move(m));
  const Findings findings = Lint(manifests).findings;
  if (findings.size() != 1) return std::to_string(findings.size()) + " findings";
  return std::string(ToString(findings[0].severity)) + ": " + findings[0].message;
}

TEST(Lint, WarnsOfTwoFilesThatDisagree) {
  EXPECT_EQ(LintTwoFiles(kFlavor, kOtherDefault),
            "warning: another ResourceFlavor of this name is at a:3:18");
  EXPECT_EQ(LintTwoFiles(kFlavor, kFlavor), "0 findings");
}

TEST(Lint, FindsFlavorsThatAreMissing) {
  constexpr std::string_view kOther = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: defualt})";
  EXPECT_THAT(LintText(Documents(kQueue, kOther)),
              ElementsAre("10 warning flavor-not-found spec.resourceGroups[0].flavors[0].name"));
  EXPECT_THAT(OnlyMessage(Documents(kQueue, kOther)), HasSubstr("did you mean \"defualt\"?"));
}

TEST(Lint, SaysNothingOfReferencesToWhatIsElsewhere) { EXPECT_THAT(LintText(kQueue), IsEmpty()); }

TEST(Lint, DoesNotBlameReferencesToBrokenObjects) {
  EXPECT_THAT(LintText(Documents(kQueue, R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
spec: {nodeLabels: 5})")),
              ElementsAre("16 error wrong-type spec.nodeLabels"));
}

TEST(Lint, FindsClusterQueuesThatAreMissing) {
  EXPECT_THAT(LintText(Documents(kQueue, R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: cqq})")),
              ElementsAre("16 warning cluster-queue-not-found spec.clusterQueue"));
}

TEST(Lint, FindsAdmissionChecksAndTheirParametersMissing) {
  EXPECT_THAT(LintText(Documents(std::string(kQueue) + R"(
  admissionChecksStrategy:
    admissionChecks:
    - name: b)",
                                 R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: a}
spec:
  controllerName: kueue.x-k8s.io/multikueue
  parameters: {apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: none})",
                                 R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: MultiKueueConfig
metadata: {name: some}
spec: {clusters: [east, west]})",
                                 R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: MultiKueueCluster
metadata: {name: west}
spec: {clusterSource: {kubeConfig: {location: west, locationType: Secret}}})")),
              ElementsAre("14 warning admission-check-not-found "
                          "spec.admissionChecksStrategy.admissionChecks[0].name",
                          "21 warning parameters-not-found spec.parameters.name",
                          "26 warning cluster-not-found spec.clusters[0]"));
}

TEST(Lint, FindsTopologiesAndLevelsThatAreMissing) {
  EXPECT_THAT(LintText(Documents(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: example.com/rack}]})",
                                 R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {a: b}, topologyName: rack})",
                                 R"(apiVersion: v1
kind: Pod
metadata:
  name: p
  labels: {kueue.x-k8s.io/queue-name: q}
  annotations: {kueue.x-k8s.io/podset-required-topology: example.com/block}
spec: {containers: [{name: c, image: i}]})")),
              ElementsAre("10 warning topology-not-found spec.topologyName",
                          "17 warning topology-level-not-found "
                          "metadata.annotations[kueue.x-k8s.io/podset-required-topology]"));
}

// --- Jobs --------------------------------------------------------------------------------------

constexpr std::string_view kLocalQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: cq})";

// A Job with the given metadata and spec.
std::string Job(std::string_view metadata, std::string_view spec = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " + std::string(metadata) +
         "}\nspec:\n  template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, "
         "resources: {requests: {cpu: 2}}}]}}\n" +
         std::string(spec);
}

TEST(Lint, FindsLocalQueuesThatAreMissing) {
  const std::string rule =
      "8 warning local-queue-not-found "
      "metadata.labels[kueue.x-k8s.io/queue-name]";
  EXPECT_THAT(LintText(Documents(kLocalQueue, Job("namespace: team, labels: "
                                                  "{kueue.x-k8s.io/queue-name: other}"))),
              ElementsAre("9" + rule.substr(1)));
  EXPECT_THAT(OnlyMessage(Documents(kLocalQueue, Job("namespace: alien, labels: "
                                                     "{kueue.x-k8s.io/queue-name: lq}"))),
              HasSubstr("namespace \"team\" has one"));
  EXPECT_THAT(LintText(Documents(kLocalQueue, Job("labels: {kueue.x-k8s.io/queue-name: lq}"))),
              IsEmpty());
}

TEST(Lint, LooksForTheQueueOfACronJobInItsTemplate) {
  EXPECT_THAT(LintText(Documents(kLocalQueue, R"(apiVersion: batch/v1
kind: CronJob
metadata: {name: c, namespace: team}
spec:
  schedule: "0 * * * *"
  jobTemplate:
    metadata: {labels: {kueue.x-k8s.io/queue-name: none}}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}})")),
              ElementsAre("13 warning local-queue-not-found "
                          "spec.jobTemplate.metadata.labels[kueue.x-k8s.io/queue-name]"));
}

TEST(Lint, LooksForTheQueueOfKindsItDoesNotKnow) {
  EXPECT_THAT(LintText(Documents(kLocalQueue, R"(apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: c, labels: {kueue.x-k8s.io/queue-name: none}})")),
              ElementsAre(HasSubstr("local-queue-not-found")));
}

TEST(Lint, FindsPriorityClassesThatAreMissing) {
  EXPECT_THAT(LintText(Documents(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 5)",
                                 Job("labels: {kueue.x-k8s.io/queue-name: lq, "
                                     "kueue.x-k8s.io/priority-class: hihg}"))),
              ElementsAre("9 warning priority-class-not-found "
                          "metadata.labels[kueue.x-k8s.io/priority-class]"));
}

// --- Cohorts and namespaces --------------------------------------------------------------------

std::string Cohort(std::string_view name, std::string_view parent) {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: " +
         std::string(name) + "}, spec: {parentName: " + std::string(parent) + "}}";
}

TEST(Lint, FindsCyclesOfCohortsOnce) {
  const std::string text =
      Documents(Cohort("below", "a"), Cohort("a", "b"), Cohort("b", "c"), Cohort("c", "a"));
  EXPECT_THAT(LintText(text), ElementsAre("4 error cohort-cycle spec.parentName"));
  EXPECT_THAT(OnlyMessage(text), HasSubstr(R"("a" → "b" → "c" → "a")"));
  EXPECT_THAT(LintText(Documents(Cohort("a", "b"), Cohort("b", "c"))), IsEmpty());
}

TEST(Lint, WarnsOfQueuesThatNoNamespaceMayUse) {
  constexpr std::string_view kHead = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
)";
  const std::string rule = "namespace-selector-matches-nothing spec.namespaceSelector";
  EXPECT_THAT(LintText(std::string(kHead) + "spec: {}"), ElementsAre("4 warning " + rule));
  const std::string selecting =
      std::string(kHead) + "spec:\n  namespaceSelector:\n    matchLabels: {team: a}";
  EXPECT_THAT(LintText(selecting), IsEmpty());
  EXPECT_THAT(LintText(Documents(selecting,
                                 "{apiVersion: v1, kind: Namespace, metadata: "
                                 "{name: n1, labels: {team: a}}}")),
              IsEmpty());
  EXPECT_THAT(LintText(Documents(selecting,
                                 "{apiVersion: v1, kind: Namespace, metadata: "
                                 "{name: n1, labels: {team: b}}}")),
              ElementsAre("6 warning " + rule));
}

TEST(Lint, WarnsOfALocalQueueThatItsClusterQueueDoesNotSelect) {
  constexpr std::string_view kByName = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector:
    matchLabels: {kubernetes.io/metadata.name: other})";
  EXPECT_THAT(LintText(Documents(kByName, kLocalQueue,
                                 "{apiVersion: v1, kind: Namespace, metadata: {name: team}}",
                                 "{apiVersion: v1, kind: Namespace, metadata: {name: other}}")),
              ElementsAre("12 warning namespace-not-selected spec.clusterQueue"));
}

}  // namespace
}  // namespace berth::lint
