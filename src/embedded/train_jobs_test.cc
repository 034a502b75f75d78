// TrainJobs: what their pods are like is said by a runtime, an object of its own.

#include "embedded/testing/live_test.h"
#include "store/json.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kTune = "TrainJob team/tune";

std::string Definition(const std::string& kind, const std::string& plural,
                       const std::string& scope) {
  return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " +
         plural +
         ".trainer.kubeflow.org}\nspec:\n  group: trainer.kubeflow.org\n  scope: " + scope +
         "\n  names: {kind: " + kind + ", plural: " + plural + R"(}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
)";
}

std::string TrainJob(const std::string& runtime) {
  return R"(
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tune, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
spec: {runtimeRef: )" +
         runtime + ", trainer: {numNodes: 2, resourcesPerNode: {requests: {cpu: 1}}}}\n";
}

std::string Runtime(const std::string& kind, const std::string& metadata) {
  return "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: " + kind + "\nmetadata: " + metadata +
         R"(
spec:
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: example.com/torch}]}}}
)";
}

constexpr std::string_view kTrainJobsOnly =
    "integrations: {frameworks: [trainer.kubeflow.org/trainjob]}\n";

void DefineTrainJobs(LiveCluster& cluster) {
  cluster.Create(Definition("TrainJob", "trainjobs", "Namespaced"));
  cluster.Create(Definition("TrainingRuntime", "trainingruntimes", "Namespaced"));
  cluster.Create(Definition("ClusterTrainingRuntime", "clustertrainingruntimes", "Cluster"));
}

TEST(TrainJobs, RunWithThePodsOfTheirRuntime) {
  LiveCluster cluster = StartCluster(kTrainJobsOnly);
  DefineTrainJobs(cluster);
  cluster.Apply(Team("team", 4));
  cluster.Apply(Runtime("ClusterTrainingRuntime", "{name: torch}"));
  cluster.Apply(TrainJob("{name: torch}"));
  cluster.AwaitRuns(kTune);
  const api::Workload workload = *cluster.WorkloadOf(kTune);
  ASSERT_EQ(workload.spec.pod_sets.size(), 1u);
  EXPECT_EQ(workload.spec.pod_sets[0].name, "node");
  EXPECT_EQ(workload.spec.pod_sets[0].count, 2);
  EXPECT_THAT(store::PrintJson(*cluster.Find(kTune)),
              HasSubstr(R"("kueue.x-k8s.io/podset":"node")"));
}

TEST(TrainJobs, RunOnWhenTheirRuntimeChanges) {
  LiveCluster cluster = StartCluster(kTrainJobsOnly);
  DefineTrainJobs(cluster);
  cluster.Apply(Team("team", 4));
  cluster.Apply(Runtime("ClusterTrainingRuntime", "{name: torch}"));
  cluster.Apply(TrainJob("{name: torch}"));
  cluster.AwaitRuns(kTune);
  const std::string uid = cluster.WorkloadOf(kTune)->metadata.uid;
  cluster.Patch("ClusterTrainingRuntime torch", R"({"spec":{"template":{"spec":{"replicatedJobs":[
      {"name":"node","replicas":3,"template":{"spec":{"template":{"spec":{"containers":[
        {"name":"node","image":"example.com/other"}]}}}}}]}}}})");
  cluster.Settle();
  EXPECT_FALSE(cluster.IsSuspended(kTune));
  EXPECT_EQ(cluster.WorkloadOf(kTune)->metadata.uid, uid);
}

TEST(TrainJobs, WaitForARuntimeThatIsMadeLater) {
  LiveCluster cluster = StartCluster(kTrainJobsOnly);
  DefineTrainJobs(cluster);
  cluster.Apply(Team("team", 4));
  cluster.Apply(TrainJob("{kind: TrainingRuntime, name: torch}"));
  cluster.Await("an Event about its runtime", [&] {
    return ::testing::Value(cluster.EventsAbout("tune"),
                            Contains(HasSubstr("there is no training runtime torch")));
  });
  cluster.Apply(Runtime("TrainingRuntime", "{name: torch, namespace: team}"));
  cluster.AwaitRuns(kTune);
}

}  // namespace
}  // namespace berth::embedded
