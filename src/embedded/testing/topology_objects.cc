#include "embedded/testing/topology_objects.h"

#include "api/kueue/topology_assignment.h"
#include "json/path.h"

namespace berth::embedded::testing {
namespace {

std::string Text(std::string_view part) { return std::string(part); }

// An API server taints new nodes until their kubelet reports.
void RemoveInitialTaint(LiveCluster& cluster, const std::string& node) {
  const json::value object = cluster.Find(node).value_or(json::object());
  const json::value* taints = json::FindAt(object, "spec.taints");
  if (taints == nullptr) return;
  json::array others;
  for (const json::value& taint : taints->get_array())
    if (json::TextAt(taint, "key") != "node.kubernetes.io/not-ready") others.push_back(taint);
  if (others.size() == taints->get_array().size()) return;
  cluster.Patch(node, json::Print(json::object{{"spec", json::object{{"taints", others}}}}));
}

}  // namespace

std::string PlacedTeam(int cpu, std::string_view queue, std::string_view flavor) {
  return Racks() +
         "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n---\n"
         "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: tas}\n"
         "spec: {nodeLabels: {pool: tas}, topologyName: racks" +
         Text(flavor) +
         "}\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team}\n"
         "spec:\n  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n"
         "    flavors: [{name: tas, resources: [{name: cpu, nominalQuota: " +
         std::to_string(cpu) + "}]}]\n" + Text(queue) +
         "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
         "metadata: {name: main, namespace: team}\nspec: {clusterQueue: team}\n";
}

std::string Racks(std::string_view levels) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: racks}\n"
         "spec: {levels: [" +
         Text(levels) + "]}\n";
}

void PutNode(LiveCluster& cluster, const NodeText& node) {
  const std::string host = Text(node.host.empty() ? node.name : node.host);
  const std::string rack = node.rack.empty() ? "" : ", rack: " + Text(node.rack);
  const bool is_new = !cluster.Find("Node " + Text(node.name));
  cluster.Apply("apiVersion: v1\nkind: Node\nmetadata: {name: " + Text(node.name) +
                ", labels: {pool: tas, kubernetes.io/hostname: " + host + rack + "}}\nspec: {" +
                Text(node.spec) + "}\n");
  if (is_new) RemoveInitialTaint(cluster, "Node " + Text(node.name));
  cluster.Patch("Node " + Text(node.name),
                R"({"status": {"allocatable": {"cpu": ")" + Text(node.cpu) +
                    R"(", "pods": "20"}, "conditions": [{"type": "Ready", "status": ")" +
                    (node.is_ready ? "True" : "False") +
                    R"(", "lastTransitionTime": "2030-01-01T00:00:00Z"}]}})",
                "status");
}

std::string PlacedJob(const PlacedJobText& job) {
  const std::string pods = std::to_string(job.pods);
  const std::string spec = "  parallelism: " + pods + "\n  completions: " + pods + "\n";
  const std::string requests = "cpu: " + Text(job.cpu);
  const std::string where = job.where.empty() ? "" : "kueue.x-k8s.io/podset-" + Text(job.where);
  return Job({.name = job.name,
              .requests = requests,
              .metadata = job.metadata,
              .spec = spec,
              .pod_annotations = where});
}

std::string PlacesOf(const api::Workload& workload) {
  std::string text;
  if (!workload.status.admission) return text;
  for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    if (!assignment.topology_assignment) continue;
    for (const auto& domain : api::UnpackTopologyAssignment(*assignment.topology_assignment))
      text += (text.empty() ? "" : " ") + domain.values.back() + ":" + std::to_string(domain.count);
  }
  return text;
}

std::string PlacesOf(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  return workload ? PlacesOf(*workload) : "";
}

}  // namespace berth::embedded::testing
