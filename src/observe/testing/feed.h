#pragma once

// A cluster state with a few queues, and workloads in any state.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/state/cluster_state.h"
#include "workload/testing/apply_yaml.h"

namespace berth::observe::testing {

inline constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// ClusterQueue "team" with 4 cpu of flavor "standard", in cohort "all" below "root"; LocalQueue
// space/main with the label team=red.
inline constexpr std::string_view kQueues = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: standard}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: all, annotations: {region: north}}
spec: {parentName: root}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: space, labels: {team: red}}
spec: {clusterQueue: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team, labels: {owner: anna}}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 4, borrowingLimit: 500m}]}]
)";

inline std::string WorkloadText(std::string_view name, int cpu, std::string_view more = "") {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: space, name: )" +
         std::string(name) + ", uid: " + std::string(name) +
         R"(, creationTimestamp: "1970-01-12T13:46:00Z", labels: {user: bob}}
)" + std::string(more) +
         R"(
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: )" +
         std::to_string(cpu) + "}}}]}}}]\n";
}

class ClusterStateTest : public ::testing::Test {
 protected:
  ClusterStateTest() { configuration_.metrics.enable_cluster_queue_resources = true; }

  // Settings must be made before the first call.
  workload::ClusterState& Cluster() {
    if (!cluster_) cluster_ = std::make_unique<workload::ClusterState>(configuration_, gates_);
    return *cluster_;
  }
  MetricOptions Options() const { return MetricOptions::From(configuration_, gates_); }

  void Apply(std::string_view yaml) {
    workload::testing::ApplyYaml(yaml, Cluster());
    Cluster().Sync(kNow);
  }

  api::Configuration configuration_;
  api::FeatureGates gates_;
  std::unique_ptr<workload::ClusterState> cluster_;
};

// "name{a,b} 1" for each sample of these metrics; of all metrics if none is given.
inline std::vector<std::string> Texts(const std::vector<Sample>& samples,
                                      std::initializer_list<Metric> metrics = {}) {
  std::vector<std::string> texts;
  for (const Sample& sample : samples) {
    if (metrics.size() > 0 &&
        std::find(metrics.begin(), metrics.end(), sample.metric) == metrics.end())
      continue;
    std::string text(InfoOf(sample.metric).name);
    text += "{";
    for (size_t i = 0; i < sample.labels.size(); ++i)
      text += (i == 0 ? "" : ",") + sample.labels[i];
    char number[32];
    std::snprintf(number, sizeof number, "} %g", sample.value);
    texts.push_back(text + number);
  }
  return texts;
}

}  // namespace berth::observe::testing
