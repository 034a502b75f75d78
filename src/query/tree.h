#pragma once

// The quota tree with its queues.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/quota_figures.h"
#include "query/viewer.h"
#include "query/workload_counts.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

// A queue is active, or there is a reason why it admits nothing.
struct Activity {
  bool is_active = true;
  std::string reason;       // "" if active
  std::string stop_policy;  // "": none
};

struct LocalQueueNode {
  std::string namespace_;
  std::string name;
  std::string cluster_queue;
  Activity activity;
  Counts counts;
};

// A Cohort or a ClusterQueue. Counts of a Cohort are the sums of its queues.
struct TreeNode {
  bool is_cohort = false;
  std::string name;
  Activity activity;
  Counts counts;
  std::optional<int64_t> weighted_share;  // with fair sharing
  std::vector<QuotaFigures> quotas;
  std::vector<TreeNode> children;            // Cohorts first, by name
  std::vector<LocalQueueNode> local_queues;  // of a ClusterQueue, by namespaced name
};

struct Tree {
  std::vector<TreeNode> roots;  // by name
  // LocalQueues whose ClusterQueue is missing, or not for the viewer to see.
  std::vector<LocalQueueNode> local_queues;
};

// A Cohort that the viewer may not see is replaced by its children.
Tree MakeTree(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now);
// Only the ClusterQueue, without its cohorts; nullopt if there is none.
std::optional<TreeNode> MakeClusterQueueNode(const workload::ClusterState& cluster,
                                             std::string_view name, const Viewer& viewer,
                                             base::Time now);

LocalQueueNode MakeLocalQueueNode(const workload::ClusterState& cluster,
                                  const api::LocalQueue& queue, const WorkloadCounts& counts,
                                  base::Time now);

// The members of a LocalQueue in the open object.
void WriteMembers(const LocalQueueNode& queue, schema::JsonWriter& w);
std::string ToJson(const Tree& tree, std::string_view revision);
// In the open object.
void WriteMembers(const TreeNode& node, schema::JsonWriter& w);
void WriteMembers(const Activity& activity, schema::JsonWriter& w);

}  // namespace berth::query
