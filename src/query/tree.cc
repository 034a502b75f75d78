#include "query/tree.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/queue_status.h"
#include "engine/quota/fair_share.h"
#include "workload/convert/convert_workload.h"

namespace berth::query {
namespace {

using engine::NodeId;
using engine::QuotaForest;

std::string StopPolicyText(const std::optional<std::string>& policy) {
  return policy && *policy != api::kStopPolicyNone ? *policy : "";
}

// As the condition Active says it.
template <class Queue>
Activity ActivityOf(const Queue& queue, const workload::ClusterState& cluster, base::Time now) {
  const auto status = control::StatusOf(queue, {}, cluster, now);
  const api::Condition* active = api::FindCondition(status.conditions, api::condition::kActive);
  Activity activity{.stop_policy = StopPolicyText(queue.spec.stop_policy)};
  activity.is_active = active == nullptr || active->status == api::kConditionTrue;
  if (!activity.is_active) activity.reason = active->reason;
  return activity;
}

class TreeMaker {
 public:
  TreeMaker(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now)
      : cluster_(cluster),
        state_(cluster.engine().state()),
        viewer_(viewer),
        now_(now),
        counts_(cluster),
        lent_(state_.forest) {
    cluster.ForEachLocalQueue([this](const api::LocalQueue& queue) {
      if (viewer_.local_queues.Contains(queue.metadata.namespace_))
        local_queues_[queue.spec.cluster_queue.value_or("")].push_back(&queue);
    });
  }

  Tree Make() && {
    Tree tree;
    for (size_t i = 0; i < state_.forest.node_count(); ++i) {
      const NodeId id(static_cast<uint32_t>(i));
      if (IsRoot(id)) AddTo(tree.roots, id);
    }
    std::ranges::sort(tree.roots, {}, &TreeNode::name);
    for (const auto& [name, queues] : local_queues_) AddLocalQueues(queues, tree.local_queues);
    return tree;
  }

  TreeNode MakeClusterQueue(NodeId id) {
    const QuotaForest::Node& node = state_.forest.node(id);
    TreeNode made = NodeOf(id);
    made.counts = counts_.OfClusterQueue(id);
    if (const api::ClusterQueue* queue = cluster_.FindClusterQueue(node.name))
      made.activity = ActivityOf(*queue, cluster_, now_);
    made.quotas = FiguresOf(state_.forest, id, lent_, counts_.PendingIn(id));
    if (const auto found = local_queues_.find(node.name); found != local_queues_.end()) {
      AddLocalQueues(found->second, made.local_queues);
      local_queues_.erase(found);
    }
    return made;
  }

 private:
  // Nodes of a cycle have no tree: their queues are shown as roots.
  bool IsRoot(NodeId id) const {
    const QuotaForest::Node& node = state_.forest.node(id);
    if (node.is_queue) return node.exists && (node.parent.is_none() || !state_.forest.HasTree(id));
    const bool is_used = node.exists || !node.child_cohorts.empty() || !node.child_queues.empty();
    return is_used && node.parent.is_none();
  }

  void AddTo(std::vector<TreeNode>& nodes, NodeId id) {
    const QuotaForest::Node& node = state_.forest.node(id);
    if (node.is_queue) {
      if (viewer_.sees_cluster_queues) nodes.push_back(MakeClusterQueue(id));
      return;
    }
    TreeNode cohort = MakeCohort(id);
    if (viewer_.sees_cohorts) return nodes.push_back(std::move(cohort));
    std::ranges::move(cohort.children, std::back_inserter(nodes));
  }

  TreeNode MakeCohort(NodeId id) {
    const QuotaForest::Node& node = state_.forest.node(id);
    TreeNode made = NodeOf(id);
    made.is_cohort = true;
    for (const NodeId child : node.child_cohorts) AddTo(made.children, child);
    for (const NodeId child : node.child_queues) AddTo(made.children, child);
    PendingAmounts pending;
    AddBelow(id, made.counts, pending);
    made.quotas = FiguresOf(state_.forest, id, lent_, pending);
    return made;
  }

  void AddLocalQueues(const std::vector<const api::LocalQueue*>& queues,
                      std::vector<LocalQueueNode>& to) const {
    for (const api::LocalQueue* queue : queues)
      to.push_back(MakeLocalQueueNode(cluster_, *queue, counts_, now_));
  }

