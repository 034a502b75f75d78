#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/testing/lint_text.h"

namespace berth::lint {
namespace {

using api::Gate;
using ::testing::AllOf;
using ::testing::Contains;
using testing::Documents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LintText;
using ::testing::Not;

LintOptions With(std::initializer_list<Gate> gates) {
  LintOptions options;
  for (const Gate gate : gates) options.gates.Set(gate, true);
  return options;
}

// "rule: message (hint)" of every finding.
std::vector<std::string> Messages(std::string_view yaml, const LintOptions& options = {}) {
  std::vector<std::string> texts;
  const std::vector<api::Manifest> manifests = api::ReadManifests(yaml, {.file = "a.yaml"});
  for (const Finding& f : Lint(manifests, options).findings)
    texts.push_back(f.rule + ": " + f.message + " (" + f.hint + ")");
  return texts;
}

constexpr std::string_view kLocalQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: cq})";

struct QueueText {
  std::string name = "cq";
  std::string cohort = {};
  std::string exclude = {};
  std::string classes = {};  // of the resource gpus; "": the queue has cpu only
};

std::string Queue(const QueueText& queue) {
  const bool has_gpus = !queue.classes.empty();
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + queue.name +
         "}\nspec:\n  namespaceSelector: {}\n" +
         (queue.cohort.empty() ? "" : "  cohortName: " + queue.cohort + "\n") +
         (queue.exclude.empty() ? "" : "  excludeResourcePrefixes: [" + queue.exclude + "]\n") +
         "  resourceGroups:\n  - coveredResources: [cpu" + (has_gpus ? ", gpus" : "") +
         "]\n    flavors:\n    - name: default\n      resources:\n"
         "      - {name: cpu, nominalQuota: 9}\n" +
         (has_gpus
              ? "      - {name: gpus, nominalQuota: 4, kind: DeviceClass, deviceClassNames: [" +
                    queue.classes + "]}\n"
              : "");
}

std::string Job(const std::string& name, const std::string& requests,
                const std::string& claims = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: " + name +
         "\n  namespace: team\n  labels: {kueue.x-k8s.io/queue-name: lq}\nspec:\n  template:\n"
         "    spec:\n      restartPolicy: Never\n" +
         (claims.empty() ? "" : "      resourceClaims: [" + claims + "]\n") +
         "      containers: [{name: c, image: i, resources: {requests: {" + requests + "}}}]";
}

std::string Template(const std::string& name, const std::string& request) {
  return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: " + name +
         ", namespace: team}\nspec: {spec: {devices: {requests: [{name: g, exactly: {" + request +
         "}}]}}}";
}

constexpr Gate kExclusion = Gate::kClusterQueueResourceExclusion;
constexpr Gate kDevices = Gate::kKueueDynamicResourceAllocation;

// --- Undeclared resources -----------------------------------------------------------------------

TEST(UndeclaredResource, IsReportedOnceForAllItKeepsOutWithThePatch) {
  const std::string text =
      Documents(kLocalQueue, Queue({.exclude = "example.com"}),
                Job("a", "cpu: 1, other.com/nic: 2"), Job("b", "cpu: 1, other.com/nic: 1"));
  EXPECT_THAT(
      Messages(text, With({kExclusion})),
      ElementsAre(
          "undeclared-resource: requested resources without quota in this queue: "
          "other.com/nic blocks team/a, team/b (add quota, or exclude the resource: kubectl "
          "patch clusterqueue cq --type=merge -p "
          R"('{"spec":{"excludeResourcePrefixes":["example.com","other.com/nic"]}}'))",
          HasSubstr("never-admits"), HasSubstr("never-admits")));
}

TEST(UndeclaredResource, SaysWhichGateThePatchNeeds) {
  const std::string text = Documents(kLocalQueue, Queue({}), Job("a", "cpu: 1, other.com/nic: 2"));
  EXPECT_THAT(Messages(text),
              ElementsAre(HasSubstr("(needs the feature gate ClusterQueueResourceExclusion)"),
                          HasSubstr("never-admits")));
}

TEST(UndeclaredResource, IsNoneWhereOnlyDeclaredOnesAreChecked) {
  constexpr std::string_view kConfiguration = R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {QuotaCheck: true}
resources: {quotaCheck: OnlyDeclared})";
  EXPECT_THAT(Messages(Documents(kConfiguration, kLocalQueue, Queue({}),
                                 Job("a", "cpu: 1, other.com/nic: 2"))),
              IsEmpty());
}

