// Pods, pod groups and serving workloads, end to end.

#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/workload_name.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kFrameworks =
    "integrations: {frameworks: [batch/job, pod, deployment, statefulset, "
    "leaderworkerset.x-k8s.io/leaderworkerset]}\n";

// Pods start at once and run until the test ends them.
LiveCluster StartWithNodes(std::string_view configuration = kFrameworks) {
  return StartCluster(configuration,
                      embedded::SimulationSettings{.run_time = base::Duration::Seconds(3600),
                                                   .start_time = base::Duration::Milliseconds(1)});
}

struct PodManifest {
  std::string name;
  std::string space = "team";
  std::string queue = "main";
  std::string group = "";
  int total = 0;
  std::string cpu = "1";
  std::string annotations = "";  // additional ones: "a: b, "
};

std::string PodYaml(const PodManifest& pod) {
  std::string labels = pod.queue.empty() ? "" : "kueue.x-k8s.io/queue-name: " + pod.queue + ", ";
  std::string annotations = pod.annotations;
  if (!pod.group.empty()) {
    labels += "kueue.x-k8s.io/pod-group-name: " + pod.group + ", ";
    annotations += "kueue.x-k8s.io/pod-group-total-count: '" + std::to_string(pod.total) + "', ";
  }
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + pod.name + ", namespace: " + pod.space +
         ", labels: {" + labels + "}, annotations: {" + annotations +
         "}}\nspec: {restartPolicy: Never, containers: [{name: c, image: example.com/c, "
         "resources: {requests: {cpu: " +
         pod.cpu + "}}}]}\n";
}

std::string At(LiveCluster& cluster, const std::string& object, const std::string& path) {
  const auto found = cluster.Find(object);
  return found ? json::TextAt(*found, path) : "gone";
}

// The member `value` of the first list item with this `key`. API servers add items, so positions
// are not fixed.
std::string OfItem(LiveCluster& cluster, const std::string& object, const std::string& list,
                   const std::string& key, const std::string& value) {
  for (int i = 0; i < 10; ++i) {
    const std::string item = list + "[" + std::to_string(i) + "].";
    const size_t equals = key.find('=');
    if (At(cluster, object, item + key.substr(0, equals)) == key.substr(equals + 1))
      return At(cluster, object, item + value);
  }
  return "";
}

bool IsPodGated(LiveCluster& cluster, const std::string& pod) {
  const auto found = cluster.Find(pod);
  return found && json::IsSetAt(*found, "spec.schedulingGates");
}

void AwaitStart(LiveCluster& cluster, const std::string& pod) {
  cluster.Await(pod + " starts", [&] { return cluster.Find(pod) && !IsPodGated(cluster, pod); });
}

void AwaitPhase(LiveCluster& cluster, const std::string& pod, const std::string& phase) {
  cluster.Await(pod + " is " + phase, [&] { return At(cluster, pod, "status.phase") == phase; });
}

void AwaitGone(LiveCluster& cluster, const std::string& object) {
  cluster.Await(object + " is gone", [&] { return !cluster.Find(object); });
}

// In place of the node.
void EndPod(LiveCluster& cluster, const std::string& pod, std::string_view phase = "Succeeded") {
  cluster.Patch(pod, R"({"status":{"phase":")" + std::string(phase) + "\"}}", "status");
}

std::string QueueStatus(LiveCluster& cluster, const std::string& field) {
  return At(cluster, "ClusterQueue team", "status." + field);
}

void AwaitQueue(LiveCluster& cluster, const std::string& field, const std::string& value) {
  cluster.Await("the queue has " + field + " " + value,
                [&] { return QueueStatus(cluster, field) == value; });
}

bool IsTrue(const api::Workload& workload, std::string_view type) {
  for (const api::Condition& condition : workload.status.conditions)
    if (condition.type == type) return condition.status == "True";
  return false;
}

// --- Single pods --------------------------------------------------------------------------------

