#include "query/testing/large_cluster.h"

#include "api/meta/manifest.h"
#include "api/meta/object_defaults.h"

namespace berth::query::testing {
namespace {

void ApplyText(workload::ClusterState& cluster, const std::string& yaml) {
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    api::ApplyDefaults(*manifest.object);
    cluster.Apply(*manifest.object);
  }
}

std::string QueueTexts(int index) {
  const std::string number = std::to_string(index);
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q" + number +
         "}\nspec:\n  cohortName: c" + std::to_string(index / 20) +
         "\n  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu, memory]\n"
         "    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 4}, "
         "{name: memory, nominalQuota: 4Gi}]}]\n---\n"
         "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: main, namespace: "
         "ns" +
         number + "}\nspec: {clusterQueue: q" + number + "}\n";
}

api::Workload MakeTemplate() {
  api::Workload workload;
  workload.metadata.creation_timestamp = kLargeNow;
  workload.spec.queue_name = "main";
  workload.status.conditions.push_back({.type = "QuotaReserved",
                                        .status = "False",
                                        .last_transition_time = kLargeNow,
                                        .reason = "WaitingForQuota",
                                        .message = "couldn't assign flavors to pod set main"});
  for (api::Manifest& manifest : api::ReadManifests(
           "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: a}\nspec:\n"
           "  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, "
           "resources: {requests: {cpu: 1, memory: 1Gi}}}]}}}]\n"))
    workload.spec.pod_sets = manifest.object->As<api::Workload>()->spec.pod_sets;
  return workload;
}

}  // namespace

api::Workload PendingWorkload(int queue, int number) {
  static const api::Workload kTemplate = MakeTemplate();
  api::Workload workload = kTemplate;
  workload.metadata.namespace_ = "ns" + std::to_string(queue);
  workload.metadata.name = workload.metadata.uid = "job-" + std::to_string(number);
  return workload;
}

std::unique_ptr<workload::ClusterState> MakeLargeCluster(int queues, int workloads) {
  auto cluster =
      std::make_unique<workload::ClusterState>(api::Configuration(), api::FeatureGates());
  ApplyText(*cluster,
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
            "metadata: {name: standard}\n");
  for (int i = 0; i < queues; ++i) ApplyText(*cluster, QueueTexts(i));
  for (int i = 0; i < workloads; ++i) cluster->Apply(PendingWorkload(i % queues, i));
  cluster->Sync(kLargeNow);
  return cluster;
}

}  // namespace berth::query::testing
