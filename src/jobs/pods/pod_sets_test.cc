// Pod sets of every kind, as built by Kueue.

#include "jobs/pods/pod_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/derive/derive.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Kind;
using testing::Yaml;

// "name×count" of each set.
std::vector<std::string> Counts(std::string_view framework, const json::value& job,
                                const PodSetOptions& options = {}) {
  const auto sets = PodSets(Kind(framework), job, options);
  if (!sets) return {"error: " + sets.error().message};
  std::vector<std::string> counts;
  for (const api::PodSet& set : *sets)
    counts.push_back(set.name + "×" + std::to_string(set.count.value_or(-1)));
  return counts;
}

api::PodSet Only(std::string_view framework, const json::value& job,
                 const PodSetOptions& options = {}) {
  const auto sets = PodSets(Kind(framework), job, options);
  if (!sets || sets->empty()) {
    ADD_FAILURE() << (sets ? "no pod set" : sets.error().message);
    return {};
  }
  return sets->front();
}

std::string AmountOf(const api::Container& container, std::string_view resource) {
  const quantity::Quantity* amount = container.resources.requests.Find(resource);
  return amount == nullptr ? "" : amount->ToString();
}

// --- batch/v1 Job ------------------------------------------------------------------------------

TEST(JobPodSets, CountIsTheSmallerOfParallelismAndCompletions) {
  EXPECT_THAT(Counts("batch/job", Yaml("{spec: {parallelism: 5, completions: 3}}")),
              ElementsAre("main×3"));
  EXPECT_THAT(Counts("batch/job", Yaml("{spec: {parallelism: 5}}")), ElementsAre("main×5"));
  EXPECT_THAT(Counts("batch/job", Yaml("{spec: {completions: 9}}")), ElementsAre("main×1"));
  EXPECT_THAT(Counts("batch/job", Yaml("{spec: {parallelism: 0}}")), ElementsAre("main×0"));
}

TEST(JobPodSets, TheMinimumIsAnAnnotation) {
  const json::value job = Yaml(
      "{metadata: {annotations: {kueue.x-k8s.io/job-min-parallelism: '2'}}, spec: {parallelism: "
      "4}}");
  EXPECT_EQ(Only("batch/job", job).min_count, 2);
  EXPECT_EQ(Only("batch/job", job, {.has_partial_admission = false}).min_count, std::nullopt);
}

TEST(JobPodSets, LabelsOfTheJobControllerAreNotShown) {
  const api::PodSet set =
      Only("batch/job",
           Yaml("{spec: {template: {metadata: {labels: {app: x, controller-uid: u, job-name: j, "
                "batch.kubernetes.io/controller-uid: u, batch.kubernetes.io/job-name: j}}}}}"));
  EXPECT_EQ(set.template_.metadata.labels,
            (base::FlatMap<std::string>{{"app", "x"}, {"batch.kubernetes.io/job-name", "j"}}));
}

TEST(JobPodSets, DuplicateVariablesKeepTheLastValueAtTheFirstPosition) {
  const api::PodSet set = Only(
      "batch/job",
      Yaml("{spec: {template: {spec: {containers: [{name: c, env: [{name: A, value: '1'}, {name: "
           "B, value: x}, {name: A, value: '2'}]}]}}}}"));
  const std::vector<api::EnvVar>& env = set.template_.spec.containers[0].env;
  ASSERT_EQ(env.size(), 2u);
  EXPECT_EQ(env[0].name + env[0].value, "A2");
}

TEST(JobPodSets, AMalformedTemplateIsAnErrorWithItsField) {
  EXPECT_THAT(Counts("batch/job", Yaml("{spec: {template: {spec: {containers: 3}}}}")),
              ElementsAre(HasSubstr("spec.template.spec.containers")));
}

// --- Topology ----------------------------------------------------------------------------------

json::value JobAsking(std::string_view annotations) {
  return Yaml("{spec: {parallelism: 8, template: {metadata: {annotations: {" +
              std::string(annotations) + "}}}}}");
}

