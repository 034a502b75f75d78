#include "embedded/testing/elastic_job.h"

#include <algorithm>

#include "api/meta/conditions.h"
#include "json/path.h"
#include "workload/status_changes.h"

namespace berth::embedded::testing {

void StartElasticJob(LiveCluster& cluster, int cpu) {
  StartElasticJob(cluster, cpu, "  parallelism: 2\n  completions: 8\n");
}

void StartElasticJob(LiveCluster& cluster, int cpu, std::string_view spec,
                     std::string_view labels) {
  cluster.Apply(Team("team", cpu));
  cluster.Apply(
      Job({.name = "train", .annotations = kElasticAnnotation, .labels = labels, .spec = spec}));
  cluster.AwaitRunning(kElasticJob);
}

void Scale(LiveCluster& cluster, int parallelism) {
  cluster.Patch(kElasticJob, R"({"spec": {"parallelism": )" + std::to_string(parallelism) + "}}");
}

std::vector<std::string> Slices(LiveCluster& cluster) {
  std::vector<std::string> texts;
  for (const api::Workload& slice : cluster.WorkloadsOf(kElasticJob)) {
    const auto* finished = api::FindCondition(slice.status.conditions, "Finished");
    const std::string state = finished != nullptr           ? finished->reason
                              : workload::IsAdmitted(slice) ? "Admitted"
                                                            : "Waits";
    texts.push_back(std::to_string(*slice.spec.pod_sets[0].count) + " " + state);
  }
  std::ranges::sort(texts);
  return texts;
}

void AwaitSlices(LiveCluster& cluster, const std::vector<std::string>& slices) {
  std::string text = "slices";
  for (const std::string& slice : slices) text += " [" + slice + "]";
  cluster.Await(text, [&] { return Slices(cluster) == slices; });
}

std::string ElasticPod(LiveCluster& cluster, std::string_view name, std::string_view slice) {
  const std::string first =
      slice.empty() ? *cluster.WorkloadsOf(kElasticJob)
                           .at(0)
                           .metadata.annotations.Find("kueue.x-k8s.io/workload-slice-name")
                    : std::string(slice);
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {kueue.x-k8s.io/podset: main}, annotations: "
         "{kueue.x-k8s.io/workload-slice-name: " +
         first +
         "}}\nspec: {restartPolicy: Never, schedulingGates: [{name: kueue.x-k8s.io/elastic-job}], "
         "containers: [{name: c, image: i}]}\n";
}

bool HasElasticGate(LiveCluster& cluster, std::string_view pod) {
  const auto found = cluster.Find("Pod team/" + std::string(pod));
  return json::IsSetAt(*found, "spec.schedulingGates");
}

}  // namespace berth::embedded::testing