TEST(UndeclaredResource, MayBeADeviceClass) {
  const std::string text =
      Documents(kLocalQueue, Queue({}), Template("t", "deviceClassName: big.example.com"),
                Job("a", "cpu: 1", "{name: g, resourceClaimTemplateName: t}"));
  EXPECT_THAT(Messages(text, With({kDevices})),
              ElementsAre(AllOf(HasSubstr("DeviceClass big.example.com blocks team/a"),
                                HasSubstr("deviceClassNames: [big.example.com]")),
                          HasSubstr("never-admits")));
}

// --- Prefixes -----------------------------------------------------------------------------------

TEST(PrefixDiffers, WhereAResourceMerelyBeginsWithIt) {
  const std::string text = Documents(kLocalQueue, Queue({.exclude = "other, example.com"}),
                                     Job("a", "cpu: 1, example.com/nic: 1"), Job("b", "cpu: 1"));
  EXPECT_THAT(Messages(text, With({kExclusion})), IsEmpty());
  const std::string strange =
      Documents(kLocalQueue, Queue({.exclude = "example.com, example.community/nic"}),
                Job("a", "cpu: 1, example.community/nic: 1"));
  EXPECT_THAT(Messages(strange, With({kExclusion})),
              ElementsAre(AllOf(HasSubstr("prefix-differs"),
                                HasSubstr("\"example.com\" does not exclude "
                                          "\"example.community/nic\"; a prefix that ends"))));
}

TEST(PrefixDiffers, InTheConfigurationOnceItsGateIsOn) {
  const auto configuration = [](std::string_view gates) {
    return "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfeatureGates: " +
           std::string(gates) + "\nresources: {excludeResourcePrefixes: [c, hugepages-]}";
  };
  EXPECT_THAT(
      LintText(Documents(configuration("{ClusterQueueResourceExclusion: true}"), Queue({}))),
      ElementsAre(HasSubstr("prefix-differs resources.excludeResourcePrefixes[0]")));
  EXPECT_THAT(LintText(Documents(configuration("{}"), Queue({}))),
              Not(Contains(HasSubstr("prefix-differs"))));
}

// --- Device classes -----------------------------------------------------------------------------

TEST(DeviceClassConflict, IsAnErrorOfBothQueues) {
  const std::string text = Documents(Queue({.name = "a", .cohort = "all", .classes = "a.com"}),
                                     Queue({.name = "b", .cohort = "all", .classes = "b.com"}));
  EXPECT_THAT(
      Messages(text, With({kDevices})),
      ElementsAre(AllOf(HasSubstr("device-class-conflict"), HasSubstr("ClusterQueue \"b\"")),
                  HasSubstr("ClusterQueue \"a\"")));
}

TEST(DeviceClassConflict, IsNoneWhileTheGateIsOff) {
  const std::string text = Documents(Queue({.name = "a", .cohort = "all", .classes = "a.com"}),
                                     Queue({.name = "b", .cohort = "all", .classes = "b.com"}));
  EXPECT_THAT(LintText(text), ElementsAre(HasSubstr("no-effect"), HasSubstr("no-effect")));
}

TEST(DeviceClassReference, LeadsSomewhere) {
  const std::string text = Documents(
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: large}\n"
      "spec: {}",
      Queue({.classes = "large, larg"}));
  EXPECT_THAT(Messages(text, With({kDevices})),
              ElementsAre(AllOf(HasSubstr("device-class-not-found"), HasSubstr("\"larg\""),
                                HasSubstr("did you mean \"large\"?"))));
}

TEST(ClaimReference, LeadsSomewhere) {
  const std::string text =
      Documents(kLocalQueue, Queue({.classes = "a.com"}), Template("t", "deviceClassName: a.com"),
                Job("a", "cpu: 1", "{name: g, resourceClaimTemplateName: u}"));
  EXPECT_THAT(LintText(text, With({kDevices})),
              ElementsAre(HasSubstr("claim-not-found spec.template.spec.resourceClaims")));
}

TEST(NeverAdmits, CountsDevices) {
  const std::string job = Job("a", "cpu: 1", "{name: g, resourceClaimTemplateName: t}");
  const auto lint = [&](const std::string& count) {
    return Messages(Documents(kLocalQueue, Queue({.classes = "a.com"}),
                              Template("t", "deviceClassName: a.com, count: " + count), job),
                    With({kDevices}));
  };
  EXPECT_THAT(lint("4"), IsEmpty());
  EXPECT_THAT(lint("5"), ElementsAre(HasSubstr("1 pod requests 5 gpus")));
}

}  // namespace
}  // namespace berth::lint
