// Migration from Kueue to Berth and back.

#include <fstream>

#include "api/batch/job.h"
#include "api/config/configuration.h"
#include "api/kueue/workload.h"
#include "api/meta/conditions.h"
#include "apiserver/testing/command.h"
#include "cluster/control_plane.h"
#include "cluster/real_environment.h"
#include "embedded/testing/live_test.h"
#include "schema/yaml/to_json.h"

namespace berth::cluster {
namespace {

using apiserver::testing::RunCommand;
using embedded::testing::Job;
using embedded::testing::LiveCluster;
using embedded::testing::StartCluster;
using embedded::testing::Team;

// Objects written by Berth that Kueue reads after a migration back, one JSON object per line.
std::string ObjectsForKueue() {
  std::string text;
  for (const char* plural :
       {"workloads", "clusterqueues", "localqueues", "cohorts", "resourceflavors",
        "admissionchecks", "topologies", "workloadpriorityclasses"})
    for (const char* version : {"v1beta1", "v1beta2"}) {
      const auto list = ControlPlane::Get().Do(store::List{
          .resource = {.group = "kueue.x-k8s.io", .version = version, .plural = plural, .kind = ""},
          .selection = {}});
      EXPECT_TRUE(list) << store::ToString(list.error());
      if (!list) continue;
      for (const store::Object& object : list->items) text += std::string(object.text()) + "\n";
    }
  return text;
}

std::string ControlPlaneProgram() {
  std::ifstream in(ControlPlane::Get().directory() / "program");
  std::string program;
  std::getline(in, program);
  return program;
}

TEST(Migration, KueueDecodesObjectsOfBerthInBothVersions) {
  LiveCluster cluster = StartCluster(
      "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\nadmissionFairSharing: "
      "{usageHalfLifeTime: 1s, usageSamplingInterval: "
      "1s}\n");
  cluster.Apply(Team("team", 2,
                     "  cohortName: company\n  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: "
      "high}\nvalue: 100\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: "
      "company}\n");
  cluster.Apply(Job({.name = "low", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(
      Job({.name = "high", .requests = "cpu: 2", .labels = "kueue.x-k8s.io/priority-class: high"}));
  cluster.AwaitRunning("Job team/high");
  cluster.AwaitPending("Job team/low", "WaitingForQuota");
  cluster.Apply(Job({.name = "huge", .requests = "cpu: 20"}));
  cluster.AwaitPending("Job team/huge", "ExceedsMaxQuota");
  cluster.AwaitIdle();
  const auto read = RunCommand({ControlPlaneProgram(), "kueue-decode"}, ObjectsForKueue());
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(read.out, "16 objects\n");  // three Workloads and five others, each in two versions
}

// A job started by Kueue and its Workload as Kueue leaves it. OWNER is the job's uid.
constexpr const char* kStartedJob = R"({"apiVersion": "batch/v1", "kind": "Job",
  "metadata": {"name": "train", "namespace": "team",
    "labels": {"kueue.x-k8s.io/queue-name": "main"}},
  "spec": {"suspend": false, "template": {
    "metadata": {"labels": {"kueue.x-k8s.io/cluster-queue-name": "team",
        "kueue.x-k8s.io/local-queue-name": "main", "kueue.x-k8s.io/podset": "main"},
      "annotations": {"kueue.x-k8s.io/workload": "job-train-1a2b3"}},
    "spec": {"restartPolicy": "Never", "containers": [
      {"name": "main", "image": "example.com/main", "resources": {"requests": {"cpu": "2"}}}]}}}})";
constexpr const char* kItsWorkload = R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
  "metadata": {"name": "job-train-1a2b3", "namespace": "team",
    "finalizers": ["kueue.x-k8s.io/resource-in-use"],
    "labels": {"kueue.x-k8s.io/job-uid": "OWNER"},
    "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": "OWNER",
      "controller": true, "blockOwnerDeletion": true}]},
  "spec": {"active": true, "queueName": "main", "priority": 0, "podSets": [{"name": "main",
    "count": 1, "template": {"metadata": {}, "spec": {"restartPolicy": "Never", "containers": [
      {"name": "main", "image": "example.com/main", "imagePullPolicy": "Always",
       "resources": {"requests": {"cpu": "2"}}, "terminationMessagePolicy": "File",
       "terminationMessagePath": "/dev/termination-log"}]}}}]}})";