TEST(TopologyRequests, PodsOfJobsAreAlwaysNumbered) {
  const auto request = Only("batch/job", JobAsking("")).topology_request;
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->pod_index_label, "batch.kubernetes.io/job-completion-index");
  EXPECT_FALSE(request->required || request->preferred || request->unconstrained);
  EXPECT_FALSE(Only("batch/job", JobAsking(""), {.has_topology = false}).topology_request);
}

TEST(TopologyRequests, AnnotationsSetTheLevel) {
  EXPECT_EQ(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-required-topology: rack"))
                .topology_request->required,
            "rack");
  EXPECT_EQ(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-preferred-topology: rack"))
                .topology_request->preferred,
            "rack");
  EXPECT_EQ(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-unconstrained-topology: 'true'"))
                .topology_request->unconstrained,
            true);
  EXPECT_THAT(Counts("batch/job", JobAsking("kueue.x-k8s.io/podset-unconstrained-topology: maybe")),
              ElementsAre(HasSubstr("podset-unconstrained-topology is \"maybe\"")));
}

TEST(TopologyRequests, SlicesNeedALevelAndASize) {
  const auto request =
      Only("batch/job", JobAsking("kueue.x-k8s.io/podset-slice-required-topology: rack, "
                                  "kueue.x-k8s.io/podset-slice-size: '4'"))
          .topology_request;
  EXPECT_EQ(request->pod_set_slice_required_topology, "rack");
  EXPECT_EQ(request->pod_set_slice_size, 4);
  EXPECT_FALSE(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-slice-size: '4'"))
                   .topology_request->pod_set_slice_size);
}

TEST(TopologyRequests, NestedSlicesAreJson) {
  const auto request =
      Only("batch/job",
           JobAsking("kueue.x-k8s.io/podset-slice-required-topology-constraints: "
                     "'[{\"topology\":\"block\",\"size\":8},{\"topology\":\"rack\",\"size\":4}]'"))
          .topology_request;
  ASSERT_EQ(request->podset_slice_required_topology_constraints.size(), 2u);
  EXPECT_EQ(request->podset_slice_required_topology_constraints[1].size, 4);
}

TEST(TopologyRequests, AGroupNameNeedsALevel) {
  EXPECT_EQ(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-group-name: g, "
                                        "kueue.x-k8s.io/podset-required-topology: rack"))
                .topology_request->pod_set_group_name,
            "g");
  EXPECT_FALSE(Only("batch/job", JobAsking("kueue.x-k8s.io/podset-group-name: g"))
                   .topology_request->pod_set_group_name);
}

// --- Other kinds -------------------------------------------------------------------------------

TEST(JobSetPodSets, OneForEachReplicatedJob) {
  const json::value job = Yaml(R"(
spec:
  replicatedJobs:
  - {name: Driver, replicas: 1, template: {spec: {parallelism: 1}}}
  - {name: workers, replicas: 3, template: {spec: {parallelism: 4, completions: 2}}}
)");
  EXPECT_THAT(Counts("jobset.x-k8s.io/jobset", job), ElementsAre("driver×1", "workers×6"));
  const auto sets = PodSetsOf(Kind("jobset.x-k8s.io/jobset"), job, {});
  EXPECT_EQ(sets->at(1).replicas, 3);
  EXPECT_EQ(sets->at(1).pods_per_replica, 2);
  EXPECT_EQ(sets->at(1).template_path, "spec.replicatedJobs[1].template.spec.template");
  EXPECT_EQ(sets->at(1).pod_set.topology_request->sub_group_count, 3);
  EXPECT_EQ(sets->at(1).pod_set.topology_request->sub_group_index_label,
            "jobset.sigs.k8s.io/job-index");
}

