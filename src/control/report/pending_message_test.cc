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
  workload::ClusterState cluster{api::Configuration(), api::FeatureGates()};
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

TEST(PendingMessage, NamesWhatIsMissingWithFlavorQueueAndNumbers) {
  EXPECT_EQ(MessageOf({Workload("a", "cpu: 3"), Workload("w", "cpu: 2")}),
            "1 cpu missing in flavor f of ClusterQueue q for pod set main: 2 requested, 1 "
            "available, no preemption candidates");
}

TEST(PendingMessage, NamesTheMaximumThatIsExceeded) {
  EXPECT_EQ(MessageOf({Workload("w", "cpu: 9")}),
            "cpu quota exceeded in flavor f of ClusterQueue q for pod set main: 9 requested, 4 at "
            "most");
}

TEST(PendingMessage, NamesUndeclaredResourcesWithTheRemedy) {
  EXPECT_EQ(MessageOf({Workload("w", "cpu: 1, example.com/gpu: 2")}),
            "example.com/gpu not declared in ClusterQueue q: 2 requested for pod set main; declare "
            "it in the ClusterQueue or add an exclusion prefix");
}

}  // namespace
}  // namespace berth::control