constexpr const char* kItsStatus = R"({"status": {
  "admission": {"clusterQueue": "team", "podSetAssignments": [{"name": "main", "count": 1,
    "flavors": {"cpu": "standard"}, "resourceUsage": {"cpu": "2"}}]},
  "conditions": [
    {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "observedGeneration": 1,
     "message": "Quota reserved in ClusterQueue team", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    {"type": "Admitted", "status": "True", "reason": "Admitted", "observedGeneration": 1,
     "message": "The workload is admitted", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    {"type": "PodsReady", "status": "True", "reason": "Started", "observedGeneration": 1,
     "message": "All pods reached readiness and the workload is running",
     "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})";

json::value MustGet(const store::Resource& resource, const std::string& name) {
  const auto got =
      ControlPlane::Get().Do(store::Get{.resource = resource, .namespace_ = "team", .name = name});
  EXPECT_TRUE(got) << store::ToString(got.error());
  return got ? json::Parse(got->object.text()).value_or(nullptr) : json::value();
}

void MustDo(store::Call call) {
  const auto done = ControlPlane::Get().Do(std::move(call));
  ASSERT_TRUE(done) << store::ToString(done.error());
}

// The state after Kueue was scaled to zero.
void CreateStateOfKueue() {
  ControlPlane& plane = ControlPlane::Get();
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  ASSERT_TRUE(plane.Clear());
  ASSERT_TRUE(plane.Install(configuration));
  const auto documents = schema::YamlToJson(Team("team", 2), {});
  ASSERT_TRUE(documents.has_value());
  for (const schema::YamlDocument& document : *documents)
    ASSERT_TRUE(plane.Apply(*json::Parse(document.json)));
  MustDo(store::Create{.resource = store::ResourceOf<api::Job>(),
                       .namespace_ = "team",
                       .object = kStartedJob,
                       .options = {}});
  const json::value job = MustGet(store::ResourceOf<api::Job>(), "train");
  std::string workload = kItsWorkload;
  const std::string uid(json::StringAt(job, {"metadata", "uid"}));
  for (size_t at = 0; (at = workload.find("OWNER")) != workload.npos;) workload.replace(at, 5, uid);
  MustDo(store::Create{.resource = store::ResourceOf<api::Workload>(),
                       .namespace_ = "team",
                       .object = workload,
                       .options = {}});
  MustDo(store::Patch{.resource = store::ResourceOf<api::Workload>(),
                      .namespace_ = "team",
                      .name = "job-train-1a2b3",
                      .subresource = "status",
                      .type = store::PatchType::kMerge,
                      .body = kItsStatus,
                      .options = {}});
}

TEST(Migration, WorkloadsAdmittedByKueueKeepRunningAndCountAgainstTheQuota) {
  ASSERT_NO_FATAL_FAILURE(CreateStateOfKueue());
  const json::value before = MustGet(store::ResourceOf<api::Job>(), "train");
  embedded::testing::UseEnvironment(StartWithoutClearing);
  LiveCluster cluster = StartCluster();
  embedded::testing::UseEnvironment(StartRealEnvironment);
  cluster.Apply(Job({.name = "second"}));
  cluster.AwaitPending("Job team/second", "WaitingForQuota");
  cluster.AwaitIdle();
  const auto workload = cluster.FindWorkload("team/job-train-1a2b3");
  ASSERT_TRUE(workload.has_value());
  EXPECT_EQ(api::FindCondition(workload->status.conditions, "Evicted"), nullptr);
  const api::Condition* admitted = api::FindCondition(workload->status.conditions, "Admitted");
  ASSERT_NE(admitted, nullptr);
  EXPECT_EQ(admitted->status, "True");
  EXPECT_EQ(base::FormatTime(admitted->last_transition_time.value_or(base::Time())),
            "2026-01-01T00:00:00Z");
  EXPECT_EQ(MustGet(store::ResourceOf<api::Job>(), "train").at("metadata").at("generation"),
            before.at("metadata").at("generation"));
  cluster.Delete("Job team/train");
  cluster.AwaitRunning("Job team/second");
}

}  // namespace
}  // namespace berth::cluster
