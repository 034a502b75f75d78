#include "control/report/pending_message.h"

#include <gtest/gtest.h>

#include "control/scheduler.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

constexpr std::string_view kTeam = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";

// `pod` is more of the pod's spec.
std::string Workload(std::string_view name, std::string_view requests, std::string_view pod = "") {
  return "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: team, "
         "name: " +
         std::string(name) + ", uid: " + std::string(name) +
         "}\nspec:\n  queueName: main\n  podSets: [{name: main, count: 1, template: {spec: {" +
         std::string(pod) + "containers: [{name: c, resources: {requests: {" +
         std::string(requests) + "}}}]}}}]\n";
}

// The message of workload "w" after cycles until nothing changes, in a queue with 4 cpu of flavor
// f.
std::string MessageOf(const std::vector<std::string>& workloads) {
  constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);
  workload::ClusterState cluster{api::Configuration(), api::FeatureGates(), {.topology = true}};
  workload::testing::ApplyYaml(workload::testing::kFlavorAndQueue, cluster);
  workload::testing::ApplyYaml(kTeam, cluster);
  for (const std::string& yaml : workloads) workload::testing::ApplyYaml(yaml, cluster);
  cluster.Sync(kNow);
  std::string message;
  for (CycleResult result = RunCycle(cluster, kNow);; result = RunCycle(cluster, kNow)) {
    for (const WorkloadChange& change : result.changes)
      if (change.workload == "team/w") message = change.message;
    if (!result.made_progress) return message;
  }
}

// Workload "w" with pod sets "a" and "b" that request one pod each.
std::string TwoPodSets(std::string_view a, std::string_view b) {
  const auto pod_set = [](std::string_view name, std::string_view requests) {
    return "{name: " + std::string(name) +
           ", count: 1, template: {spec: {containers: [{name: c, resources: {requests: {" +
           std::string(requests) + "}}}]}}}";
  };
  return "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: team, "
         "name: w, uid: w}\nspec: {queueName: main, podSets: [" +
         pod_set("a", a) + ", " + pod_set("b", b) + "]}\n";
}

constexpr std::string_view kTainted = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeTaints: [{key: x.com/spot, effect: NoSchedule}], nodeLabels: {pool: spot}}
)";

constexpr std::string_view kLabelled = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {pool: spot}}
)";

constexpr std::string_view kRacks = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {rack: r1}, topologyName: racks}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {rack: r1, kubernetes.io/hostname: n1}}
status: {allocatable: {cpu: 1, pods: 10}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {rack: r1, kubernetes.io/hostname: n2}}
spec: {taints: [{key: x.com/spot, effect: NoSchedule}]}
status: {allocatable: {cpu: 1, pods: 10}, conditions: [{type: Ready, status: "True"}]}
)";

// Workload "w" with two pods.
std::string Placed(std::string_view request) {
  return "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: team, "
         "name: w, uid: w}\nspec: {queueName: main, podSets: [{name: main, count: 2, "
         "topologyRequest: {" +
         std::string(request) +
         "}, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}\n";
}

struct PendingRow {
  std::vector<std::string> objects;
  std::string_view expected;
};

// Every text of a pending workload that depends on quota and flavors. Scripts match these shapes.
// clang-format off
TEST(Messages, OfPendingWorkloads) {
  const std::vector<PendingRow> rows = {
      {{Workload("a", "cpu: 3"), Workload("w", "cpu: 2")}, "1 cpu short in flavor f of ClusterQueue q for pod set main: 2 requested, 1 available, no preemption candidates"},
      {{Workload("w", "cpu: 9")}, "cpu quota exceeded in flavor f of ClusterQueue q for pod set main: 9 requested, maximum 4"},
      {{TwoPodSets("cpu: 3", "cpu: 2")}, "cpu quota exceeded in flavor f of ClusterQueue q for pod set b: 2 requested in addition to 3 for other pod sets, maximum 4"},
      {{Workload("w", "cpu: 1, example.com/gpu: 2")}, "example.com/gpu not declared in ClusterQueue q: 2 requested for pod set main; declare it in the ClusterQueue or add an exclusion prefix"},
      {{std::string(kTainted), Workload("w", "cpu: 1")}, "Flavor f of ClusterQueue q for pod set main: taint not tolerated"},
      {{Workload("w", "cpu: 1", "nodeSelector: {pool: other}, "), std::string(kLabelled)}, "Flavor f of ClusterQueue q for pod set main: node selector or affinity not matched"},
      {{std::string(kRacks), Placed("required: rack")}, "Topology racks of flavor f cannot fit 2 pods of pod set main in one domain of level rack, even without other workloads: 1 of 2 pods fit; 2 nodes ready (1 with a taint that is not tolerated)"},
      {{std::string(kRacks), Placed("podsetSliceRequiredTopologyConstraints: [{topology: kubernetes.io/hostname, size: 2}, {topology: rack, size: 1}]")}, "Topology racks of flavor f does not support the slices of pod set main: each layer must be below the previous one, not above the requested level, and its size must divide the previous size"},
      {{std::string(kRacks), Placed("preferred: block")}, "Flavor f of ClusterQueue q for pod set main: topology has no level block"},
  };
  for (const PendingRow& row : rows) EXPECT_EQ(MessageOf(row.objects), row.expected);
}
// clang-format on

}  // namespace
}  // namespace berth::control
