#include "embedded/nodes/node_room.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "embedded/nodes/node_lifecycle.h"
#include "quantity/amount.h"
#include "workload/convert/convert_topology.h"
#include "workload/requests/pod_requests.h"

namespace berth::embedded {
namespace {

constexpr std::string_view kPods = "pods";

workload::Requests RequestsOf(const api::PodSpec& pod) {
  workload::Requests requests = workload::ToRequests(workload::PodRequests(pod));
  requests.Set(kPods, 1);
  return requests;
}

void Subtract(workload::Requests& sum, const workload::Requests& part) {
  for (const auto& [resource, amount] : part)
    sum[resource] = quantity::SaturatingSub(sum[resource], amount);
}

}  // namespace

std::string NodeChoice::Message() const {
  if (nodes == 0) return "there is no node";
  return "none of " + std::to_string(nodes) +
         " nodes has a place for the pod: " + std::to_string(unavailable) +
         " are not ready or not schedulable, " + std::to_string(tainted) +
         " have a taint that it does not tolerate, " + std::to_string(unmatched) +
         " do not match its node selector or affinity, " + std::to_string(full) + " are full";
}

// --- Nodes and pods ------------------------------------------------------------------------------

void NodeRoom::Set(const api::Node& node) {
  const std::string& name = node.metadata.name;
  Remove(name);
  Node& known = nodes_[name];
  known = {.profile = workload::NodeProfile::From(node),
           .host = workload::HostOf(node),
           .allocatable = workload::ToRequests(node.status.allocatable),
           .is_available = IsReady(node) && !node.spec.unschedulable};
  hosts_[known.host].insert(name);
}

void NodeRoom::Remove(std::string_view node) {
  const auto known = nodes_.find(node);
  if (known == nodes_.end()) return;
  const auto host = hosts_.find(known->second.host);
  host->second.erase(known->first);
  if (host->second.empty()) hosts_.erase(host);
  nodes_.erase(known);
}

bool NodeRoom::SetPod(const std::string& name, const api::Pod& pod) {
  if (pod.spec.node_name.empty() && IsAssumed(name, pod)) return false;
  const bool occupies = workload::OccupiesNode(pod);
  const auto known = pods_.find(name);
  if (known != pods_.end() && occupies && known->second.node == pod.spec.node_name) {
    known->second.assumed_uid.clear();
    return false;
  }
  const bool has_freed = RemovePod(name);
  if (occupies)
    Take(name, {.node = pod.spec.node_name, .requests = RequestsOf(pod.spec), .assumed_uid = ""});
  return has_freed;
}

void NodeRoom::Assume(const std::string& name, const api::Pod& pod, const std::string& node) {
  RemovePod(name);
  Take(name, {.node = node, .requests = RequestsOf(pod.spec), .assumed_uid = pod.metadata.uid});
}

bool NodeRoom::IsAssumed(const std::string& name, const api::Pod& pod) const {
  const auto known = pods_.find(name);
  return known != pods_.end() && !known->second.assumed_uid.empty() &&
         known->second.assumed_uid == pod.metadata.uid;
}

bool NodeRoom::Forget(const std::string& name) {
  const auto known = pods_.find(name);
  return known != pods_.end() && !known->second.assumed_uid.empty() && RemovePod(name);
}

void NodeRoom::Take(const std::string& pod, Usage usage) {
  workload::AddTo(used_[usage.node], usage.requests);
  pods_.insert_or_assign(pod, std::move(usage));
}

bool NodeRoom::RemovePod(const std::string& name) {
  const auto known = pods_.find(name);
  if (known == pods_.end()) return false;
  Subtract(used_[known->second.node], known->second.requests);
  pods_.erase(known);
  return true;
}

// --- Choices -------------------------------------------------------------------------------------

bool NodeRoom::HasRoom(const Nodes::value_type& node, const workload::Requests& requests) const {
  const auto used = used_.find(node.first);
  return std::ranges::all_of(requests, [&](const auto& request) {
    const int64_t taken = used == used_.end() ? 0 : used->second.ValueOrEmpty(request.first);
    return request.second == 0 || quantity::SaturatingAdd(taken, request.second) <=
                                      node.second.allocatable.ValueOrEmpty(request.first);
  });
}

bool NodeRoom::Accepts(const Nodes::value_type& node,
                       const workload::NodeRequirements& requirements,
                       const workload::Requests& requests, NodeChoice& choice) const {
  if (!node.second.is_available) {
    ++choice.unavailable;
    return false;
  }
  const engine::NodeMatch match = workload::MatchNode(requirements, {}, node.second.profile);
  if (!match.is_match()) {
    ++(match.why == engine::NodeExclusion::kTaint ? choice.tainted : choice.unmatched);
    return false;
  }
  if (HasRoom(node, requests)) return true;
  ++choice.full;
  return false;
}

NodeChoice NodeRoom::Choose(const api::PodSpec& pod) {
  const workload::NodeRequirements requirements = workload::NodeRequirements::From(pod);
  const workload::Requests requests = RequestsOf(pod);
  NodeChoice choice{.nodes = nodes_.size()};
  const auto takes = [&](const Nodes::value_type& node) {
    if (!Accepts(node, requirements, requests, choice)) return false;
    choice.node = last_choice_ = node.first;
    return true;
  };
  // Pods of a placed workload name their node.
  if (const std::string* host = requirements.node_selector.Find(api::kHostnameLabel)) {
    const auto named = hosts_.find(*host);
    const size_t count = named == hosts_.end() ? 0 : named->second.size();
    choice.unmatched = nodes_.size() - count;
    if (count > 0)
      for (const std::string& name : named->second)
        if (takes(*nodes_.find(name))) break;
    return choice;
  }
  const auto start = nodes_.upper_bound(last_choice_);
  for (auto node = start; node != nodes_.end(); ++node)
    if (takes(*node)) return choice;
  for (auto node = nodes_.begin(); node != start; ++node)
    if (takes(*node)) return choice;
  return choice;
}

}  // namespace berth::embedded
