#pragma once

// A cluster with two teams that share a cohort.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "json/json.h"
#include "workload/state/cluster_state.h"
#include "workload/testing/apply_yaml.h"

namespace berth::query::testing {

inline constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

// ClusterQueues "red" and "blue", each with 10 cpu of flavor "standard", in cohort "all", which has
// 2 cpu of its own; LocalQueues red/main and blue/main.
inline constexpr std::string_view kTeams = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: standard}
spec: {nodeLabels: {tier: standard}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: all}
spec:
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 2}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: red, managedFields: [{manager: kubectl}]}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 10}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: blue}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 10}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: red}
spec: {clusterQueue: red}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: blue}
spec: {clusterQueue: blue}
)";

struct SimWorkload {
  std::string team;  // namespace and ClusterQueue
  std::string name;
  std::string cpu = "1";
  bool is_admitted = false;
  bool is_finished = false;
  int priority = 0;
  std::string created = "2027-01-15T07:00:00Z";
  std::string owner = "";
};

inline std::string ConditionText(std::string_view type, std::string_view reason) {
  return "  - {type: " + std::string(type) + ", status: \"True\", reason: " + std::string(reason) +
         ", message: done, lastTransitionTime: \"2027-01-15T07:30:00Z\"}\n";
}

inline std::string TextOf(const SimWorkload& w) {
  std::string text =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata:\n  name: " + w.name +
      "\n  namespace: " + w.team + "\n  uid: " + w.team + "-" + w.name +
      "\n  creationTimestamp: \"" + w.created + "\"\n";
  if (!w.owner.empty())
    text += "  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: " + w.owner +
            ", uid: o, controller: true}]\n";
  text += "spec:\n  queueName: main\n  priority: " + std::to_string(w.priority) +
          "\n  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, "
          "resources: {requests: {cpu: \"" +
          w.cpu + "\"}}}]}}}]\n";
  if (!w.is_admitted && !w.is_finished) return text;
  text += "status:\n  conditions:\n";
  text += ConditionText("QuotaReserved", "QuotaReserved") + ConditionText("Admitted", "Admitted");
  if (w.is_finished) text += ConditionText("Finished", "Succeeded");
  return text + "  admission:\n    clusterQueue: " + w.team +
         "\n    podSetAssignments: [{name: main, count: 1, flavors: {cpu: standard}, "
         "resourceUsage: {cpu: \"" +
         w.cpu + "\"}}]\n";
}

class TeamsTest : public ::testing::Test {
 protected:
  void SetUp() override { Apply(kTeams); }

  void Apply(std::string_view yaml) {
    workload::testing::ApplyYaml(yaml, cluster_);
    cluster_.Sync(kNow);
  }
  void Add(const SimWorkload& workload) { Apply(TextOf(workload)); }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
};

}  // namespace berth::query::testing