TEST(KubeflowPodSets, RolesInAFixedOrder) {
  const json::value specs = Yaml(
      "{Worker: {replicas: 3, template: {spec: {}}}, Master: {template: {spec: {}}}, Chief: "
      "{template: {spec: {}}}, PS: {replicas: 2, template: {spec: {}}}, Evaluator: {template: "
      "{spec: {}}}, Launcher: {template: {spec: {}}}}");
  const auto with = [&](std::string_view field) {
    json::value job = json::object();
    *json::MakeAt(job, "spec." + std::string(field)) = specs;
    return job;
  };
  EXPECT_THAT(Counts("kubeflow.org/pytorchjob", with("pytorchReplicaSpecs")),
              ElementsAre("master×1", "worker×3"));
  EXPECT_THAT(Counts("kubeflow.org/tfjob", with("tfReplicaSpecs")),
              ElementsAre("chief×1", "master×1", "ps×2", "worker×3", "evaluator×1"));
  EXPECT_THAT(Counts("kubeflow.org/xgboostjob", with("xgbReplicaSpecs")),
              ElementsAre("master×1", "worker×3"));
  EXPECT_THAT(Counts("kubeflow.org/paddlejob", with("paddleReplicaSpecs")),
              ElementsAre("master×1", "worker×3"));
  EXPECT_THAT(Counts("kubeflow.org/jaxjob", with("jaxReplicaSpecs")), ElementsAre("worker×3"));
  EXPECT_THAT(Counts("kubeflow.org/mpijob", with("mpiReplicaSpecs")),
              ElementsAre("launcher×1", "worker×3"));
}

TEST(KubeflowPodSets, AbsentRolesHaveNone) {
  EXPECT_THAT(Counts("kubeflow.org/pytorchjob",
                     Yaml("{spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: "
                          "{}}}}}}")),
              ElementsAre("worker×2"));
}

json::value RayCluster(std::string_view more) {
  return Yaml(R"(
headGroupSpec: {template: {spec: {containers: [{name: ray, image: ray:2}]}}}
workerGroupSpecs:
- {groupName: Small, replicas: 2, template: {spec: {containers: [{name: ray}]}}}
- {groupName: big, replicas: 3, numOfHosts: 4, template: {spec: {containers: [{name: ray}]}}}
- {groupName: one, template: {spec: {containers: [{name: ray}]}}}
)" + std::string(more));
}

json::value With(std::string_view path, json::value value, json::value object = json::object()) {
  *json::MakeAt(object, path) = std::move(value);
  return object;
}

TEST(RayPodSets, TheHeadThenGroupsOfWorkers) {
  const auto expected = ElementsAre("head×1", "small×2", "big×12", "one×1");
  EXPECT_THAT(Counts("ray.io/raycluster", With("spec", RayCluster(""))), expected);
  EXPECT_THAT(Counts("ray.io/rayservice", With("spec.rayClusterConfig", RayCluster(""))), expected);
  EXPECT_THAT(Counts("ray.io/rayjob", With("spec.rayClusterSpec", RayCluster(""))), expected);
}

TEST(RayPodSets, TheAutoscalerIsPartOfTheHead) {
  const api::PodSet head =
      Only("ray.io/raycluster", With("spec", RayCluster("enableInTreeAutoscaling: true")));
  ASSERT_EQ(head.template_.spec.containers.size(), 2u);
  EXPECT_EQ(AmountOf(head.template_.spec.containers[1], "cpu"), "500m");
  const api::PodSet given =
      Only("ray.io/raycluster",
           With("spec", RayCluster("enableInTreeAutoscaling: true\nautoscalerOptions: {resources: "
                                   "{requests: {cpu: 2}}}")));
  EXPECT_EQ(AmountOf(given.template_.spec.containers[1], "cpu"), "2");
}

TEST(RayPodSets, TheHeadReservesTheCleanupOfRedis) {
  const api::PodSet head =
      Only("ray.io/raycluster", With("spec", RayCluster("gcsFaultToleranceOptions: {}")));
  EXPECT_EQ(AmountOf(head.template_.spec.containers[0], "cpu"), "200m");
  EXPECT_EQ(AmountOf(head.template_.spec.containers[0], "memory"), "256Mi");
}

TEST(RayPodSets, TheSubmitterOfARayJob) {
  json::value job = With("spec.rayClusterSpec", RayCluster(""));
  *json::MakeAt(job, "spec.submissionMode") = "K8sJobMode";
  const auto sets = PodSets(Kind("ray.io/rayjob"), job, {});
  ASSERT_EQ(sets->back().name, "submitter");
  EXPECT_EQ(sets->back().template_.spec.containers[0].image, "ray:2");
  EXPECT_EQ(AmountOf(sets->back().template_.spec.containers[0], "memory"), "200Mi");
  *json::MakeAt(job, "spec.submissionMode") = "SidecarMode";
  EXPECT_EQ(Only("ray.io/rayjob", job).template_.spec.containers.size(), 2u);
}