TEST(Pods, StayGatedUntilThereIsQuota) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 1));
  cluster.Apply(PodYaml({.name = "first"}));
  AwaitPhase(cluster, "Pod team/first", "Running");
  cluster.Apply(PodYaml({.name = "second"}));
  cluster.AwaitPending("Pod team/second", "WaitingForQuota");
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/second"));
  EXPECT_EQ(At(cluster, "Pod team/second", "metadata.finalizers[0]"), "kueue.x-k8s.io/managed");

  EndPod(cluster, "Pod team/first");
  AwaitPhase(cluster, "Pod team/second", "Running");
  EXPECT_TRUE(IsTrue(*cluster.WorkloadOf("Pod team/first"), "Finished"));
  cluster.Await("the first is let go",
                [&] { return At(cluster, "Pod team/first", "metadata.finalizers[0]").empty(); });
}

TEST(Pods, GetTheNodeSelectorOfTheirFlavor) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 1));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: standard}\nspec: "
      "{nodeLabels: {disk: ssd}, tolerations: [{key: spot, operator: Exists}]}\n");
  cluster.Apply(PodYaml({.name = "p"}));
  AwaitStart(cluster, "Pod team/p");
  EXPECT_EQ(At(cluster, "Pod team/p", "spec.nodeSelector.disk"), "ssd");
  EXPECT_EQ(OfItem(cluster, "Pod team/p", "spec.tolerations", "key=spot", "operator"), "Exists");
}

TEST(Pods, ReleaseTheirQuotaWhenDeleted) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 1));
  cluster.Apply(PodYaml({.name = "first"}));
  AwaitPhase(cluster, "Pod team/first", "Running");
  cluster.Apply(PodYaml({.name = "second"}));
  cluster.Delete("Pod team/first");
  AwaitGone(cluster, "Pod team/first");
  AwaitPhase(cluster, "Pod team/second", "Running");
}

TEST(Pods, AreDeletedWithAReasonWhenPreempted) {
  LiveCluster cluster =
      StartCluster(kFrameworks);  // without nodes, so that the deleted pod remains visible
  cluster.Apply(Team("team", 1, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
      "value: 100\n");
  cluster.Apply(PodYaml({.name = "low"}));
  AwaitStart(cluster, "Pod team/low");
  cluster.Patch("Pod team/low", R"({"metadata":{"finalizers":["example.com/watch",
      "kueue.x-k8s.io/managed"]}})");
  EndPod(cluster, "Pod team/low", "Running");
  std::string high = PodYaml({.name = "high"});
  high.insert(high.find("labels: {") + 9, "kueue.x-k8s.io/priority-class: high, ");
  cluster.Apply(high);
  cluster.Await("low is deleted",
                [&] { return !At(cluster, "Pod team/low", "metadata.deletionTimestamp").empty(); });
  EXPECT_EQ(
      OfItem(cluster, "Pod team/low", "status.conditions", "type=TerminationTarget", "reason"),
      "WorkloadEvictedDueToPreempted");
  AwaitStart(cluster, "Pod team/high");
}

TEST(Pods, OfOtherControllersAreIgnored) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 1));
  cluster.Apply(PodYaml({.name = "free", .queue = ""}));
  AwaitPhase(cluster, "Pod team/free", "Running");
  EXPECT_FALSE(cluster.WorkloadOf("Pod team/free").has_value());
  EXPECT_EQ(At(cluster, "Pod team/free", "metadata.finalizers[0]"), "");
}

TEST(Pods, WithoutAQueueAreManagedOnlyAsPodOptionsSay) {
  LiveCluster cluster = StartWithNodes(
      "manageJobsWithoutQueueName: true\nintegrations: {frameworks: [pod], podOptions: "
      "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team}}}}\n");
  cluster.Apply(Team("team", 1));
  cluster.Apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n");
  cluster.Apply(PodYaml({.name = "in", .queue = ""}));
  cluster.Apply(PodYaml({.name = "out", .space = "other", .queue = ""}));
  AwaitPhase(cluster, "Pod other/out", "Running");
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/in"));
}

