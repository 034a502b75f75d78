#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/manifest.h"
#include "api/meta/object_defaults.h"
#include "simulate/input.h"
#include "simulate/trace/generator.h"
#include "simulate/world/world.h"

// Builders of small worlds.
namespace berth::simulate::testing {

inline base::Time At(int64_t seconds) { return kDefaultStart + base::Duration::Seconds(seconds); }

struct QueueText {
  std::string name;
  std::string cohort = "";
  int cpu = 0;
  std::string within = "Never";
  std::string reclaim = "Never";
  std::string stop = "None";
};

// A ClusterQueue with cpu of the flavor `default`, and a LocalQueue of the same name in namespace
// `team`.
inline std::string QueueYaml(const QueueText& q) {
  return "---\nkind: ClusterQueue\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: " + q.name +
         "}\nspec:\n  namespaceSelector: {}\n" +
         (q.cohort.empty() ? "" : "  cohortName: " + q.cohort + "\n") + "  stopPolicy: " + q.stop +
         "\n  preemption: {withinClusterQueue: " + q.within +
         ", reclaimWithinCohort: " + q.reclaim +
         "}\n  resourceGroups:\n  - coveredResources: [cpu]\n    flavors: [{name: default, "
         "resources: [{name: cpu, nominalQuota: " +
         std::to_string(q.cpu) +
         "}]}]\n---\nkind: LocalQueue\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: " +
         q.name + ", namespace: team}\nspec: {clusterQueue: " + q.name + "}\n";
}

inline std::vector<api::Object> Objects(const std::string& yaml) {
  std::vector<api::Object> objects;
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    for (const schema::Problem& problem : manifest.problems)
      ADD_FAILURE() << schema::ToString(problem);
    if (!manifest.object) continue;
    api::ApplyDefaults(*manifest.object);
    objects.push_back(std::move(*manifest.object));
  }
  return objects;
}

inline Edit EditAt(int64_t seconds, const std::string& yaml) {
  return {.after = base::Duration::Seconds(seconds),
          .objects = std::make_shared<const std::vector<api::Object>>(Objects(yaml))};
}

struct SmallJob {
  std::string queue = "q";
  int at = 0;
  int cpu = 1;
  std::optional<int> seconds = 1;  // absent: unknown
  int priority = 0;
  std::string label = "";
  std::string name = "";
  int pods = 1;
  std::string rack = "";  // "required" or "preferred"; "": no topology request
};

inline constexpr std::string_view kRackLabel = "cloud.example/rack";

// A Topology of racks and hosts for the flavor `default`, and equal nodes that are generated.
inline std::string TopologyYaml() {
  return "---\nkind: Topology\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: racks}\nspec: "
         "{levels: [{nodeLabel: " +
         std::string(kRackLabel) +
         "}, {nodeLabel: kubernetes.io/hostname}]}\n---\nkind: ResourceFlavor\napiVersion: "
         "kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\nspec: {nodeLabels: {pool: tas}, "
         "topologyName: racks}\n";
}

struct NodePool {
  int racks = 1;
  int hosts = 1;  // of a rack
  int cpu = 4;
  std::string more = "";  // "failsAfter: 10s, repairedAfter: 5s"
};

inline void AddNodes(const NodePool& pool, Input& input) {
  const std::string text =
      "nodes: [{levels: [{nodeLabel: " + std::string(kRackLabel) +
      ", count: " + std::to_string(pool.racks) +
      "}, {nodeLabel: kubernetes.io/hostname, count: " + std::to_string(pool.hosts) +
      "}], labels: {pool: tas}, allocatable: {cpu: " + std::to_string(pool.cpu) + "}, " +
      pool.more + "}]";
  for (const schema::Problem& problem : AddGenerated(text, "nodes", input))
    ADD_FAILURE() << schema::ToString(problem);
}

// A node of such a pool, ready or not.
inline std::string NodeYaml(const std::string& name, const std::string& rack, bool is_ready,
                            int cpu = 4) {
  return "---\nkind: Node\napiVersion: v1\nmetadata: {name: " + name +
         ", labels: {pool: tas, kubernetes.io/hostname: " + name + ", " + std::string(kRackLabel) +
         ": " + rack + "}}\nstatus: {allocatable: {cpu: " + std::to_string(cpu) +
         ", pods: 110}, conditions: [{type: Ready, status: \"" + (is_ready ? "True" : "False") +
         "\"}]}\n";
}

class SmallWorld {
 public:
  explicit SmallWorld(const std::string& queues) {
    input_.objects = Objects(
        "kind: ResourceFlavor\napiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: default}\n" +
        queues);
  }

  // Add jobs in the order of arrival. Returns the index of the job.
  uint32_t Add(const SmallJob& job) {
    JobDescription description{.namespace_ = "team",
                               .queue = job.queue,
                               .label = job.label,
                               .count = job.pods,
                               .priority = job.priority,
                               .requests = {}};
    if (job.rack == "required") description.topology.emplace().required = kRackLabel;
    if (job.rack == "preferred") description.topology.emplace().preferred = kRackLabel;
    description.requests.Set("cpu", quantity::Quantity::FromInt(job.cpu));
    input_.jobs.push_back(
        {.arrival = At(job.at),
         .run_time = job.seconds ? base::Duration::Seconds(*job.seconds) : Job::kUnknown,
         .kind = kinds_.KindOf(description),
         .name = job.name});
    return static_cast<uint32_t>(input_.jobs.size()) - 1;
  }

  Input& input() { return input_; }

 private:
  Input input_;
  KindTable kinds_{input_};
};

}  // namespace berth::simulate::testing
