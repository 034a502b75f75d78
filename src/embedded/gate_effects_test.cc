// Gates of Kueue that change jobs, pods and their Workloads, on and off.

#include "embedded/testing/barrier.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::LiveCluster;
using ::testing::Not;
using testing::Team;

// A cluster with the namespace, the queues and ten cpu of "team".
LiveCluster StartWithGate(std::string_view gate, bool is_on, store::Taps taps = {}) {
  LiveCluster cluster =
      testing::StartCluster("integrations: {frameworks: [batch/job, pod]}\nfeatureGates: {" +
                                std::string(gate) + ": " + (is_on ? "true" : "false") + "}\n",
                            {}, std::move(taps));
  cluster.Apply(Team("team", 10));
  return cluster;
}

std::string TextOf(LiveCluster& cluster, std::string_view object, std::string_view path) {
  const auto found = cluster.Find(object);
  const json::value* at = found ? json::FindAt(*found, path) : nullptr;
  return at == nullptr ? "" : json::Print(*at);
}

std::string PodText(std::string_view name, std::string_view metadata) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {kueue.x-k8s.io/queue-name: main}" + std::string(metadata) +
         "}\nspec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n";
}

// --- Names and labels ----------------------------------------------------------------------------

std::string LabelsOfStartedPods(bool is_on) {
  LiveCluster cluster = StartWithGate("AssignQueueLabelsForPods", is_on);
  cluster.Apply(Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  return TextOf(cluster, "Job team/train", "spec.template.metadata.labels");
}

TEST(GateEffects, AssignQueueLabelsForPodsNamesBothQueuesInTheirLabels) {
  EXPECT_THAT(LabelsOfStartedPods(true),
              AllOf(HasSubstr(R"("kueue.x-k8s.io/local-queue-name":"main")"),
                    HasSubstr(R"("kueue.x-k8s.io/cluster-queue-name":"team")")));
  EXPECT_THAT(LabelsOfStartedPods(false),
              AllOf(Not(HasSubstr("local-queue-name")), Not(HasSubstr("cluster-queue-name"))));
}

size_t LengthOfWorkloadName(bool is_on) {
  LiveCluster cluster = StartWithGate("ShortWorkloadNames", is_on);
  const std::string name(60, 'j');
  cluster.Apply(Job({.name = name}));
  cluster.AwaitRunning("Job team/" + name);
  return cluster.WorkloadOf("Job team/" + name)->metadata.name.size();
}

TEST(GateEffects, ShortWorkloadNamesFitALabel) {
  EXPECT_EQ(LengthOfWorkloadName(true), 63u);
  EXPECT_GT(LengthOfWorkloadName(false), 63u);
}

std::string DefaultedClass(bool is_on) {
  LiveCluster cluster = StartWithGate("WorkloadPriorityClassDefaulting", is_on);
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: "
      "default}\nvalue: 7\n");
  cluster.AwaitIdle();
  cluster.Apply(Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  return TextOf(cluster, "Job team/train", "metadata.labels[kueue.x-k8s.io/priority-class]") + " " +
         std::to_string(cluster.WorkloadOf("Job team/train")->spec.priority.value_or(0));
}

TEST(GateEffects, WorkloadPriorityClassDefaultingLabelsJobsWithoutAClass) {
  EXPECT_EQ(DefaultedClass(true), R"("default" 7)");
  EXPECT_EQ(DefaultedClass(false), " 0");
}

// The number of Workloads of a job that names a Workload, which does not exist, in an annotation.
size_t WorkloadsBesideThePrebuiltOne(bool is_on) {
  LiveCluster cluster = StartWithGate("WorkloadIdentifierAnnotations", is_on);
  cluster.Apply(
      Job({.name = "train", .annotations = "kueue.x-k8s.io/prebuilt-workload-name: built"}));
  cluster.AwaitIdle();
  return cluster.WorkloadsOf("Job team/train").size();
}

TEST(GateEffects, WorkloadIdentifierAnnotationsNamePrebuiltWorkloads) {
  EXPECT_EQ(WorkloadsBesideThePrebuiltOne(true), 0u);
  EXPECT_EQ(WorkloadsBesideThePrebuiltOne(false), 1u);
}

// --- Workloads -----------------------------------------------------------------------------------

std::string RefusalOfWorkload(std::string_view gate, bool is_on, const std::string& pod_set) {
  LiveCluster cluster = StartWithGate(gate, is_on);
  return cluster
      .TryApply(
          "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w, namespace: "
          "team}\nspec: {queueName: main, podSets: [{name: main, count: 2, " +
          pod_set + "}]}\n")
      .refusal;
}

TEST(GateEffects, WorkloadValidateResourcesAreNonNegativeRejectsNegativeRequests) {
  const std::string pod_set =
      "template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: '-1'}}}]}}";
  constexpr std::string_view kGate = "WorkloadValidateResourcesAreNonNegative";
  EXPECT_THAT(RefusalOfWorkload(kGate, true, pod_set), HasSubstr("-1 is negative"));
  EXPECT_THAT(RefusalOfWorkload(kGate, false, pod_set), Not(HasSubstr("negative")));
}

TEST(GateEffects, WorkloadValidationForPodSetMetadataRejectsInvalidLabels) {
  const std::string pod_set =
      "template: {metadata: {labels: {a: 'not a label'}}, spec: {containers: [{name: c, image: "
      "i}]}}";
  constexpr std::string_view kGate = "WorkloadValidationForPodSetMetadata";
  EXPECT_THAT(RefusalOfWorkload(kGate, true, pod_set), HasSubstr("template.metadata.labels"));
  EXPECT_THAT(RefusalOfWorkload(kGate, false, pod_set), IsEmpty());
}

TEST(GateEffects, TASValidateWorkloadSliceSizeRejectsSlicesOfNoPods) {
  const std::string pod_set =
      "topologyRequest: {required: rack, podSetSliceRequiredTopology: rack}, template: {spec: "
      "{containers: [{name: c, image: i}]}}";
  constexpr std::string_view kGate = "TASValidateWorkloadSliceSize";
  EXPECT_THAT(RefusalOfWorkload(kGate, true, pod_set), HasSubstr("podSetSliceSize"));
  EXPECT_THAT(RefusalOfWorkload(kGate, false, pod_set), IsEmpty());
}

// The reason of the condition QuotaReserved while the first decision is being written.
std::string ReasonBeforeTheFirstDecision(bool is_on) {
  testing::Barrier barrier;
  LiveCluster cluster = StartWithGate("UnadmittedWorkloadsExplicitStatus", is_on, barrier.Taps());
  barrier.HoldCalls(
      testing::PatchesOf(store::ResourceOf<api::Workload>(), "job-train-", R"("admission":{)"));
  cluster.Apply(Job({.name = "train"}));
  cluster.Await("a reservation is being written", [&] { return barrier.held() > 0; });
  const std::string reason = cluster.PendingReason("Job team/train");
  barrier.Open();
  cluster.AwaitRunning("Job team/train");
  return reason;
}

TEST(GateEffects, UnadmittedWorkloadsExplicitStatusIsWrittenBeforeTheFirstDecision) {
  EXPECT_EQ(ReasonBeforeTheFirstDecision(true), "PendingEvaluation");
  EXPECT_EQ(ReasonBeforeTheFirstDecision(false), "");
}

TEST(GateEffects, UnadmittedWorkloadsObservabilityIsOffConditionsKeepTheirReasons) {
  LiveCluster cluster = StartWithGate("UnadmittedWorkloadsObservability", false);
  cluster.Apply(Job({.name = "large", .requests = "cpu: 99"}));
  cluster.AwaitPending("Job team/large", "ExceedsMaxQuota");
}

// --- Pods ----------------------------------------------------------------------------------------

// The owners of a Workload that has the name of a pod group, but was created for others.
std::string OwnersOfAForeignWorkload(LiveCluster& cluster) {
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: g, namespace: "
      "team}\nspec: {queueName: main, podSets: [{name: main, count: 1, template: {spec: "
      "{containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}]}\n");
  cluster.Apply(PodText("a",
                        ", annotations: {kueue.x-k8s.io/pod-group-name: g, "
                        "kueue.x-k8s.io/pod-group-total-count: '1'}"));
  cluster.AwaitIdle();
  return TextOf(cluster, "Workload team/g", "metadata.ownerReferences");
}

TEST(GateEffects, PodIntegrationValidateGroupOwnerLeavesForeignWorkloadsAlone) {
  LiveCluster cluster = StartWithGate("PodIntegrationValidateGroupOwner", true);
  EXPECT_THAT(OwnersOfAForeignWorkload(cluster), IsEmpty());
  EXPECT_TRUE(cluster.FindWorkload("team/g").has_value());
  EXPECT_THAT(cluster.EventsAbout("a"), Contains(HasSubstr("Warning WorkloadNameConflict")));
}

TEST(GateEffects, PodIntegrationValidateGroupOwnerIsOffForeignWorkloadsAreTakenOrReplaced) {
  LiveCluster cluster = StartWithGate("PodIntegrationValidateGroupOwner", false);
  OwnersOfAForeignWorkload(cluster);
  EXPECT_THAT(cluster.EventsAbout("a"), Not(Contains(HasSubstr("WorkloadNameConflict"))));
}

}  // namespace
}  // namespace berth::embedded
