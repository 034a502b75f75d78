#include "engine/topology/topology_forest.h"

#include <algorithm>
#include <iterator>

#include "engine/topology/topology_spec.h"

namespace berth::engine {
namespace {

constexpr uint64_t kRankStep = uint64_t{1} << 32;

}  // namespace

TopologyForest::TopologyForest(std::vector<std::string> levels, UsageArrays usage, size_t columns)
    : levels_(std::move(levels)),
      usage_(usage),
      is_hostname_lowest_(!levels_.empty() && levels_.back() == kHostnameLevel),
      by_level_(levels_.size()),
      capacity_(columns) {}

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

ClusterNodeId TopologyForest::FirstNodeOf(LeafIndex leaf) const {
  return leaf_nodes_[leaf].empty() ? ClusterNodeId::None() : leaf_nodes_[leaf].front();
}

// --- Domains -------------------------------------------------------------------------------------

// Ranks leave gaps, so that a new domain rarely changes those of its siblings.
uint64_t TopologyForest::RankOf(DomainIndex parent, const std::string& value) {
  const auto next = ids_.lower_bound(Key{parent, value});
  const bool has_next = next != ids_.end() && next->first.first == parent;
  const bool has_previous = next != ids_.begin() && std::prev(next)->first.first == parent;
  const uint64_t low = has_previous ? domains_[std::prev(next)->second].rank : 0;
  if (!has_next) return low + kRankStep;
  const uint64_t high = domains_[next->second].rank;
  return low + (high - low) / 2;
}

void TopologyForest::Renumber(DomainIndex parent) {
  uint64_t rank = 0;
  for (auto at = ids_.lower_bound(Key{parent, std::string()});
       at != ids_.end() && at->first.first == parent; ++at)
    domains_[at->second].rank = rank += kRankStep;
}

DomainIndex TopologyForest::FindOrAdd(DomainIndex parent, uint32_t level, std::string_view value) {
  Key key{parent, std::string(value)};
  if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
  const auto index = static_cast<DomainIndex>(domains_.size());
  const uint64_t rank = RankOf(parent, key.second);
  domains_.push_back({.parent = parent,
                      .level = level,
                      .rank = rank,
                      .children = {},
                      .value = std::string(value)});
  by_level_[level].push_back(index);
  if (parent != kNoDomain) domains_[parent].children.push_back(index);
  const auto at = ids_.emplace(std::move(key), index).first;
  const bool has_gap = at == ids_.begin() || std::prev(at)->first.first != parent ||
                       domains_[std::prev(at)->second].rank < rank;
  if (!has_gap || rank == 0) Renumber(parent);
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
  leaf_nodes_.emplace_back();
  capacity_.GrowTo(leaf + 1);
  return leaf;
}

LeafIndex TopologyForest::AddNode(ClusterNodeId node, std::span<const std::string_view> values,
                                  DomainPathId path) {
  DomainIndex domain = is_hostname_lowest_ ? FindLeaf(path) : kNoDomain;
  if (domain == kNoDomain) {
    for (uint32_t level = 0; level < values.size(); ++level)
      domain = FindOrAdd(domain, level, values[level]);
  }
  const LeafIndex leaf = LeafOf(domain, path);
  if (leaf_of_path_.size() <= path.index()) leaf_of_path_.resize(path.index() + 1, kNoDomain);
  leaf_of_path_[path.index()] = leaf;
  std::vector<ClusterNodeId>& nodes = leaf_nodes_[leaf];
  nodes.insert(std::ranges::lower_bound(nodes, node), node);
  ++leaf_node_counts_[leaf];
  CountNodes(domain, 1);
  NodeChanged(leaf);
  return leaf;
}

void TopologyForest::RemoveNode(ClusterNodeId node, LeafIndex leaf) {
  std::erase(leaf_nodes_[leaf], node);
  --leaf_node_counts_[leaf];
  CountNodes(leaf_domains_[leaf], -1);
  NodeChanged(leaf);
}

}  // namespace berth::engine