// --- Groups -------------------------------------------------------------------------------------

TEST(PodGroups, StartTogetherWhenTheyAreComplete) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 2));
  cluster.Apply(PodYaml({.name = "a", .group = "g", .total = 2}));
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.FindWorkload("team/g").has_value());
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/a"));

  cluster.Apply(PodYaml({.name = "b", .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/a", "Running");
  AwaitPhase(cluster, "Pod team/b", "Running");
  EXPECT_EQ(cluster.FindWorkload("team/g")->metadata.owner_references.size(), 2u);
}

TEST(PodGroups, FinishWhenAllPodsSucceededAndAreDeletedWithThem) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 2));
  for (const std::string name : {"a", "b"})
    cluster.Apply(PodYaml({.name = name, .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/b", "Running");
  EndPod(cluster, "Pod team/a");
  cluster.Await("half of the quota is free", [&] {
    return cluster.FindWorkload("team/g")->status.reclaimable_pods.size() == 1;
  });
  EndPod(cluster, "Pod team/b");
  cluster.Await("it is finished", [&] {
    const auto w = cluster.FindWorkload("team/g");
    return w && IsTrue(*w, "Finished");
  });
  cluster.Delete("Pod team/a");
  cluster.Delete("Pod team/b");
  AwaitGone(cluster, "Pod team/a");
  AwaitGone(cluster, "Workload team/g");
}

TEST(PodGroups, AFailedPodIsReplaced) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 2));
  for (const std::string name : {"a", "b"})
    cluster.Apply(PodYaml({.name = name, .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/a", "Running");
  AwaitPhase(cluster, "Pod team/b", "Running");
  EndPod(cluster, "Pod team/b", "Failed");
  cluster.Await("a replacement is wanted", [&] {
    return IsTrue(*cluster.FindWorkload("team/g"), "WaitingForReplacementPods");
  });
  cluster.Apply(PodYaml({.name = "c", .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/c", "Running");
  cluster.Await("the failed one is let go",
                [&] { return At(cluster, "Pod team/b", "metadata.finalizers[0]").empty(); });
}

TEST(PodGroups, ExcessPodsAreDeleted) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 5));
  for (const std::string name : {"a", "b"})
    cluster.Apply(PodYaml({.name = name, .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/b", "Running");
  cluster.Apply(PodYaml({.name = "c", .group = "g", .total = 2}));
  AwaitGone(cluster, "Pod team/c");
  cluster.AwaitIdle();
  EXPECT_THAT(cluster.EventsAbout("c"), Contains(HasSubstr("ExcessPodDeleted")));
}

TEST(PodGroups, DeletingTheWorkloadDeletesItsPods) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 5));
  for (const std::string name : {"a", "b"})
    cluster.Apply(PodYaml({.name = name, .group = "g", .total = 2}));
  AwaitPhase(cluster, "Pod team/b", "Running");
  cluster.Delete("Workload team/g");
  AwaitGone(cluster, "Pod team/a");
  AwaitGone(cluster, "Pod team/b");
  AwaitGone(cluster, "Workload team/g");
}

std::string ReasonOf(LiveCluster& cluster, const std::string& workload, std::string_view type) {
  const auto found = cluster.FindWorkload(workload);
  if (!found) return "gone";
  for (const api::Condition& condition : found->status.conditions)
    if (condition.type == type) return condition.status + " " + condition.reason;
  return "";
}

constexpr std::string_view kImpatient =
    "waitForPodsReady: {timeout: 1s, requeuingStrategy: {backoffBaseSeconds: 1}}\n";

TEST(PodGroups, ThatAreNotReadyInTimeWaitForReplacementPods) {
  LiveCluster cluster = StartCluster(std::string(kImpatient) + std::string(kFrameworks));
  cluster.Apply(Team("team", 2));
  for (const char* pod : {"a", "b"})
    cluster.Apply(PodYaml({.name = pod, .group = "g", .total = 2}));
  cluster.Await("the group waits for replacement pods", [&] {
    return ReasonOf(cluster, "team/g", "WaitingForReplacementPods") == "True PodsReadyTimeout";
  });
  AwaitQueue(cluster, "reservingWorkloads", "0");
  for (const char* pod : {"c", "d"})
    cluster.Apply(PodYaml({.name = pod, .group = "g", .total = 2}));
  cluster.Await("the replacement pods hold quota", [&] {
    return ReasonOf(cluster, "team/g", "WaitingForReplacementPods") == "False PodsReady" &&
           !IsPodGated(cluster, "Pod team/c") && !IsPodGated(cluster, "Pod team/d");
  });
}

TEST(PodGroups, WithFastAdmissionWaitForReplacementPodsToo) {
  LiveCluster cluster = StartCluster(std::string(kImpatient) + std::string(kFrameworks));
  cluster.Apply(Team("team", 2));
  const std::string fast = "kueue.x-k8s.io/pod-group-fast-admission: 'true', ";
  cluster.Apply(PodYaml({.name = "a", .group = "g", .total = 2, .annotations = fast}));
  cluster.Await("the group waits for replacement pods", [&] {
    return ReasonOf(cluster, "team/g", "WaitingForReplacementPods") == "True PodsReadyTimeout";
  });
  AwaitQueue(cluster, "reservingWorkloads", "0");
  cluster.AwaitIdle();
  EXPECT_EQ(QueueStatus(cluster, "reservingWorkloads"), "0");
  cluster.Apply(PodYaml({.name = "b", .group = "g", .total = 2, .annotations = fast}));
  cluster.Await("the replacement pod holds quota", [&] {
    return ReasonOf(cluster, "team/g", "QuotaReserved") == "True QuotaReserved";
  });
}

TEST(PodGroups, ThatArePendingAreDeletedWithAllTheirPods) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 1));
  for (const char* pod : {"a", "b"})
    cluster.Apply(PodYaml({.name = pod, .group = "g", .total = 2}));
  cluster.Await("the group is pending", [&] {
    return ReasonOf(cluster, "team/g", "QuotaReserved") == "False ExceedsMaxQuota";
  });
  for (const char* pod : {"Pod team/a", "Pod team/b"}) cluster.Delete(pod);
  AwaitGone(cluster, "Pod team/a");
  AwaitGone(cluster, "Pod team/b");
  AwaitGone(cluster, "Workload team/g");
}

