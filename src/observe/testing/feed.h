#pragma once

// A feed with a few queues, and workloads in whatever state a test wants.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/workload.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/engine_feed.h"
#include "workload/testing/apply_yaml.h"

namespace berth::observe::testing {

inline constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// ClusterQueue "team" with 4 cpu of flavor "standard", in cohort "all" below "root"; LocalQueue
// space/main, with the label team=red.
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

class FeedTest : public ::testing::Test {
 protected:
  FeedTest() { configuration_.metrics.enable_cluster_queue_resources = true; }

  // Everything that is configured must be so before.
  workload::EngineFeed& Feed() {
    if (!feed_) feed_ = std::make_unique<workload::EngineFeed>(configuration_, gates_);
    return *feed_;
  }
  MetricOptions Options() const { return MetricOptions::From(configuration_, gates_); }

  void Apply(std::string_view yaml) {
    workload::testing::ApplyYaml(yaml, Feed());
    Feed().Sync(kNow);
  }

  api::Configuration configuration_;
  api::FeatureGates gates_;
  std::unique_ptr<workload::EngineFeed> feed_;
};

// "name{a,b} 1" for each sample of these metrics; of all if none is named.
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
