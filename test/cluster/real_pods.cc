#include "cluster/real_pods.h"

#include <algorithm>

#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::cluster {

using embedded::testing::LiveCluster;

LiveCluster StartOnNodes(std::string_view configuration) {
  return embedded::testing::StartCluster(configuration, embedded::SimulationSettings());
}

std::string Node(const NodeText& node) {
  const std::string name(node.name);
  const std::string resources =
      R"({"cpu": ")" + std::string(node.cpu) + R"(", "memory": "32Gi", "pods": "110"})";
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + name +
         R"(", "labels": {)" + std::string(node.labels) + R"(, "kubernetes.io/hostname": ")" +
         name + R"("}}, "status": {"capacity": )" + resources + R"(, "allocatable": )" + resources +
         "}}";
}

bool HasCondition(LiveCluster& cluster, std::string_view object, std::string_view type) {
  const auto tree = cluster.Find(object);
  const json::value* conditions = tree ? json::Find(*tree, {"status", "conditions"}) : nullptr;
  if (conditions == nullptr) return false;
  return std::ranges::any_of(conditions->get_array(), [&](const json::value& condition) {
    return json::StringAt(condition, {"type"}) == type &&
           json::StringAt(condition, {"status"}) == "True";
  });
}

void AwaitComplete(LiveCluster& cluster, const std::string& job) {
  cluster.Await(job + " completes", [&] { return HasCondition(cluster, job, "Complete"); });
}

std::vector<json::value> PodsOf(const std::string& job) {
  std::vector<json::value> pods;
  const auto list = ControlPlane::Get().Do(store::List{
      .resource =
          {.group = "", .version = "v1", .plural = "pods", .kind = "Pod", .is_namespaced = true},
      .selection = {.label_selector = "job-name=" + job}});
  if (!list) return pods;
  for (const store::Object& pod : list->items) pods.push_back(*json::Parse(pod.text()));
  return pods;
}

std::vector<std::string> NodesOf(const std::string& job) {
  std::vector<std::string> nodes;
  for (const json::value& pod : PodsOf(job))
    nodes.emplace_back(json::StringAt(pod, {"spec", "nodeName"}));
  return nodes;
}

ptrdiff_t CountGated(const std::string& job) {
  return std::ranges::count_if(PodsOf(job), [](const json::value& pod) {
    const json::value* gates = json::Find(pod, {"spec", "schedulingGates"});
    return gates != nullptr && !gates->get_array().empty();
  });
}

}  // namespace berth::cluster
