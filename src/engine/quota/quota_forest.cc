#include "engine/quota/quota_forest.h"

#include <algorithm>

#include "base/fnv.h"

namespace berth::engine {

using quantity::Max;
using quantity::Min;

ResourceId QuotaForest::Resource(std::string_view name) {
  const ResourceId id = resources_.Intern(name);
  if (id.index() == resource_ranks_.size()) resource_ranks_.push_back(base::Fnv1a(name));
  return id;
}

FlavorResourceId QuotaForest::FlavorResource(FlavorId flavor, ResourceId resource) {
  const auto [it, is_new] = flavor_resource_ids_.try_emplace(
      {flavor, resource}, FlavorResourceId(static_cast<uint32_t>(flavor_resources_.size())));
  if (is_new) flavor_resources_.push_back({flavor, resource});
  return it->second;
}

NodeId QuotaForest::NewNode(std::string_view name, bool is_queue) {
  const NodeId id(static_cast<uint32_t>(nodes_.size()));
  nodes_.emplace_back();
  nodes_.back().name = name;
  nodes_.back().is_queue = is_queue;
  return id;
}

NodeId QuotaForest::CohortNode(std::string_view name) {
  if (auto it = cohort_ids_.find(name); it != cohort_ids_.end()) return it->second;
  const NodeId id = NewNode(name, false);
  cohort_ids_.emplace(name, id);
  return id;
}

NodeId QuotaForest::SetQueue(const ClusterQueueSpec& spec) {
  auto it = queue_ids_.find(spec.name);
  if (it == queue_ids_.end()) it = queue_ids_.emplace(spec.name, NewNode(spec.name, true)).first;
  const NodeId id = it->second;
  nodes_[id.index()].exists = true;
  nodes_[id.index()].is_active = spec.is_active;
  configured_[id] = {id, spec.cohort, spec.groups, spec.fair_weight};
  is_dirty_ = true;
  return id;
}

void QuotaForest::RemoveQueue(NodeId queue) {
  nodes_[queue.index()].exists = false;
  configured_.erase(queue);
  is_dirty_ = true;
}

NodeId QuotaForest::SetCohort(const CohortSpec& spec) {
  const NodeId id = CohortNode(spec.name);
  nodes_[id.index()].exists = true;
  configured_[id] = {id, spec.parent, spec.groups, spec.fair_weight};
  is_dirty_ = true;
  return id;
}

void QuotaForest::RemoveCohort(std::string_view name) {
  auto it = cohort_ids_.find(name);
  if (it == cohort_ids_.end()) return;
  nodes_[it->second.index()].exists = false;
  configured_.erase(it->second);
  is_dirty_ = true;
}

NodeId QuotaForest::FindQueue(std::string_view name) const {
  auto it = queue_ids_.find(name);
  return it != queue_ids_.end() && node(it->second).exists ? it->second : NodeId::None();
}

NodeId QuotaForest::FindCohort(std::string_view name) const {
  auto it = cohort_ids_.find(name);
  return it == cohort_ids_.end() ? NodeId::None() : it->second;
}

// --- Rebuild -------------------------------------------------------------------------------------

void QuotaForest::Rebuild(std::span<const QueueUsage> usage) {
  CHECK(open_trials_ == 0);
  LinkNodes();
  given_usage_.assign(nodes_.size(), {});
  for (const QueueUsage& u : usage)
    given_usage_[u.queue.index()].push_back({u.flavor_resource, u.amount});
  MarkCycles();
  trees_.clear();
  cells_.clear();
  lendable_.clear();
  // By name, so that the numbering does not depend on the order of events.
  for (const auto* ids : {&cohort_ids_, &queue_ids_}) {
    for (const auto& [name, id] : *ids) {
      const Node& n = node(id);
      const bool is_used =
          n.is_queue ? n.exists : n.exists || !n.child_cohorts.empty() || !n.child_queues.empty();
      if (is_used && n.parent.is_none() && !n.is_in_cycle) BuildTree(id);
    }
  }
  given_usage_.clear();
  is_dirty_ = false;
}

void QuotaForest::LinkNodes() {
  for (Node& n : nodes_) {
    n.parent = NodeId::None();
    n.child_cohorts.clear();
    n.child_queues.clear();
    n.tree = kNoTree;
    n.height = 0;
    n.is_in_cycle = false;
    n.fair_weight = 1;
  }
  std::vector<std::pair<NodeId, NodeId>> links;
  for (const auto& [id, configured] : configured_) {
    nodes_[id.index()].fair_weight = configured.fair_weight;
    if (!configured.parent.empty()) links.emplace_back(id, CohortNode(configured.parent));
  }
  for (const auto& [child, parent] : links) {
    nodes_[child.index()].parent = parent;
    Node& p = nodes_[parent.index()];
    (node(child).is_queue ? p.child_queues : p.child_cohorts).push_back(child);
  }
  const auto by_name = [&](NodeId a, NodeId b) { return node(a).name < node(b).name; };
  for (Node& n : nodes_) {
    std::ranges::sort(n.child_cohorts, by_name);
    std::ranges::sort(n.child_queues, by_name);
  }
}

void QuotaForest::MarkCycles() {
  for (Node& n : nodes_) {
    // A node that does not reach a root within as many steps as there are nodes is in a cycle or
    // below one.
    NodeId at = n.parent;
    size_t steps = 0;
    while (!at.is_none() && steps <= nodes_.size()) {
      at = node(at).parent;
      ++steps;
    }
    n.is_in_cycle = !at.is_none();
  }
}

void QuotaForest::BuildTree(NodeId root) {
  const auto tree_index = static_cast<uint32_t>(trees_.size());
  trees_.emplace_back();
  std::vector<NodeId> order;  // parents before children
  CollectNodes(root, tree_index, order);
  Tree& t = trees_.back();
  t.root = root;
  ChooseColumns(t, order);
  for (const NodeId id : order) {
    nodes_[id.index()].row = static_cast<uint32_t>(cells_.size());
    cells_.resize(cells_.size() + t.flavor_resources.size());
    SetQuota(id);
    if (node(id).is_queue) t.queues.push_back(id);
  }
  std::ranges::sort(t.queues, [&](NodeId a, NodeId b) { return node(a).name < node(b).name; });
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (HasParent(*it)) Accumulate(node(*it).parent, *it);
  }
  ComputePotential(order);
}

