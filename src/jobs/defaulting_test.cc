#include "jobs/defaulting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/job_state.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using testing::Kind;
using testing::Yaml;

constexpr const char* kQueue = "metadata.labels[kueue.x-k8s.io/queue-name]";
const api::Labels kTeamA = {{"team", "a"}};
const api::Labels kTeamB = {{"team", "b"}};

struct Setting {
  bool manages_all = false;
  bool has_default_queue = false;
  bool has_default_priority_class = false;
  const api::Labels* space = &kTeamA;
  std::function<bool(std::string_view)> is_multi_kueue = {};
  std::vector<ObjectView> owners = {};
};

ManagedJobsPolicy PolicyFor(const Setting& setting) {
  api::Configuration configuration;
  configuration.manage_jobs_without_queue_name = setting.manages_all;
  configuration.managed_jobs_namespace_selector.emplace().match_labels = {{"team", "a"}};
  configuration.integrations.emplace().frameworks.emplace();
  for (const Integration& integration : IntegrationSet::BuiltIn().all())
    configuration.integrations->frameworks->push_back(integration.framework);
  return ManagedJobsPolicy(configuration, api::FeatureGates());
}

json::value Defaulted(std::string_view framework, const std::string& yaml,
                      const Setting& setting = {}) {
  const ManagedJobsPolicy policy = PolicyFor(setting);
  const auto result =
      ApplyJobDefaults(Kind(framework), Yaml(yaml),
                       {.policy = &policy,
                        .namespace_labels = setting.space,
                        .owners = setting.owners,
                        .has_default_queue = setting.has_default_queue,
                        .has_default_priority_class = setting.has_default_priority_class,
                        .is_multi_kueue = setting.is_multi_kueue});
  if (result) return result->job;
  ADD_FAILURE() << result.error().message;
  return json::object();
}

constexpr const char* kWithQueue = "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, spec: {}}";
constexpr const char* kWithoutQueue = "{metadata: {name: j}, spec: {}}";

TEST(NewJobDefaults, AManagedJobOfEveryKindIsSuspended) {
  for (const Integration& integration : IntegrationSet::BuiltIn().all()) {
    if (integration.suspension != kSuspendedByFlag || integration.framework.starts_with("spark"))
      continue;
    EXPECT_TRUE(IsSuspended(integration, Defaulted(integration.framework, kWithQueue)))
        << integration.framework;
    EXPECT_FALSE(IsSuspended(integration, Defaulted(integration.framework, kWithoutQueue)))
        << integration.framework;
  }
}

TEST(NewJobDefaults, TheFilterComesBeforeTheDefaultQueue) {
  const Setting selected{.has_default_queue = true};
  EXPECT_EQ(json::TextAt(Defaulted("batch/job", kWithoutQueue, selected), kQueue), "default");
  EXPECT_TRUE(IsSuspended(Kind("batch/job"), Defaulted("batch/job", kWithoutQueue, selected)));
  const Setting elsewhere{.manages_all = true, .has_default_queue = true, .space = &kTeamB};
  EXPECT_EQ(json::TextAt(Defaulted("batch/job", kWithoutQueue, elsewhere), kQueue), "");
  EXPECT_FALSE(IsSuspended(Kind("batch/job"), Defaulted("batch/job", kWithoutQueue, elsewhere)));
}

TEST(NewJobDefaults, AnExplicitQueueIsKept) {
  EXPECT_EQ(json::TextAt(Defaulted("batch/job", kWithQueue, {.has_default_queue = true}), kQueue),
            "q");
}

