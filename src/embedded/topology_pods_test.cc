// The pods of workloads that are placed in a topology. The tests play the controllers of jobs.

#include <map>
#include <string>

#include "api/kueue/well_known.h"
#include "embedded/testing/live_test.h"
#include "embedded/testing/topology_objects.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"

namespace berth::embedded {
namespace {

using testing::Job;
using testing::LiveCluster;
using testing::PlacedTeam;
using testing::PlacesOf;
using testing::PutNode;
using testing::StartCluster;

constexpr std::string_view kTrain = "Job team/train";
constexpr std::string_view kGate = "kueue.x-k8s.io/topology";
constexpr std::string_view kIndex = "batch.kubernetes.io/job-completion-index";

// Three hosts in a rack, for 4 cpu each.
LiveCluster StartWithHosts(std::string_view configuration = "") {
  LiveCluster cluster = StartCluster(configuration);
  cluster.Apply(PlacedTeam(40));
  for (const std::string_view node : {"n1", "n2", "n3"}) PutNode(cluster, {.name = node});
  return cluster;
}

// A job of pods with ranks that are placed on `places`.
void StartJob(LiveCluster& cluster, int pods, std::string_view requests,
              const std::string& places) {
  const std::string count = std::to_string(pods);
  const std::string spec =
      "  completionMode: Indexed\n  parallelism: " + count + "\n  completions: " + count + "\n";
  cluster.Apply(Job({.name = "train", .requests = requests, .spec = spec}));
  cluster.AwaitRunning(kTrain);
  EXPECT_EQ(PlacesOf(cluster, kTrain), places);
}

// A pod of the job, as the controller of Jobs creates it from the template.
void CreatePod(LiveCluster& cluster, const std::string& name, std::string_view index = "") {
  json::value pod = *json::FindAt(*cluster.Find(kTrain), "spec.template");
  pod.get_object()["apiVersion"] = "v1";
  pod.get_object()["kind"] = "Pod";
  *json::MakeAt(pod, "metadata.name") = json::string(name);
  *json::MakeAt(pod, "metadata.namespace") = "team";
  if (!index.empty())
    *json::MakeAt(pod, "metadata.labels[" + std::string(kIndex) + "]") = json::Text(index);
  cluster.Create(json::Print(pod));
}

// "gated", or the node that the pod is pinned to.
std::string NodeOf(LiveCluster& cluster, const std::string& pod) {
  const auto found = cluster.Find("Pod team/" + pod);
  if (!found) return "gone";
  if (json::IsSetAt(*found, "spec.schedulingGates")) return "gated";
  return json::TextAt(*found, "spec.nodeSelector[kubernetes.io/hostname]");
}

void AwaitNode(LiveCluster& cluster, const std::string& pod, const std::string& node) {
  cluster.Await(pod + " on " + node, [&] { return NodeOf(cluster, pod) == node; });
  EXPECT_EQ(NodeOf(cluster, pod), node) << pod;
}

std::string InTemplate(LiveCluster& cluster, const std::string& field) {
  return json::TextAt(*cluster.Find(kTrain), "spec.template." + field);
}

// --- Jobs ----------------------------------------------------------------------------------------

TEST(PodsOfAPlacedJob, HaveAGateUntilTheJobStops) {
  LiveCluster cluster = StartWithHosts();
  StartJob(cluster, 2, "cpu: 1", "n1:2");
  const std::string annotation =
      "metadata.annotations[kueue.x-k8s.io/podset-unconstrained-topology]";
  EXPECT_EQ(InTemplate(cluster, "spec.schedulingGates[0].name"), kGate);
  EXPECT_EQ(InTemplate(cluster, annotation), "true");
  cluster.Patch("Workload " + workload::NamespacedName(cluster.WorkloadOf(kTrain)->metadata),
                R"({"spec": {"active": false}})");
  cluster.Await("the job stops", [&] { return cluster.IsSuspended(kTrain); });
  cluster.AwaitIdle();
  EXPECT_EQ(InTemplate(cluster, "spec.schedulingGates"), "");
  EXPECT_EQ(InTemplate(cluster, annotation), "");
}

TEST(PodsOfAPlacedJob, GoToTheNodesOfTheirRanks) {
  LiveCluster cluster = StartWithHosts();
  StartJob(cluster, 4, "cpu: 2", "n1:2 n2:2");
  CreatePod(cluster, "c", "2");
  CreatePod(cluster, "d", "3");
  AwaitNode(cluster, "c", "n2");
  AwaitNode(cluster, "d", "n2");
  CreatePod(cluster, "a", "0");
  AwaitNode(cluster, "a", "n1");
  // The gate and the node in one write.
  EXPECT_EQ(json::TextAt(*cluster.Find("Pod team/a"), "metadata.generation"), "2");
}

TEST(PodsOfAPlacedJob, StayGatedWithoutAPlace) {
  LiveCluster cluster = StartWithHosts();
  StartJob(cluster, 1, "cpu: 1", "n1:1");
  CreatePod(cluster, "a", "0");
  AwaitNode(cluster, "a", "n1");
  CreatePod(cluster, "b", "0");
  cluster.AwaitIdle();
  EXPECT_EQ(NodeOf(cluster, "b"), "gated");
  cluster.Patch("Pod team/a", R"({"status": {"phase": "Failed"}})", "status");
  AwaitNode(cluster, "b", "n1");
}

TEST(PodsOfAPlacedJob, GoToTheNewNodeWhenOneIsReplaced) {
  LiveCluster cluster = StartWithHosts();
  StartJob(cluster, 2, "cpu: 3", "n1:1 n2:1");
  CreatePod(cluster, "a", "0");
  CreatePod(cluster, "b", "1");
  AwaitNode(cluster, "b", "n2");
  cluster.Delete("Pod team/b");
  cluster.Delete("Node n2");
  cluster.Await("another node", [&] { return PlacesOf(cluster, kTrain) == "n1:1 n3:1"; });
  CreatePod(cluster, "b2", "1");
  AwaitNode(cluster, "b2", "n3");
  EXPECT_EQ(NodeOf(cluster, "a"), "n1");
}

TEST(PodsOfAPlacedJob, ThatIsElasticNeedQuotaAndAPlace) {
  LiveCluster cluster =
      StartWithHosts("featureGates: {ElasticJobsViaWorkloadSlicesWithTAS: true}\n");
  cluster.Apply(Job({.name = "train",
                     .annotations = "kueue.x-k8s.io/elastic-job: 'true'",
                     .spec = "  parallelism: 2\n  completions: 9\n"}));
  cluster.AwaitRunning(kTrain);
  for (const char* pod : {"a", "b", "c"}) CreatePod(cluster, pod);
  AwaitNode(cluster, "a", "n1");
  AwaitNode(cluster, "b", "n1");
  cluster.AwaitIdle();
  EXPECT_EQ(NodeOf(cluster, "c"), "gated");
  cluster.Patch(kTrain, R"({"spec": {"parallelism": 3}})");
  cluster.Await("a place for the third", [&] { return NodeOf(cluster, "c") != "gated"; });
}

// --- Pods ----------------------------------------------------------------------------------------

constexpr std::string_view kPods = "integrations: {frameworks: [batch/job, pod]}\n";

std::string PodYaml(const std::string& name, const std::string& labels = "",
                    const std::string& annotations = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", namespace: team, labels: {kueue.x-k8s.io/queue-name: main, " + labels +
         "}, annotations: {" + annotations +
         "}}\nspec: {restartPolicy: Never, containers: [{name: c, image: example.com/c, "
         "resources: {requests: {cpu: 3}}}]}\n";
}

TEST(PlacedPod, LosesItsGatesOneAfterTheOther) {
  LiveCluster cluster = StartWithHosts(kPods);
  const json::value created = cluster.Create(PodYaml("a"));
  EXPECT_EQ(json::TextAt(created, "spec.schedulingGates[0].name"), "kueue.x-k8s.io/admission");
  EXPECT_EQ(json::TextAt(created, "spec.schedulingGates[1].name"), kGate);
  AwaitNode(cluster, "a", "n1");
  const json::value started = *cluster.Find("Pod team/a");
  EXPECT_EQ(json::TextAt(started, "metadata.labels[kueue.x-k8s.io/podset]"), "main");
  EXPECT_EQ(json::TextAt(started, "metadata.generation"), "3");
}

TEST(PlacedPodGroup, HasItsPodsOnTheNodesOfTheirIndexes) {
  LiveCluster cluster = StartWithHosts(kPods);
  const std::string annotations =
      "kueue.x-k8s.io/pod-group-total-count: '2', kueue.x-k8s.io/pod-group-pod-index-label: rank";
  const std::string group = "kueue.x-k8s.io/pod-group-name: g, ";
  cluster.Create(PodYaml("a", group + "rank: '1'", annotations));
  cluster.Create(PodYaml("b", group + "rank: '0'", annotations));
  AwaitNode(cluster, "a", "n2");
  AwaitNode(cluster, "b", "n1");
  cluster.Patch("Pod team/a", R"({"status": {"phase": "Failed"}})", "status");
  cluster.Create(PodYaml("c", group + "rank: '1'", annotations));
  AwaitNode(cluster, "c", "n2");
}

}  // namespace
}  // namespace berth::embedded