void QuotaForest::CollectNodes(NodeId id, uint32_t tree_index, std::vector<NodeId>& order) {
  Node& n = nodes_[id.index()];
  n.tree = tree_index;
  order.push_back(id);
  const auto is_active = [&](NodeId child) { return node(child).is_active; };
  n.height = !n.child_cohorts.empty() || std::ranges::any_of(n.child_queues, is_active) ? 1 : 0;
  for (const NodeId child : n.child_queues) CollectNodes(child, tree_index, order);
  for (const NodeId child : n.child_cohorts) {
    CollectNodes(child, tree_index, order);
    n.height = std::max(n.height, node(child).height + 1);
  }
}

void QuotaForest::ChooseColumns(Tree& tree, const std::vector<NodeId>& order) {
  for (const NodeId id : order) {
    if (auto it = configured_.find(id); it != configured_.end()) {
      for (const ResourceGroup& group : it->second.groups) {
        for (const FlavorQuotas& flavor : group.flavors) {
          for (const ResourceId resource : group.resources)
            tree.flavor_resources.push_back(FlavorResource(flavor.flavor, resource));
        }
      }
    }
    for (const FlavorResourceAmount& used : given_usage_[id.index()])
      tree.flavor_resources.push_back(used.flavor_resource);
  }
  std::ranges::sort(tree.flavor_resources);
  tree.flavor_resources.erase(std::ranges::unique(tree.flavor_resources).begin(),
                              tree.flavor_resources.end());
  std::ranges::sort(tree.flavor_resources, {}, [&](FlavorResourceId flavor_resource) {
    return std::pair<const std::string&, const std::string&>(
        ResourceName(ResourceOf(flavor_resource)), FlavorName(FlavorOf(flavor_resource)));
  });
  tree.column_of.assign(flavor_resources_.size(), kNoColumn);
  for (ColumnIndex column = 0; column < tree.flavor_resources.size(); ++column) {
    tree.column_of[tree.flavor_resources[column].index()] = column;
    tree.resources.push_back(ResourceOf(tree.flavor_resources[column]));
  }
}

void QuotaForest::SetQuota(NodeId id) {
  for (const FlavorResourceAmount& used : given_usage_[id.index()])
    MutableCell(id, ColumnOf(id, used.flavor_resource)).usage += used.amount;
  auto it = configured_.find(id);
  if (it == configured_.end()) return;
  for (const ResourceGroup& group : it->second.groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (size_t r = 0; r < group.resources.size(); ++r) {
        Cell& c = MutableCell(id, ColumnOf(id, FlavorResource(flavor.flavor, group.resources[r])));
        const Quota& quota = flavor.quotas[r];
        c.nominal = quota.nominal;
        c.borrowing_limit = quota.borrowing_limit;
        c.lending_limit = quota.lending_limit;
        c.subtree_quota = quota.nominal;
        c.is_declared = true;
      }
    }
  }
}

