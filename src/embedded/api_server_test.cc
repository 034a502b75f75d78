// Answers of the API server that users see: fields, types of errors and values. These tests also
// run on kube-apiserver, so both must answer alike; the words after that differ.

#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using ::testing::StartsWith;
using testing::Team;

// A pod template with one container.
std::string PodTemplate(std::string_view pod, std::string_view resources) {
  return "{metadata: {labels: {app: a}}, spec: {restartPolicy: Always, " + std::string(pod) +
         "containers: [{name: c, image: example.com/c, resources: {" + std::string(resources) +
         "}}]}}";
}

// An object of a built-in kind with that template.
std::string WithPod(std::string_view kind, std::string_view pod, std::string_view resources) {
  const std::string meta = "metadata: {name: a, namespace: team}\n";
  const std::string pods = PodTemplate(pod, resources);
  if (kind == "Pod")
    return "apiVersion: v1\nkind: Pod\n" + meta +
           pods.substr(pods.find("spec:"), pods.size() - pods.find("spec:") - 1) + "\n";
  std::string jobs = pods;
  jobs.replace(jobs.find("Always"), 6, "Never");
  if (kind == "Job")
    return "apiVersion: batch/v1\nkind: Job\n" + meta + "spec: {template: " + jobs + "}\n";
  if (kind == "CronJob")
    return "apiVersion: batch/v1\nkind: CronJob\n" + meta +
           "spec: {schedule: '0 0 1 1 *', jobTemplate: {spec: {template: " + jobs + "}}}\n";
  return "apiVersion: apps/v1\nkind: " + std::string(kind) + "\n" + meta +
         "spec: {selector: {matchLabels: {app: a}}, template: " + pods + "}\n";
}

class ContainerResources : public ::testing::Test {
 protected:
  ContainerResources() { cluster_.Apply(Team("team", 10)); }

  // The message without the code, for a Job's template.
  std::string RefusalOf(std::string_view resources, std::string_view pod = "") {
    const std::string refusal = cluster_.TryApply(WithPod("Job", pod, resources)).refusal;
    constexpr std::string_view kPrefix = "422 Invalid: Job.batch \"a\" is invalid: ";
    return refusal.starts_with(kPrefix) ? refusal.substr(kPrefix.size()) : refusal;
  }

  LiveCluster cluster_ = StartCluster();
};

TEST_F(ContainerResources, OfAnExtendedResourceNeedALimit) {
  for (const char* requests : {"example.com/gpu: 1", "cpu: 1, hugepages-2Mi: 2Mi"})
    EXPECT_THAT(RefusalOf("requests: {" + std::string(requests) + "}"),
                StartsWith("spec.template.spec.containers[0].resources.limits: Required value: "));
  EXPECT_EQ(RefusalOf("requests: {cpu: 1}"), "");
}

TEST_F(ContainerResources, OfAnExtendedResourceEqualTheirLimit) {
  const std::string invalid =
      "spec.template.spec.containers[0].resources.requests: Invalid value: \"1\": ";
  EXPECT_THAT(RefusalOf("requests: {example.com/gpu: 1}, limits: {example.com/gpu: 2}"),
              AllOf(StartsWith(invalid), HasSubstr("example.com/gpu limit of 2")));
  EXPECT_THAT(RefusalOf("requests: {cpu: 1}, limits: {cpu: 500m}"),
              AllOf(StartsWith(invalid), HasSubstr("cpu limit of 500m")));
  EXPECT_EQ(RefusalOf("requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}"), "");
}

TEST_F(ContainerResources, AreNotNegativeAndWholeWhereTheyAreExtended) {
  const std::string requests = "spec.template.spec.containers[0].resources.requests";
  EXPECT_THAT(RefusalOf("requests: {cpu: -1}"),
              StartsWith(requests + "[cpu]: Invalid value: \"-1\": "));
  EXPECT_THAT(RefusalOf("requests: {example.com/gpu: 1500m}, limits: {example.com/gpu: 1500m}"),
              HasSubstr(requests + "[example.com/gpu]: Invalid value: \"1500m\": "));
  EXPECT_EQ(RefusalOf("requests: {cpu: 1500m, memory: 0}"), "");
}

TEST_F(ContainerResources, HaveADomainUnlessTheyAreStandard) {
  EXPECT_THAT(RefusalOf("requests: {gpu: 1}"),
              HasSubstr("spec.template.spec.containers[0].resources.requests[gpu]: "
                        "Invalid value: \"gpu\": "));
  EXPECT_EQ(RefusalOf("requests: {ephemeral-storage: 1Gi}"), "");
}

TEST_F(ContainerResources, OfHugePagesNeedCpuOrMemory) {
  EXPECT_THAT(RefusalOf("limits: {hugepages-2Mi: 2Mi}"),
              StartsWith("spec.template.spec.containers[0].resources: Forbidden: "));
}

TEST_F(ContainerResources, AreNotBelowZero) {
  const std::string path = "spec.template.spec.containers[0].resources.";
  EXPECT_THAT(RefusalOf("requests: {cpu: -1}"),
              StartsWith(path + "requests[cpu]: Invalid value: \"-1\": "));
  EXPECT_THAT(RefusalOf("requests: {cpu: -2}, limits: {cpu: -1}"),
              AllOf(HasSubstr(path + "limits[cpu]: Invalid value: \"-1\": "),
                    HasSubstr(path + "requests[cpu]: Invalid value: \"-2\": ")));
  EXPECT_EQ(RefusalOf("requests: {cpu: 0}"), "");
}