TEST(PodGroups, ThatDifferInACopiedAnnotationHaveNoWorkload) {
  LiveCluster cluster = StartCluster(
      "featureGates: {CustomMetricLabels: true}\nmetrics: {customLabels: [{name: team, sourceKind: "
      "Workload, sourceAnnotationKey: example.com/team, trackedValues: [red, blue]}]}\n" +
      std::string(kFrameworks));
  cluster.Apply(Team("team", 2));
  cluster.Apply(
      PodYaml({.name = "a", .group = "g", .total = 2, .annotations = "example.com/team: red, "}));
  cluster.Apply(
      PodYaml({.name = "b", .group = "g", .total = 2, .annotations = "example.com/team: blue, "}));
  cluster.Await("an Event names the annotation", [&] {
    return ::testing::Value(cluster.EventsAbout("a"),
                            Contains(HasSubstr("differ in example.com/team")));
  });
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.FindWorkload("team/g").has_value());
}

TEST(PodGroups, APodCannotChangeItsGroup) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 5));
  cluster.Apply(PodYaml({.name = "a", .group = "g", .total = 2}));
  EXPECT_THAT(cluster
                  .TryPatch("Pod team/a",
                            R"({"metadata":{"labels":{"kueue.x-k8s.io/pod-group-name":"h"}}})")
                  .refusal,
              HasSubstr("the group of a pod is immutable"));
}

