// TrainJobs, whose pod templates come from a runtime object.

#include "embedded/testing/live_test.h"
#include "json/json.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using testing::Definition;
using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kApi = "trainer.kubeflow.org/v1alpha1";
constexpr std::string_view kTune = "TrainJob team/tune";

std::string TrainJob(const std::string& runtime) {
  return R"(
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tune, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
spec: {runtimeRef: )" +
         runtime + ", trainer: {numNodes: 2, resourcesPerNode: {requests: {cpu: 1}}}}\n";
}

// `more` is added to the replicated jobs.
std::string Runtime(const std::string& kind, const std::string& metadata,
                    const std::string& more = "") {
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
)" + more;
}

class TrainJobs : public ::testing::Test {
 protected:
  TrainJobs() {
    cluster_.Create(Definition(kApi, "TrainJob", "trainjobs"));
    cluster_.Create(Definition(kApi, "TrainingRuntime", "trainingruntimes"));
    cluster_.Create(Definition(kApi, "ClusterTrainingRuntime", "clustertrainingruntimes", false));
    cluster_.Apply(Team("team", 4));
  }

  void StartTraining() {
    cluster_.Apply(Runtime("ClusterTrainingRuntime", "{name: torch}"));
    cluster_.Apply(TrainJob("{name: torch}"));
    cluster_.AwaitRunning(kTune);
  }

  LiveCluster cluster_ =
      StartCluster("integrations: {frameworks: [trainer.kubeflow.org/trainjob]}\n");
};

TEST_F(TrainJobs, RunWithThePodsOfTheirRuntime) {
  StartTraining();
  const api::Workload workload = *cluster_.WorkloadOf(kTune);
  ASSERT_EQ(workload.spec.pod_sets.size(), 1u);
  EXPECT_EQ(workload.spec.pod_sets[0].name, "node");
  EXPECT_EQ(workload.spec.pod_sets[0].count, 2);
  EXPECT_THAT(json::Print(*cluster_.Find(kTune)), HasSubstr(R"("kueue.x-k8s.io/podset":"node")"));
}

TEST_F(TrainJobs, CountOnePodOfAJobBesideTheTrainerWithoutParallelism) {
  cluster_.Apply(Runtime("ClusterTrainingRuntime", "{name: torch}", R"(
      - name: launcher
        template:
          spec:
            parallelism: 0
            template:
              spec: {containers: [{name: main, image: example.com/launch, resources: {requests: {cpu: 1}}}]}
)"));
  cluster_.Apply(TrainJob("{name: torch}"));
  cluster_.AwaitRunning(kTune);
  const api::Workload workload = *cluster_.WorkloadOf(kTune);
  ASSERT_EQ(workload.spec.pod_sets.size(), 2u);
  EXPECT_EQ(workload.spec.pod_sets[1].name, "launcher");
  EXPECT_EQ(workload.spec.pod_sets[1].count, 1);
  cluster_.Await("the queue counts its cpu", [&] {
    return json::TextAt(*cluster_.Find("ClusterQueue team"),
                        "status.flavorsUsage[0].resources[0].total") == "3";
  });
}

TEST_F(TrainJobs, KeepRunningWhenTheirRuntimeChanges) {
  StartTraining();
  const std::string uid = cluster_.WorkloadOf(kTune)->metadata.uid;
  cluster_.Patch("ClusterTrainingRuntime torch", R"({"spec":{"template":{"spec":{"replicatedJobs":[
      {"name":"node","replicas":3,"template":{"spec":{"template":{"spec":{"containers":[
        {"name":"node","image":"example.com/other"}]}}}}}]}}}})");
  cluster_.AwaitIdle();
  EXPECT_FALSE(cluster_.IsSuspended(kTune));
  EXPECT_EQ(cluster_.WorkloadOf(kTune)->metadata.uid, uid);
}

TEST_F(TrainJobs, WaitForAMissingRuntime) {
  cluster_.Apply(TrainJob("{kind: TrainingRuntime, name: torch}"));
  cluster_.Await("an Event about its runtime", [&] {
    return ::testing::Value(cluster_.EventsAbout("tune"),
                            Contains(HasSubstr("training runtime torch not found")));
  });
  cluster_.Apply(Runtime("TrainingRuntime", "{name: torch, namespace: team}"));
  cluster_.AwaitRunning(kTune);
}

}  // namespace
}  // namespace berth::embedded