void QuotaForest::Accumulate(NodeId parent, NodeId child) {
  const Tree& t = TreeOf(child);
  for (ColumnIndex column = 0; column < t.flavor_resources.size(); ++column)
    AccumulateCell(MutableCell(parent, column), MutableCell(child, column));
}

// Precondition: the child's own children are accumulated, so its local quota is final.
void QuotaForest::AccumulateCell(Cell& parent, Cell& child) {
  child.local_quota = child.lending_limit.is_unlimited()
                          ? Amount(0)
                          : Max(Amount(0), child.subtree_quota - child.lending_limit);
  if (!child.is_declared && child.usage == 0) return;
  parent.is_declared = parent.is_declared || child.is_declared;
  parent.subtree_quota += child.subtree_quota - child.local_quota;
  parent.usage += Max(Amount(0), child.usage - child.local_quota);
}

void QuotaForest::ComputePotential(const std::vector<NodeId>& order) {
  lendable_.resize(cells_.size());
  for (const NodeId id : order) {
    const Tree& t = TreeOf(id);
    for (ColumnIndex column = 0; column < t.flavor_resources.size(); ++column)
      MutableCell(id, column).potential = PotentialOf(id, column);
    // Columns of one resource are adjacent.
    for (ColumnIndex begin = 0, end = 0; begin < t.flavor_resources.size(); begin = end) {
      while (end < t.flavor_resources.size() && t.resources[end] == t.resources[begin]) ++end;
      ComputeLendable(id, begin, end);
    }
  }
}

// Precondition: the parent's potential is computed.
Amount QuotaForest::PotentialOf(NodeId id, ColumnIndex column) const {
  const Cell& c = cell(id, column);
  if (!HasParent(id)) return c.subtree_quota;
  return Min(c.local_quota + cell(node(id).parent, column).potential,
             c.subtree_quota + c.borrowing_limit);
}

// For the columns of one resource.
void QuotaForest::ComputeLendable(NodeId id, ColumnIndex begin, ColumnIndex end) {
  Amount sum;
  for (ColumnIndex column = begin; column < end; ++column) {
    if (cell(RootOf(id), column).is_declared) sum += cell(id, column).potential;
  }
  for (ColumnIndex column = begin; column < end; ++column) lendable_[node(id).row + column] = sum;
}

// --- Amounts -------------------------------------------------------------------------------------

Amount QuotaForest::Available(NodeId id, ColumnIndex column) const {
  const Cell& c = cell(id, column);
  if (!HasParent(id)) return c.subtree_quota - c.usage;
  Amount from_parent = Available(node(id).parent, column);
  if (!c.borrowing_limit.is_unlimited()) {
    const Amount stored = c.subtree_quota - c.local_quota;
    const Amount used = Max(Amount(0), c.usage - c.local_quota);
    from_parent = Min(from_parent, stored - used + c.borrowing_limit);
  }
  return LocalAvailable(id, column) + from_parent;
}

void QuotaForest::AddUsage(NodeId queue, ColumnIndex column, Amount amount) {
  for (NodeId id = queue;; id = node(id).parent) {
    Cell& c = MutableCell(id, column);
    const Amount local = Max(Amount(0), c.local_quota - c.usage);
    Journal(c);
    c.usage += amount;
    if (!HasParent(id) || amount <= local) return;
    amount -= local;
  }
}

void QuotaForest::RemoveUsage(NodeId queue, ColumnIndex column, Amount amount) {
  for (NodeId id = queue;; id = node(id).parent) {
    Cell& c = MutableCell(id, column);
    const Amount stored_in_parent = c.usage - c.local_quota;
    Journal(c);
    // What is left of a sum that saturated is not known: it stays until the next Rebuild, so that
    // too little is available and never too much.
    if (!c.usage.is_unlimited()) c.usage -= amount;
    if (!HasParent(id) || stored_in_parent <= 0) return;
    amount = Min(amount, stored_in_parent);
  }
}

void UsageTrial::Undo() {
  for (size_t i = forest_.journal_.size(); i > mark_; --i) {
    const QuotaForest::Before& before = forest_.journal_[i - 1];
    forest_.cells_[before.cell].usage = before.usage;
  }
  forest_.journal_.resize(mark_);
}

}  // namespace berth::engine
