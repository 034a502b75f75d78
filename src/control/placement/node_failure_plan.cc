#include "control/placement/node_failure_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "control/placement/pod_tolerations.h"
#include "lifecycle/eviction_event.h"
#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace messages = lifecycle::messages;

constexpr base::Duration kNotReadyLimit = base::Duration::Seconds(30);

enum class NodeVerdict : uint8_t { kSound, kUndecided, kFailed };

bool HasHostLevel(const api::TopologyAssignment& assignment) {
  return !assignment.levels.empty() && assignment.levels.back() == api::kHostnameLabel;
}

bool IsWaitingToStart(const PlacedPod& pod) {
  return pod.node.empty() && !pod.IsGated() && !pod.is_terminating && pod.phase == api::kPodPending;
}

bool Contains(const std::vector<std::string>& pod_sets, std::string_view pod_set) {
  return std::ranges::find(pod_sets, pod_set) != pod_sets.end();
}

bool HasNodes(const AssignedNodes& nodes, std::string_view pod_set) {
  return std::ranges::any_of(nodes,
                             [&](const auto& node) { return Contains(node.second, pod_set); });
}

// Whether the pod waits to start on a node of its pod set.
bool IsAwaited(const PlacedPod& pod, const AssignedNodes& nodes) {
  const auto host = IsWaitingToStart(pod) ? nodes.find(pod.PinnedNode()) : nodes.end();
  return host != nodes.end() && Contains(host->second, pod.pod_set);
}

class NodeFailurePlanner {
 public:
  NodeFailurePlanner(const api::Workload& workload, const NodeFailureContext& context,
                     const NodeFailurePolicy& policy, base::Time now)
      : context_(context), policy_(policy), now_(now) {
    plan_.workload.workload = workload;
    plan_.workload.reporter = kNodeFailureReporter;
  }

  NodeFailurePlan Run() {
    for (const auto& [name, pod] : context_.pods) {
      if (!pod.node.empty()) (pod.is_terminating ? left_ : running_).insert(pod.node);
      if (IsWaitingToStart(pod)) awaited_.insert(pod.PinnedNode());
    }
    for (const auto& [host, pod_sets] : context_.nodes) verdicts_[host] = VerdictOf(host, pod_sets);
    for (const auto& [host, verdict] : verdicts_)
      if (verdict == NodeVerdict::kFailed) plan_.failed.emplace(host);
    const std::vector<api::UnhealthyNode> unhealthy = UnhealthyNodes();
    if (unhealthy.size() > 1 && HasNewFailure())
      Evict(unhealthy);
    else
      Report(unhealthy);
    return std::move(plan_);
  }

 private:
  api::Workload& w() { return plan_.workload.workload; }

  NodeVerdict VerdictIn(std::string_view host) const {
    const auto verdict = verdicts_.find(host);
    return verdict == verdicts_.end() ? NodeVerdict::kSound : verdict->second;
  }

  // --- One node ----------------------------------------------------------------------------------

  NodeVerdict VerdictOf(const std::string& host, const std::vector<std::string>& pod_sets) {
    const NodeHealth* node = context_.find_node(host);
    if (node == nullptr || node->readiness == NodeHealth::Readiness::kUnreported)
      return NodeVerdict::kFailed;
    if (node->readiness == NodeHealth::Readiness::kNotReady) return VerdictOfNotReady(*node);
    return policy_.minds_taints ? VerdictOfTainted(host, *node, pod_sets) : NodeVerdict::kSound;
  }

  NodeVerdict VerdictOfNotReady(const NodeHealth& node) {
    const base::Time limit = node.not_ready_since + kNotReadyLimit;
    const bool has_limit = policy_.limits_not_ready || !policy_.awaits_pods;
    if (has_limit && limit <= now_) return NodeVerdict::kFailed;
    if (has_limit) ReplanAt(limit);
    if (!policy_.awaits_pods) return NodeVerdict::kUndecided;
    return HasProgress(node) ? NodeVerdict::kSound : NodeVerdict::kFailed;
  }

  NodeVerdict VerdictOfTainted(const std::string& host, const NodeHealth& node,
                               const std::vector<std::string>& pod_sets) {
    if (node.taints.empty()) return NodeVerdict::kSound;
    if (!tolerations_) tolerations_ = PodTolerations::Of(w(), context_.find_flavor);
    switch (tolerations_->To(node, pod_sets)) {
      case Tolerance::kForGood:
        return NodeVerdict::kSound;
      case Tolerance::kForLimitedTime:
        return IsDeserted(host, node) ? NodeVerdict::kFailed : NodeVerdict::kSound;
      case Tolerance::kNone:
        break;
    }
    return policy_.awaits_pods && HasProgress(node) ? NodeVerdict::kSound : NodeVerdict::kFailed;
  }