TEST(RayPodSets, AnElasticJobFollowsItsCluster) {
  json::value job = With("spec.rayClusterSpec", RayCluster("enableInTreeAutoscaling: true"));
  *json::MakeAt(job, "metadata.annotations[kueue.x-k8s.io/elastic-job]") = "true";
  const json::value cluster =
      Yaml("{spec: {workerGroupSpecs: [{groupName: big, replicas: 5, numOfHosts: 4}]}}");
  EXPECT_THAT(
      Counts("ray.io/rayjob", job,
             {.related = {.find_ray_cluster = [&](const json::value&) { return &cluster; }}}),
      ElementsAre("head×1", "small×2", "big×20", "one×1"));
}

TEST(AppWrapperPodSets, AsDeclared) {
  const json::value job = Yaml(R"(
metadata: {name: Wrap}
spec:
  components:
  - podSets: [{path: template.spec.pods, replicas: 3}, {path: template.spec.absent}]
    template: {apiVersion: x/v1, kind: X, spec: {pods: {spec: {containers: [{name: c}]}}}}
  - template:
      apiVersion: batch/v1
      kind: Job
      spec: {parallelism: 2, template: {spec: {containers: [{name: d}]}}}
  - template: {apiVersion: v1, kind: Service}
)");
  EXPECT_THAT(Counts("workload.codeflare.dev/appwrapper", job),
              ElementsAre("wrap-0×3", "wrap-1×2"));
}

TEST(AppWrapperPodSets, APathThatLeavesTheObjectIsAnError) {
  const json::value job =
      Yaml("{spec: {components: [{podSets: [{path: spec.x}], template: {kind: X}}]}}");
  EXPECT_THAT(Counts("workload.codeflare.dev/appwrapper", job),
              ElementsAre(HasSubstr("spec.x is not a path in the wrapped object")));
}

TEST(TrainJobPodSets, TheRuntimesJobsWithTheTrainJobsChanges) {
  const json::value runtime = Yaml(R"(
spec:
  mlPolicy: {numNodes: 2}
  template:
    spec:
      replicatedJobs:
      - {name: dataset-initializer, replicas: 1, template: {spec: {template: {spec: {}}}}}
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: a,
            resources: {requests: {cpu: 1, memory: 2Gi}}}]}}}
)");
  const PodSetOptions options{
      .related = {.find_training_runtime = [&](const json::value&) { return &runtime; }}};
  EXPECT_THAT(Counts("trainer.kubeflow.org/trainjob", Yaml("{spec: {}}"), options),
              ElementsAre("dataset-initializer×1", "node×2"));
  const json::value job = Yaml(R"(
spec:
  trainer: {numNodes: 4, image: b, resourcesPerNode: {requests: {cpu: 3}}}
  runtimePatches:
  - manager: example.com/user
    trainingRuntimeSpec: {template: {spec: {replicatedJobs: [
      {name: node, template: {spec: {template: {spec: {nodeSelector: {disk: ssd}}}}}}]}}}
)");
  const auto sets = PodSets(Kind("trainer.kubeflow.org/trainjob"), job, options);
  ASSERT_TRUE(sets.has_value()) << sets.error().message;
  const api::PodSet& node = sets->at(1);
  EXPECT_EQ(node.count, 4);
  EXPECT_EQ(node.template_.spec.containers[0].image, "b");
  EXPECT_EQ(AmountOf(node.template_.spec.containers[0], "cpu"), "3");
  EXPECT_EQ(AmountOf(node.template_.spec.containers[0], "memory"), "2Gi");
  EXPECT_EQ(*node.template_.spec.node_selector.Find("disk"), "ssd");
}

TEST(TrainJobPodSets, AJobBesideTheTrainerHasOnePodAtLeast) {
  const json::value runtime = Yaml(
      "{spec: {template: {spec: {replicatedJobs: [{name: dataset-initializer, template: {spec: "
      "{parallelism: 0, completions: 0, template: {spec: {}}}}}]}}}}");
  EXPECT_THAT(
      Counts("trainer.kubeflow.org/trainjob", Yaml("{spec: {}}"),
             {.related = {.find_training_runtime = [&](const json::value&) { return &runtime; }}}),
      ElementsAre("dataset-initializer×1"));
}