TEST(PodGroups, WithoutTheirSizeAreRejected) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 5));
  std::string pod = PodYaml({.name = "a"});
  pod.insert(pod.find("labels: {") + 9, "kueue.x-k8s.io/pod-group-name: g, ");
  EXPECT_THAT(cluster.TryApply(pod).refusal, HasSubstr("pod-group-total-count"));
}

// --- Serving workloads ---------------------------------------------------------------------------

std::string SetYaml(std::string_view kind, int replicas) {
  return "apiVersion: apps/v1\nkind: " + std::string(kind) +
         "\nmetadata: {name: web, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}\n"
         "spec: {replicas: " +
         std::to_string(replicas) +
         ", selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: "
         "{containers: [{name: c, image: example.com/c, resources: {requests: {cpu: 1}}}]}}}\n";
}

void AwaitReady(LiveCluster& cluster, const std::string& set, int ready) {
  cluster.Await(set + " has " + std::to_string(ready) + " ready pods", [&] {
    const std::string count = At(cluster, set, "status.readyReplicas");
    return count == std::to_string(ready) || (ready == 0 && count.empty());
  });
}

TEST(Deployments, HaveAsManyPodsAsThereIsQuotaFor) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 2));
  cluster.Apply(SetYaml("Deployment", 3));
  AwaitReady(cluster, "Deployment team/web", 2);
  AwaitQueue(cluster, "pendingWorkloads", "1");
  EXPECT_EQ(At(cluster, "Deployment team/web", "status.replicas"), "3");
}

TEST(Deployments, AreScaledAndDeletedWithTheirPodsAndWorkloads) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 5));
  cluster.Apply(SetYaml("Deployment", 3));
  AwaitReady(cluster, "Deployment team/web", 3);
  cluster.Patch("Deployment team/web", R"({"spec":{"replicas":1}})", "scale");
  AwaitQueue(cluster, "admittedWorkloads", "1");
  AwaitReady(cluster, "Deployment team/web", 1);
  cluster.Delete("Deployment team/web");
  AwaitQueue(cluster, "reservingWorkloads", "0");
}

TEST(Deployments, AreManagedThroughTheirPodsEvenIfPodsAreNot) {
  LiveCluster cluster = StartWithNodes("integrations: {frameworks: [deployment]}\n");
  cluster.Apply(Team("team", 1));
  cluster.Apply(SetYaml("Deployment", 2));
  AwaitReady(cluster, "Deployment team/web", 1);
  AwaitQueue(cluster, "pendingWorkloads", "1");
  cluster.Apply(PodYaml({.name = "free"}));
  AwaitPhase(cluster, "Pod team/free", "Running");
}

TEST(StatefulSets, StartOnlyIfThereIsQuotaForAllPods) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 2));
  cluster.Apply(SetYaml("StatefulSet", 3));
  AwaitQueue(cluster, "pendingWorkloads", "1");
  cluster.AwaitIdle();
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/web-0"));

  cluster.Apply(Team("team", 3));
  AwaitReady(cluster, "StatefulSet team/web", 3);
  EXPECT_EQ(QueueStatus(cluster, "admittedWorkloads"), "1");
}

TEST(StatefulSets, AreScaledToZeroAndBack) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 4));
  cluster.Apply(SetYaml("StatefulSet", 2));
  AwaitReady(cluster, "StatefulSet team/web", 2);
  cluster.Patch("StatefulSet team/web", R"({"spec":{"replicas":0}})", "scale");
  AwaitQueue(cluster, "reservingWorkloads", "0");
  AwaitGone(cluster, "Pod team/web-0");
  AwaitReady(cluster, "StatefulSet team/web", 0);
  cluster.Patch("StatefulSet team/web", R"({"spec":{"replicas":3}})", "scale");
  AwaitReady(cluster, "StatefulSet team/web", 3);
  EXPECT_EQ(QueueStatus(cluster, "flavorsUsage[0].resources[0].total"), "3");
}

