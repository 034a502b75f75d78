#include "workload/state/node_cache.h"

#include <algorithm>
#include <vector>

#include "api/kueue/well_known.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"

namespace berth::workload {
namespace {

void AddTo(std::vector<engine::Request>& sum, const std::vector<engine::Request>& more) {
  for (const engine::Request& request : more) {
    const auto known = std::ranges::find(sum, request.resource, &engine::Request::resource);
    if (known == sum.end())
      sum.push_back(request);
    else
      known->amount = quantity::SaturatingAdd(known->amount, request.amount);
  }
}

}  // namespace

void NodeCache::Upsert(const api::Node& node) {
  nodes_.Insert(node.metadata.name).object = node;
  changed_nodes_.insert(node.metadata.name);
}

void NodeCache::EraseNode(std::string_view name) {
  if (nodes_.Erase(name)) changed_nodes_.emplace(name);
}

void NodeCache::Upsert(const api::Pod& pod) {
  const std::string name = NamespacedName(pod.metadata);
  ErasePod(name);
  const bool is_placed_here = pod.metadata.labels.Contains(api::kTopologyLabel);
  if (is_placed_here || !OccupiesNode(pod)) return;
  pods_.Insert(name).object = pod;
  pods_of_[pod.spec.node_name].insert(name);
  nodes_with_changed_pods_.insert(pod.spec.node_name);
}

void NodeCache::ErasePod(std::string_view namespaced_name) {
  const api::Pod* known = pods_.Find(namespaced_name);
  if (known == nullptr) return;
  pods_of_[known->spec.node_name].erase(std::string(namespaced_name));
  nodes_with_changed_pods_.insert(known->spec.node_name);
  pods_.Erase(namespaced_name);
}

void NodeCache::SetUsage(const std::string& node, engine::Engine& engine) {
  std::vector<engine::Request> sum;
  for (const std::string& pod : pods_of_[node])
    AddTo(sum, NodeRequests(pods_.Find(pod)->spec, engine));
  engine.SetOtherNodeUsage(node, sum);
}

void NodeCache::Sync(engine::Engine& engine) {
  for (const std::string& name : changed_nodes_) {
    if (const api::Node* node = nodes_.Find(name))
      matches_.SetNode(engine.SetNode(ToEngine(*node, engine)), NodeProfile::From(*node));
    else
      engine.RemoveNode(name);
  }
  for (const std::string& node : nodes_with_changed_pods_) SetUsage(node, engine);
}

void NodeCache::ClearChanges() {
  changed_nodes_.clear();
  nodes_with_changed_pods_.clear();
  flavors_.clear();
  topologies_.clear();
}

}  // namespace berth::workload