TEST(TrainJobPodSets, AMissingRuntimeIsAnError) {
  EXPECT_THAT(Counts("trainer.kubeflow.org/trainjob", Yaml("{spec: {runtimeRef: {name: torch}}}")),
              ElementsAre("error: training runtime torch not found"));
}

TEST(SparkPodSets, DriverAndExecutorsFromTheirFields) {
  const json::value job = Yaml(R"(
spec:
  driver: {coreRequest: 500m, memory: 2g, labels: {a: b}, nodeSelector: {disk: ssd}}
  executor: {instances: 3, coreLimit: "2", memory: 512m, gpu: {name: nvidia.com/gpu, quantity: 1},
             sidecars: [{name: s}], priorityClassName: high}
)");
  EXPECT_THAT(Counts("sparkoperator.k8s.io/sparkapplication", job),
              ElementsAre("driver×1", "executor×3"));
  const auto sets = PodSets(Kind("sparkoperator.k8s.io/sparkapplication"), job, {});
  const api::PodSpec& driver = sets->at(0).template_.spec;
  EXPECT_EQ(AmountOf(driver.containers[0], "cpu"), "500m");
  EXPECT_EQ(AmountOf(driver.containers[0], "memory"), "2Gi");
  EXPECT_EQ(*driver.node_selector.Find("disk"), "ssd");
  EXPECT_EQ(*sets->at(0).template_.metadata.labels.Find("a"), "b");
  const api::PodSpec& executor = sets->at(1).template_.spec;
  ASSERT_EQ(executor.containers.size(), 2u);
  EXPECT_EQ(AmountOf(executor.containers[0], "memory"), "512Mi");
  EXPECT_TRUE(executor.containers[0].resources.limits.Contains("nvidia.com/gpu"));
  EXPECT_EQ(executor.priority_class_name, "high");
}

TEST(SparkPodSets, InvalidQuantitiesAreErrors) {
  EXPECT_THAT(Counts("sparkoperator.k8s.io/sparkapplication",
                     Yaml("{spec: {driver: {coreRequest: lots}}}")),
              ElementsAre(HasSubstr("spec.driver.coreRequest: \"lots\" is not a quantity")));
}

TEST(ServingPodSets, OneReplicaOfALeaderWorkerSet) {
  EXPECT_THAT(Counts("leaderworkerset.x-k8s.io/leaderworkerset",
                     Yaml("{spec: {replicas: 2, leaderWorkerTemplate: {size: 4, leaderTemplate: "
                          "{spec: {containers: []}}, workerTemplate: {spec: {}}}}}")),
              ElementsAre("leader×1", "worker×3"));
  EXPECT_THAT(Counts("leaderworkerset.x-k8s.io/leaderworkerset",
                     Yaml("{spec: {leaderWorkerTemplate: {size: 4, workerTemplate: {spec: {}}}}}")),
              ElementsAre("main×4"));
}

TEST(ServingPodSets, AStatefulSetKeepsTheSpecOnly) {
  const api::PodSet set = Only(
      "statefulset",
      Yaml("{spec: {replicas: 3, template: {metadata: {labels: {a: b}, annotations: "
           "{kueue.x-k8s.io/podset-required-topology: rack}}, spec: {containers: [{name: c}]}}}}"));
  EXPECT_EQ(set.count, 3);
  EXPECT_TRUE(set.template_.metadata.labels.empty());
  EXPECT_EQ(set.topology_request->required, "rack");
  EXPECT_EQ(set.topology_request->pod_index_label, "apps.kubernetes.io/pod-index");
}

TEST(PodPodSets, APodIsASetOfOne) {
  const api::PodSet set =
      Only("pod", Yaml("{metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}"));
  EXPECT_EQ(set.count, 1);
  EXPECT_TRUE(set.template_.metadata.labels.empty());
  EXPECT_EQ(set.template_.spec.containers.size(), 1u);
}

}  // namespace
}  // namespace berth::jobs