TEST(StatefulSets, ReleaseQuotaWhenShrunkAndArePendingWhenGrown) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 4));
  cluster.Apply(SetYaml("StatefulSet", 3));
  AwaitReady(cluster, "StatefulSet team/web", 3);
  cluster.Patch("StatefulSet team/web", R"({"spec":{"replicas":1}})", "scale");
  AwaitQueue(cluster, "flavorsUsage[0].resources[0].total", "1");
  cluster.Patch("StatefulSet team/web", R"({"spec":{"replicas":4}})", "scale");
  AwaitReady(cluster, "StatefulSet team/web", 4);
  EXPECT_EQ(QueueStatus(cluster, "flavorsUsage[0].resources[0].total"), "4");
}

TEST(StatefulSets, AreDeletedWithTheirPodsAndWorkloads) {
  LiveCluster cluster = StartWithNodes();
  cluster.Apply(Team("team", 4));
  cluster.Apply(SetYaml("StatefulSet", 2));
  AwaitReady(cluster, "StatefulSet team/web", 2);
  cluster.Delete("StatefulSet team/web");
  AwaitGone(cluster, "Pod team/web-1");
  AwaitQueue(cluster, "reservingWorkloads", "0");
}

// A pod as the controller of the set makes it from the template of a revision.
std::string PodOfWeb(LiveCluster& cluster, std::string_view name, std::string_view revision) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {app: web, controller-revision-hash: " +
         std::string(revision) +
         "}, annotations: {kueue.x-k8s.io/pod-suspending-parent: statefulset}, ownerReferences: "
         "[{apiVersion: apps/v1, kind: StatefulSet, name: web, controller: true, uid: '" +
         At(cluster, "StatefulSet team/web", "metadata.uid") +
         "'}]}\nspec: {containers: [{name: c, image: example.com/c, resources: {requests: {cpu: "
         "1}}}]}\n";
}

// A rollout replaces pods one by one, and waits for those of the current revision to be ready.
TEST(StatefulSets, DuringARolloutPodsOfTheCurrentRevisionStartWithoutQuota) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 1));
  cluster.Apply(SetYaml("StatefulSet", 2));
  AwaitQueue(cluster, "pendingWorkloads", "1");
  for (const char* pod : {"web-0", "web-1"}) cluster.Create(PodOfWeb(cluster, pod, "current"));
  cluster.AwaitIdle();
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/web-0")) << "before the rollout";
  cluster.Patch("StatefulSet team/web",
                R"({"status": {"replicas": 2, "currentRevision": "current",
                    "updateRevision": "update"}})",
                "status");
  cluster.Delete("Pod team/web-1");
  AwaitGone(cluster, "Pod team/web-1");
  cluster.Create(PodOfWeb(cluster, "web-1", "update"));
  AwaitStart(cluster, "Pod team/web-0");
  cluster.AwaitIdle();
  EXPECT_TRUE(IsPodGated(cluster, "Pod team/web-1"));
}

// The name has no part of the uid.
std::string LegacyWorkloadName() {
  return workload::WorkloadName({.group = "apps", .kind = "StatefulSet", .name = "web", .uid = ""},
                                253);
}

// With two pods that have these requests.
void ApplyLegacyWorkload(LiveCluster& cluster, std::string_view requests) {
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: team, name: " +
      LegacyWorkloadName() +
      ", annotations: {kueue.x-k8s.io/is-group-workload: 'true'}}\nspec: {queueName: main, "
      "podSets: "
      "[{name: main, count: 2, template: {spec: {containers: [{name: c, image: example.com/c, "
      "imagePullPolicy: Always, terminationMessagePath: /dev/termination-log, "
      "terminationMessagePolicy: File, resources: {requests: {" +
      std::string(requests) + "}}}]}}}]}\n");
  AwaitQueue(cluster, "admittedWorkloads", "1");
}

