#include "engine/topology/topology_forest.h"

#include <algorithm>
#include <utility>

#include "engine/topology/topology_spec.h"

namespace berth::engine {
namespace {

constexpr uint64_t kRankStep = uint64_t{1} << 32;

}  // namespace

TopologyForest::TopologyForest(std::vector<std::string> levels, UsageArrays usage, size_t columns,
                               LabelNames& names)
    : levels_(std::move(levels)),
      usage_(usage),
      names_(names),
      is_hostname_lowest_(!levels_.empty() && levels_.back() == kHostnameLevel),
      by_level_(levels_.size()),
      capacity_(columns) {}

TopologyForest::~TopologyForest() {
  for (const Domain& domain : domains_) names_.Release(domain.value);
}

int32_t TopologyForest::LevelOf(std::string_view label) const {
  const auto at = std::ranges::find(levels_, label);
  return at == levels_.end() ? -1 : static_cast<int32_t>(at - levels_.begin());
}

bool TopologyForest::ComesBefore(DomainIndex a, DomainIndex b) const {
  if (a == b) return false;
  while (domains_[a].parent != domains_[b].parent) {
    a = domains_[a].parent;
    b = domains_[b].parent;
  }
  return domains_[a].rank < domains_[b].rank;
}

DomainIndex TopologyForest::AncestorAt(DomainIndex index, size_t level) const {
  while (domains_[index].level > level) index = domains_[index].parent;
  return index;
}

DomainIndex TopologyForest::FindLeaf(DomainPathId path) const {
  if (path.is_none() || path.index() >= leaf_of_path_.size()) return kNoDomain;
  const LeafIndex leaf = leaf_of_path_[path.index()];
  if (leaf == kNoDomain || !Exists(leaf_domains_[leaf])) return kNoDomain;
  return leaf_domains_[leaf];
}

ClusterNodeId TopologyForest::FirstNodeOf(LeafIndex leaf) const { return first_nodes_[leaf]; }

ClusterNodeId TopologyForest::OtherNodeOf(LeafIndex leaf, ClusterNodeId node) const {
  return first_nodes_[leaf] == node ? other_nodes_.at(leaf).front() : first_nodes_[leaf];
}

// --- Domains -------------------------------------------------------------------------------------

// Gives the domain at this place a rank between its neighbours. Ranks leave gaps, so that a new
// domain rarely changes those of its siblings.
void TopologyForest::Rank(std::span<const DomainIndex> siblings, size_t place) {
  const uint64_t low = place == 0 ? 0 : domains_[siblings[place - 1]].rank;
  const uint64_t rank = place + 1 == siblings.size()
                            ? low + kRankStep
                            : low + (domains_[siblings[place + 1]].rank - low) / 2;
  domains_[siblings[place]].rank = rank;
  if (rank > low) return;
  uint64_t next = 0;
  for (const DomainIndex sibling : siblings) domains_[sibling].rank = next += kRankStep;
}

DomainIndex TopologyForest::FindOrAdd(DomainIndex parent, uint32_t level, LabelNameId value) {
  const std::vector<DomainIndex>& siblings = ChildrenOf(parent);
  const auto at = std::ranges::lower_bound(
      siblings, names_.Name(value), {},
      [&](DomainIndex sibling) -> const std::string& { return ValueOf(sibling); });
  if (at != siblings.end() && domains_[*at].value == value) return *at;
  const auto place = at - siblings.begin();
  const auto index = static_cast<DomainIndex>(domains_.size());
  domains_.push_back(
      {.parent = parent, .level = level, .children = {}, .value = names_.Acquire(value)});
  by_level_[level].push_back(index);
  std::vector<DomainIndex>& children = ChildrenOf(parent);  // domains_ may have moved
  children.insert(children.begin() + place, index);
  Rank(children, static_cast<size_t>(place));
  return index;
}

void TopologyForest::CountNodes(DomainIndex domain, int32_t change) {
  for (; domain != kNoDomain; domain = domains_[domain].parent)
    domains_[domain].nodes += static_cast<uint32_t>(change);
}

// --- Leaves --------------------------------------------------------------------------------------

LeafIndex TopologyForest::LeafOf(DomainIndex domain, DomainPathId path) {
  if (domains_[domain].leaf != kNoDomain) return domains_[domain].leaf;
  const auto leaf = static_cast<LeafIndex>(leaf_domains_.size());
  domains_[domain].leaf = leaf;
  leaf_domains_.push_back(domain);
  leaf_paths_.push_back(path);
  leaf_versions_.push_back(0);
  leaf_node_counts_.push_back(0);
  first_nodes_.emplace_back();
  capacity_.GrowTo(leaf + 1);
  return leaf;
}

void TopologyForest::AddToLeaf(LeafIndex leaf, ClusterNodeId node) {
  if (leaf_node_counts_[leaf]++ == 0) {
    first_nodes_[leaf] = node;
    ++existing_leaves_;
    return;
  }
  if (node < first_nodes_[leaf]) std::swap(node, first_nodes_[leaf]);
  std::vector<ClusterNodeId>& others = other_nodes_[leaf];
  others.insert(std::ranges::lower_bound(others, node), node);
}

void TopologyForest::TakeFromLeaf(LeafIndex leaf, ClusterNodeId node) {
  if (--leaf_node_counts_[leaf] == 0) {
    first_nodes_[leaf] = ClusterNodeId::None();
    --existing_leaves_;
    return;
  }
  const auto others = other_nodes_.find(leaf);
  if (first_nodes_[leaf] == node) {
    first_nodes_[leaf] = others->second.front();
    others->second.erase(others->second.begin());
  } else {
    others->second.erase(std::ranges::find(others->second, node));
  }
  if (others->second.empty()) other_nodes_.erase(others);
}

LeafIndex TopologyForest::AddNode(ClusterNodeId node, std::span<const LabelNameId> values,
                                  DomainPathId path) {
  DomainIndex domain = is_hostname_lowest_ ? FindLeaf(path) : kNoDomain;
  if (domain == kNoDomain) {
    for (uint32_t level = 0; level < values.size(); ++level)
      domain = FindOrAdd(domain, level, values[level]);
  }
  const LeafIndex leaf = LeafOf(domain, path);
  if (leaf_of_path_.size() <= path.index()) leaf_of_path_.resize(path.index() + 1, kNoDomain);
  leaf_of_path_[path.index()] = leaf;
  AddToLeaf(leaf, node);
  CountNodes(domain, 1);
  NodeChanged(leaf);
  return leaf;
}

void TopologyForest::RemoveNode(ClusterNodeId node, LeafIndex leaf) {
  TakeFromLeaf(leaf, node);
  CountNodes(leaf_domains_[leaf], -1);
  NodeChanged(leaf);
}

}  // namespace berth::engine