  // --- Its pods ----------------------------------------------------------------------------------

  bool HasProgress(const NodeHealth& node) const { return running_.contains(node.name); }

  bool IsDeserted(const std::string& host, const NodeHealth& node) const {
    return left_.contains(node.name) && !running_.contains(node.name) && !awaited_.contains(host);
  }

  // --- The Workload ------------------------------------------------------------------------------

  bool IsListed(std::string_view host) {
    return std::ranges::find(w().status.unhealthy_nodes, host, &api::UnhealthyNode::name) !=
           w().status.unhealthy_nodes.end();
  }
  bool IsNewFailure(const std::string& host) {
    return !IsListed(host) && !context_.reported.contains(host);
  }
  bool HasNewFailure() {
    return std::ranges::any_of(plan_.failed, [&](const auto& host) { return IsNewFailure(host); });
  }

  // The listed ones that have not recovered, and those that failed now.
  std::vector<api::UnhealthyNode> UnhealthyNodes() {
    std::vector<api::UnhealthyNode> nodes = w().status.unhealthy_nodes;
    std::erase_if(nodes,
                  [&](const auto& node) { return VerdictIn(node.name) == NodeVerdict::kSound; });
    for (const std::string& host : plan_.failed)
      if (IsNewFailure(host)) nodes.push_back({.name = host, .extra = {}});
    return nodes;
  }

  void Evict(const std::vector<api::UnhealthyNode>& nodes) {
    std::vector<std::string> names;
    for (const api::UnhealthyNode& node : nodes) names.push_back(node.name);
    const workload::Eviction eviction{.reason = api::reason::kNodeFailures,
                                      .cause = "",
                                      .message = messages::SeveralNodeFailures(names)};
    workload::MarkEvicted(w(), eviction, now_);
    plan_.workload.write = lifecycle::WorkloadPlan::Write::kStatus;
    plan_.workload.events.push_back(lifecycle::EvictionEvent(eviction));
  }

  void Report(const std::vector<api::UnhealthyNode>& nodes) {
    if (nodes != w().status.unhealthy_nodes) {
      w().status.unhealthy_nodes = nodes;
      plan_.workload.write = lifecycle::WorkloadPlan::Write::kStatus;
    }
    for (const auto& [name, pod] : context_.pods) LosePod(name, pod);
  }

  void LosePod(const std::string& name, const PlacedPod& pod) {
    const std::string host(pod.PinnedNode());
    if (IsLost(pod, context_.nodes))
      plan_.lost_pods.push_back({name, messages::NodeLeftAssignment(host)});
    else if (plan_.failed.contains(host) && IsAwaited(pod, context_.nodes))
      plan_.lost_pods.push_back({name, messages::NodeFailedBeforeStart(host)});
  }

  void ReplanAt(base::Time when) {
    auto& at = plan_.workload.requeue_at;
    if (!at || when < *at) at = when;
  }

  const NodeFailureContext& context_;
  const NodeFailurePolicy& policy_;
  const base::Time now_;
  NodeFailurePlan plan_;
  std::map<std::string, NodeVerdict, std::less<>> verdicts_;
  // Nodes with pods that run, and with pods that are being deleted; hosts that pods wait for.
  std::set<std::string_view> running_, left_, awaited_;
  std::optional<PodTolerations> tolerations_;
};

}  // namespace

AssignedNodes NodesOf(const api::Workload& workload) {
  AssignedNodes nodes;
  if (!workload.status.admission || !workload::HasReservation(workload) ||
      workload::IsFinished(workload) || workload::IsEvicted(workload) ||
      workload.status.cluster_name)
    return nodes;
  for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    if (!assignment.topology_assignment || !HasHostLevel(*assignment.topology_assignment)) continue;
    for (api::TopologyDomain& domain :
         api::UnpackTopologyAssignment(*assignment.topology_assignment))
      if (domain.count > 0) nodes[std::move(domain.values.back())].push_back(assignment.name);
  }
  return nodes;
}

bool IsLost(const PlacedPod& pod, const AssignedNodes& nodes) {
  return IsWaitingToStart(pod) && !pod.PinnedNode().empty() && !IsAwaited(pod, nodes) &&
         HasNodes(nodes, pod.pod_set);
}

NodeFailurePlan PlanNodeFailures(const api::Workload& workload, const NodeFailureContext& context,
                                 const NodeFailurePolicy& policy, base::Time now) {
  return NodeFailurePlanner(workload, context, policy, now).Run();
}

}  // namespace berth::control