TEST_F(ContainerResources, ClaimWhatThePodHas) {
  const std::string not_found =
      "spec.template.spec.containers[0].resources.claims[0]: Not found: \"gpu\": ";
  EXPECT_THAT(RefusalOf("claims: [{name: gpu}]"), StartsWith(not_found));
  constexpr std::string_view kTwo =
      "resourceClaims: [{name: b, resourceClaimName: b}, {name: a, resourceClaimName: a}], ";
  EXPECT_THAT(RefusalOf("claims: [{name: gpu}]", kTwo),
              AllOf(StartsWith(not_found), HasSubstr("a, b")));
  EXPECT_EQ(RefusalOf("claims: [{name: a}, {name: b}]", kTwo), "");
}

TEST_F(ContainerResources, AreCheckedInEveryKindWithPods) {
  for (const auto& [kind, path] : std::vector<std::pair<std::string, std::string>>{
           {"Pod", "spec"},
           {"Job", "spec.template.spec"},
           {"CronJob", "spec.jobTemplate.spec.template.spec"},
           {"Deployment", "spec.template.spec"},
           {"ReplicaSet", "spec.template.spec"},
           {"StatefulSet", "spec.template.spec"}})
    EXPECT_THAT(cluster_.TryApply(WithPod(kind, "", "requests: {example.com/gpu: 1}")).refusal,
                HasSubstr(path + ".containers[0].resources.limits: Required value"));
}

TEST(PreviousApiVersion, IsAnsweredWithAWarning) {
  LiveCluster cluster = StartCluster();
  const auto warnings = [&](const std::string& version) {
    return cluster
        .TryApply("apiVersion: kueue.x-k8s.io/" + version +
                  "\nkind: WorkloadPriorityClass\nmetadata: {name: high}\nvalue: 5\n")
        .warnings;
  };
  EXPECT_THAT(warnings("v1beta1"),
              ElementsAre("kueue.x-k8s.io/v1beta1 is deprecated for WorkloadPriorityClass: write "
                          "apiVersion: kueue.x-k8s.io/v1beta2"));
  EXPECT_THAT(warnings("v1beta2"), ElementsAre());
}

// An API server applies the rules of the version in which a write is made.
TEST(PreviousApiVersion, KeepsThePriorityClassOfAWorkloadWithQuota) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  for (const std::string name : {"low", "high"})
    cluster.Apply(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\n"
        "metadata: {name: " +
        name + "}\nvalue: 5\n");
  cluster.Apply(Job({.name = "train", .labels = "kueue.x-k8s.io/priority-class: low"}));
  cluster.AwaitRunning("Job team/train");
  const auto refusal = [&](const std::string& spec) {
    return cluster
        .TryApply(
            "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nmetadata: {namespace: team, "
            "name: " +
            cluster.WorkloadOf("Job team/train")->metadata.name + "}\nspec: {" + spec + "}\n")
        .refusal;
  };
  EXPECT_THAT(refusal("priorityClassSource: scheduling.k8s.io/priorityclass"),
              HasSubstr("priorityClassSource"));
  EXPECT_EQ(refusal("priorityClassName: high"), "") << "of a WorkloadPriorityClass";
}

// "True JobSuspended", or "" without the condition.
std::string SuspendedCondition(LiveCluster& cluster, std::string_view job) {
  const auto found = cluster.Find(job);
  const json::value* conditions = found ? json::FindAt(*found, "status.conditions") : nullptr;
  if (conditions == nullptr || !conditions->is_array()) return "";
  for (const json::value& condition : conditions->get_array())
    if (json::StringAt(condition, {"type"}) == "Suspended")
      return std::string(json::StringAt(condition, {"status"})) + " " +
             std::string(json::StringAt(condition, {"reason"}));
  return "";
}

TEST(SuspendedJobs, HaveAConditionThatIsFalseOnceTheyResumed) {
  LiveCluster cluster = StartCluster("", SimulationSettings{});
  cluster.Apply(Team("team", 1));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 2"}));
  cluster.Await("condition Suspended", [&] {
    return SuspendedCondition(cluster, "Job team/train") == "True JobSuspended";
  });
  cluster.Apply(Team("team", 2));
  cluster.Await("condition Resumed", [&] {
    return SuspendedCondition(cluster, "Job team/train") == "False JobResumed";
  });
}

TEST(AdmissionPolicies, AreStoredWithTheirDefaults) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: small-maps}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.data.size() < 100"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: small-maps}
spec: {policyName: small-maps, validationActions: [Audit]}
)");
  const auto policy = cluster.Find("ValidatingAdmissionPolicy small-maps");
  ASSERT_TRUE(policy);
  EXPECT_EQ(json::TextAt(*policy, "spec.failurePolicy"), "Fail");
  EXPECT_EQ(json::TextAt(*policy, "spec.matchConstraints.matchPolicy"), "Equivalent");
  EXPECT_EQ(json::TextAt(*policy, "spec.matchConstraints.resourceRules[0].scope"), "*");
  EXPECT_EQ(json::TextAt(*policy, "spec.validations[0].expression"), "object.data.size() < 100");
  const auto binding = cluster.Find("ValidatingAdmissionPolicyBinding small-maps");
  ASSERT_TRUE(binding);
  EXPECT_EQ(json::TextAt(*binding, "spec.policyName"), "small-maps");
  cluster.Delete("ValidatingAdmissionPolicyBinding small-maps");
  cluster.Delete("ValidatingAdmissionPolicy small-maps");
}

}  // namespace
}  // namespace berth::embedded