  void AddBelow(NodeId id, Counts& counts, PendingAmounts& pending) const {
    const QuotaForest::Node& node = state_.forest.node(id);
    for (const NodeId child : node.child_cohorts) AddBelow(child, counts, pending);
    for (const NodeId queue : node.child_queues) {
      counts += counts_.OfClusterQueue(queue);
      for (const auto& [pair, amount] : counts_.PendingIn(queue))
        pending[pair] = quantity::SaturatingAdd(pending[pair], amount);
    }
  }

  TreeNode NodeOf(NodeId id) const {
    TreeNode made{.name = state_.forest.node(id).name};
    if (state_.options.fair_sharing && state_.forest.HasTree(id))
      made.weighted_share = engine::RoundedShare(engine::ShareOf(state_.forest, id));
    return made;
  }

  const workload::ClusterState& cluster_;
  const engine::State& state_;
  const Viewer& viewer_;
  base::Time now_;
  WorkloadCounts counts_;
  LentQuota lent_;
  // By ClusterQueue, those that the viewer may see and that are in no node yet.
  std::map<std::string, std::vector<const api::LocalQueue*>, std::less<>> local_queues_;
};

void WriteLocalQueues(const std::vector<LocalQueueNode>& queues, schema::JsonWriter& w) {
  w.Key("localQueues").BeginArray();
  for (const LocalQueueNode& queue : queues) {
    w.BeginObject();
    WriteMembers(queue, w);
    w.EndObject();
  }
  w.EndArray();
}

}  // namespace

LocalQueueNode MakeLocalQueueNode(const workload::ClusterState& cluster,
                                  const api::LocalQueue& queue, const WorkloadCounts& counts,
                                  base::Time now) {
  return {.namespace_ = queue.metadata.namespace_,
          .name = queue.metadata.name,
          .cluster_queue = queue.spec.cluster_queue.value_or(""),
          .activity = ActivityOf(queue, cluster, now),
          .counts = counts.OfLocalQueue(workload::NamespacedName(queue.metadata))};
}

Tree MakeTree(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now) {
  return TreeMaker(cluster, viewer, now).Make();
}

std::optional<TreeNode> MakeClusterQueueNode(const workload::ClusterState& cluster,
                                             std::string_view name, const Viewer& viewer,
                                             base::Time now) {
  const NodeId id = cluster.engine().FindClusterQueue(name);
  if (id.is_none() || cluster.FindClusterQueue(name) == nullptr) return std::nullopt;
  return TreeMaker(cluster, viewer, now).MakeClusterQueue(id);
}

void WriteMembers(const Activity& activity, schema::JsonWriter& w) {
  w.Member("active", activity.is_active);
  if (!activity.reason.empty()) w.Member("inactiveReason", activity.reason);
  if (!activity.stop_policy.empty()) w.Member("stopPolicy", activity.stop_policy);
}

void WriteMembers(const LocalQueueNode& queue, schema::JsonWriter& w) {
  w.Member("namespace", queue.namespace_).Member("name", queue.name);
  w.Member("clusterQueue", queue.cluster_queue);
  WriteMembers(queue.activity, w);
  WriteMembers(queue.counts, w);
}

void WriteMembers(const TreeNode& node, schema::JsonWriter& w) {
  w.Member("kind", node.is_cohort ? "Cohort" : "ClusterQueue").Member("name", node.name);
  WriteMembers(node.activity, w);
  WriteMembers(node.counts, w);
  if (node.weighted_share) w.Member("weightedShare", *node.weighted_share);
  w.Key("quotas").BeginArray();
  for (const QuotaFigures& figures : node.quotas) Write(figures, w);
  w.EndArray();
  if (!node.is_cohort) return WriteLocalQueues(node.local_queues, w);
  w.Key("children").BeginArray();
  for (const TreeNode& child : node.children) {
    w.BeginObject();
    WriteMembers(child, w);
    w.EndObject();
  }
  w.EndArray();
}

std::string ToJson(const Tree& tree, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision).Key("roots").BeginArray();
  for (const TreeNode& root : tree.roots) {
    w.BeginObject();
    WriteMembers(root, w);
    w.EndObject();
  }
  w.EndArray();
  WriteLocalQueues(tree.local_queues, w);
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query