TEST(NewJobDefaults, ChildrenOfManagedKindsGetNoQueueAndAreNotManaged) {
  api::ObjectMeta parent;
  parent.name = "p";
  parent.uid = "u";
  parent.labels = {{"kueue.x-k8s.io/queue-name", "q"}};
  const Setting setting{.manages_all = true,
                        .has_default_queue = true,
                        .owners = {{"jobset.x-k8s.io/v1alpha2", "JobSet", &parent}}};
  const json::value job = Defaulted(
      "batch/job",
      "{metadata: {name: j, ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: "
      "JobSet, name: p, uid: u, controller: true}]}, spec: {}}",
      setting);
  EXPECT_EQ(json::TextAt(job, kQueue), "");
  EXPECT_FALSE(IsSuspended(Kind("batch/job"), job));
}

TEST(NewJobDefaults, ADeletedJobIsNotSuspended) {
  EXPECT_FALSE(IsSuspended(
      Kind("batch/job"), Defaulted("batch/job",
                                   "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z', labels: "
                                   "{kueue.x-k8s.io/queue-name: q}}, spec: {}}")));
}

TEST(NewJobDefaults, ARayJobThatUsesAnotherClusterIsNotSuspended) {
  EXPECT_FALSE(IsSuspended(Kind("ray.io/rayjob"),
                           Defaulted("ray.io/rayjob",
                                     "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, spec: "
                                     "{clusterSelector: {ray.io/cluster: c}}}")));
}

TEST(NewJobDefaults, ThePriorityClassDefaultUnderItsGate) {
  const Setting setting{.has_default_priority_class = true};
  const char* label = "metadata.labels[kueue.x-k8s.io/priority-class]";
  EXPECT_EQ(json::TextAt(Defaulted("batch/job", kWithQueue, setting), label), "default");
}

TEST(NewJobDefaults, JobsForOtherClustersNameTheirController) {
  const Setting setting{.is_multi_kueue = [](std::string_view queue) { return queue == "q"; }};
  EXPECT_EQ(json::TextAt(Defaulted("batch/job", kWithQueue, setting), "spec.managedBy"),
            "kueue.x-k8s.io/multikueue");
  EXPECT_EQ(json::TextAt(Defaulted("batch/job",
                                   "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, "
                                   "spec: {managedBy: example.com/x}}",
                                   setting),
                         "spec.managedBy"),
            "example.com/x");
}

TEST(NewJobDefaults, RequestsWithAFractionBecomeText) {
  const json::value job = Defaulted("kubeflow.org/xgboostjob", R"({metadata: {name: j}, spec: {
      xgbReplicaSpecs: {Worker: {template: {spec: {containers: [
          {name: c, resources: {requests: {cpu: 0.5, memory: 256Mi, pods: 2}}}]}}}}}})");
  const json::value* requests = json::FindAt(
      job, "spec.xgbReplicaSpecs.Worker.template.spec.containers[0].resources.requests");
  ASSERT_NE(requests, nullptr);
  EXPECT_EQ(json::Print(*requests), R"({"cpu":"500m","memory":"256Mi","pods":2})");
}

TEST(NewPodDefaults, PodsAreGatedAndMarked) {
  const json::value pod = Defaulted("pod", kWithQueue);
  EXPECT_EQ(json::TextAt(pod, "metadata.labels[kueue.x-k8s.io/managed]"), "true");
  EXPECT_EQ(json::TextAt(pod, "metadata.finalizers[0]"), "kueue.x-k8s.io/managed");
  EXPECT_EQ(json::TextAt(pod, "spec.schedulingGates[0].name"), "kueue.x-k8s.io/admission");
  EXPECT_EQ(json::TextAt(pod, "spec.schedulingGates[1].name"), "kueue.x-k8s.io/topology");
  EXPECT_EQ(json::TextAt(pod, "metadata.annotations[kueue.x-k8s.io/role-hash]"), "b18935ae");
}

TEST(NewPodDefaults, UnmanagedPodsAreUnchanged) {
  EXPECT_EQ(Defaulted("pod", kWithoutQueue), Yaml(kWithoutQueue));
}