void AwaitAdoption(LiveCluster& cluster) {
  cluster.Await("the Workload is adopted", [&] {
    return At(cluster, "Workload team/" + LegacyWorkloadName(),
              "metadata.ownerReferences[0].kind") == "StatefulSet";
  });
  cluster.AwaitIdle();
  EXPECT_EQ(QueueStatus(cluster, "reservingWorkloads"), "1");
  EXPECT_EQ(QueueStatus(cluster, "pendingWorkloads"), "0");
}

TEST(StatefulSets, AdoptTheWorkloadThatAnOlderKueueCreated) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 2));
  ApplyLegacyWorkload(cluster, "cpu: 1");
  cluster.Apply(SetYaml("StatefulSet", 2));
  AwaitAdoption(cluster);
}

TEST(StatefulSets, AdoptAWorkloadWithOtherRequestsAndKeepItsName) {
  LiveCluster cluster = StartCluster(kFrameworks);
  cluster.Apply(Team("team", 2));
  ApplyLegacyWorkload(cluster, "");
  cluster.Apply(SetYaml("StatefulSet", 2));
  AwaitQueue(cluster, "flavorsUsage[0].resources[0].total", "2");
  AwaitAdoption(cluster);
  EXPECT_EQ(cluster.WorkloadsOf("StatefulSet team/web").size(), 1u);
}

std::string LeaderWorkerSetYaml(int replicas, std::string_view labels) {
  return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: model, "
         "namespace: team, labels: {" +
         std::string(labels) + "}}\nspec: {replicas: " + std::to_string(replicas) +
         ", leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: c, image: "
         "example.com/c, resources: {requests: {cpu: 1}}}]}}}}\n";
}

TEST(LeaderWorkerSets, RunWithoutQuotaOnceTheirNamespaceIsNoLongerSelected) {
  LiveCluster cluster = StartWithNodes(
      "manageJobsWithoutQueueName: true\nmanagedJobsNamespaceSelector: {matchLabels: {queued: "
      "'yes'}}\n" +
      std::string(kFrameworks));
  cluster.Create(
      testing::Definition("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets"));
  cluster.Apply(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {queued: 'yes'}}\n");
  cluster.Apply(LeaderWorkerSetYaml(1, ""));
  cluster.Await("its pods are gated", [&] { return IsPodGated(cluster, "Pod team/model-0"); });
  cluster.Apply(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {queued: 'no'}}\n");
  AwaitReady(cluster, "LeaderWorkerSet team/model", 1);
}

TEST(LeaderWorkerSets, StartReplicaByReplica) {
  LiveCluster cluster = StartWithNodes();
  cluster.Create(
      testing::Definition("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets"));
  cluster.Apply(Team("team", 5));
  cluster.Apply(LeaderWorkerSetYaml(3, "kueue.x-k8s.io/queue-name: main"));
  AwaitReady(cluster, "LeaderWorkerSet team/model", 2);
  AwaitQueue(cluster, "admittedWorkloads", "2");
  EXPECT_EQ(QueueStatus(cluster, "pendingWorkloads"), "1");

  cluster.Patch("LeaderWorkerSet team/model", R"({"spec":{"replicas":1}})");
  AwaitQueue(cluster, "reservingWorkloads", "1");
  AwaitQueue(cluster, "pendingWorkloads", "0");
}

TEST(Controller, WorksIfAConfiguredJobKindIsNotInstalled) {
  LiveCluster cluster = StartCluster(
      "integrations: {frameworks: [batch/job, "
      "jobset.x-k8s.io/jobset]}\n");
  cluster.Apply(Team("team", 1));
  cluster.Apply(testing::Job({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
}

}  // namespace
}  // namespace berth::embedded