TEST(NewServingDefaults, DeploymentsMarkTheirPods) {
  const json::value deployment = Defaulted(
      "deployment",
      "{metadata: {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/priority-class: high}}, "
      "spec: {template: {spec: {}}}}");
  EXPECT_EQ(deployment.at("spec").at("template").at("metadata"),
            Yaml("{annotations: {kueue.x-k8s.io/pod-suspending-parent: deployment}, labels: "
                 "{kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/priority-class: high, "
                 "kueue.x-k8s.io/managed: 'true'}}"));
}

TEST(NewServingDefaults, StatefulSetsMarkTheirPodsLater) {
  const json::value set = Defaulted(
      "statefulset",
      "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, spec: {template: {spec: {}}}}");
  EXPECT_EQ(set.at("spec").at("template").at("metadata"),
            Yaml("{annotations: {kueue.x-k8s.io/pod-suspending-parent: statefulset}}"));
}

TEST(NewServingDefaults, WorkersOfALeaderAreNumberedFromOne) {
  const json::value set =
      Defaulted("leaderworkerset.x-k8s.io/leaderworkerset",
                "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, spec: {leaderWorkerTemplate: "
                "{leaderTemplate: {spec: {}}, workerTemplate: {spec: {}}}}}");
  EXPECT_EQ(json::TextAt(set,
                         "spec.leaderWorkerTemplate.workerTemplate.metadata.annotations["
                         "kueue.x-k8s.io/pod-index-offset]"),
            "1");
  EXPECT_EQ(json::TextAt(set,
                         "spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations["
                         "kueue.x-k8s.io/pod-suspending-parent]"),
            "leaderworkerset.x-k8s.io/leaderworkerset");
}

TEST(NewKindDefaults, TrainJobsGetARuntimePatch) {
  EXPECT_EQ(json::TextAt(Defaulted("trainer.kubeflow.org/trainjob", kWithQueue),
                         "spec.runtimePatches[0].manager"),
            "kueue.x-k8s.io/manager");
}

TEST(NewKindDefaults, ASliceOfAJobSetIsOneOfItsJobs) {
  const auto size_of = [](std::string_view parallelism, std::string_view size) {
    const json::value set = Defaulted(
        "jobset.x-k8s.io/jobset",
        "{metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, spec: {replicatedJobs: [{name: a, "
        "replicas: 2, template: {spec: {" +
            std::string(parallelism) +
            "template: {metadata: {annotations: {kueue.x-k8s.io/podset-slice-required-topology: "
            "rack" +
            std::string(size) + "}}, spec: {}}}}}]}}");
    return json::TextAt(set,
                        "spec.replicatedJobs[0].template.spec.template.metadata.annotations["
                        "kueue.x-k8s.io/podset-slice-size]");
  };
  EXPECT_EQ(size_of("parallelism: 4, ", ""), "4");
  EXPECT_EQ(size_of("", ""), "1");
  EXPECT_EQ(size_of("parallelism: 4, ", ", kueue.x-k8s.io/podset-slice-size: '2'"), "2");
}

TEST(NewKindDefaults, PodsOfElasticJobsHaveAGate) {
  EXPECT_EQ(
      json::TextAt(Defaulted("batch/job",
                             "{metadata: {annotations: {kueue.x-k8s.io/elastic-job: 'true'}}, "
                             "spec: {template: {spec: {}}}}"),
                   "spec.template.spec.schedulingGates[0].name"),
      "kueue.x-k8s.io/elastic-job");
  EXPECT_EQ(
      json::TextAt(Defaulted("ray.io/raycluster",
                             "{metadata: {annotations: {kueue.x-k8s.io/elastic-job: 'true'}}, "
                             "spec: {headGroupSpec: {template: {spec: {}}}, workerGroupSpecs: "
                             "[{groupName: w, replicas: 1, template: {spec: {}}}]}}"),
                   "spec.workerGroupSpecs[0].template.spec.schedulingGates[0].name"),
      "kueue.x-k8s.io/elastic-job");
}

}  // namespace
}  // namespace berth::jobs
