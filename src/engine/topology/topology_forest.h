#pragma once

// The domains of one flavor: its nodes, grouped by the values of the topology's levels.
//
// A domain is the path of its values from the widest level down: racks of the same name in two
// blocks are two domains. Nodes with the same path form one leaf; where the lowest level is the
// hostname, a leaf is known by its hostname alone. A domain exists while it has nodes. The capacity
// of a leaf is the sum over its nodes of what is allocatable, less what pods outside of
// topology-aware scheduling request there. It may be negative. A hostname that several nodes have
// says of none of them where its pods run: such a leaf has no capacity (see topologies.cc).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/name_pool.h"
#include "engine/ids.h"
#include "engine/topology/change_log.h"
#include "engine/topology/leaf_usage.h"

namespace berth::engine {

using DomainIndex = uint32_t;
using LeafIndex = uint32_t;
inline constexpr uint32_t kNoDomain = ~uint32_t{0};

// Names of nodes, and keys and values of their labels.
using LabelNameId = base::Id<struct LabelNameTag>;
using LabelNames = base::NamePool<LabelNameId>;

class TopologyForest {
 public:
  struct Domain {
    DomainIndex parent = kNoDomain;
    uint32_t level = 0;
    uint32_t nodes = 0;                 // below it; 0: the domain does not exist now
    LeafIndex leaf = kNoDomain;         // at the lowest level
    uint64_t rank = 0;                  // order of values among its siblings
    std::vector<DomainIndex> children;  // in the order of values
    LabelNameId value;
  };

  // `names` must outlive this.
  TopologyForest(std::vector<std::string> levels, UsageArrays usage, size_t columns,
                 LabelNames& names);
  ~TopologyForest();
  TopologyForest(const TopologyForest&) = delete;
  TopologyForest& operator=(const TopologyForest&) = delete;

  // --- Structure ---------------------------------------------------------------------------------
  size_t level_count() const { return levels_.size(); }
  const std::vector<std::string>& levels() const { return levels_; }
  bool is_hostname_lowest() const { return is_hostname_lowest_; }
  // The arrays of LeafUsage for its leaves.
  const UsageArrays& usage() const { return usage_; }
  // -1 if the topology has no such level.
  int32_t LevelOf(std::string_view label) const;

  const Domain& domain(DomainIndex index) const { return domains_[index]; }
  const std::string& ValueOf(DomainIndex index) const { return names_.Name(domain(index).value); }
  size_t domain_count() const { return domains_.size(); }
  // Including domains that do not exist now.
  const std::vector<DomainIndex>& DomainsAt(size_t level) const { return by_level_[level]; }
  bool Exists(DomainIndex index) const { return domains_[index].nodes > 0; }
  // By the values of their paths, compared as strings from the widest level down. Both domains must
  // be of the same level.
  bool ComesBefore(DomainIndex a, DomainIndex b) const;
  DomainIndex AncestorAt(DomainIndex index, size_t level) const;

  // --- Leaves ------------------------------------------------------------------------------------
  // Including leaves that do not exist now.
  size_t leaf_count() const { return leaf_domains_.size(); }
  size_t existing_leaf_count() const { return existing_leaves_; }
  DomainIndex DomainOf(LeafIndex leaf) const { return leaf_domains_[leaf]; }
  DomainPathId PathOf(LeafIndex leaf) const { return leaf_paths_[leaf]; }
  bool HasNodes(LeafIndex leaf) const { return leaf_node_counts_[leaf] > 0; }
  // kNoDomain if there is no such leaf now.
  DomainIndex FindLeaf(DomainPathId path) const;
  const int64_t* CapacityOf(LeafIndex leaf) const { return capacity_.Row(leaf); }
  // The first node of the leaf, by id; none if it has none.
  ClusterNodeId FirstNodeOf(LeafIndex leaf) const;
  // Another node of the leaf than this one of its nodes; there must be one.
  ClusterNodeId OtherNodeOf(LeafIndex leaf, ClusterNodeId node) const;
  // Changes whenever the nodes of the leaf or their labels and taints do.
  uint32_t VersionOf(LeafIndex leaf) const { return leaf_versions_[leaf]; }

  // --- Nodes -------------------------------------------------------------------------------------
  // `values`: one per level. `path`: what identifies the leaf in placements. A node whose hostname
  // another node has already is in the domain of that node, whatever its other values are.
  LeafIndex AddNode(ClusterNodeId node, std::span<const LabelNameId> values, DomainPathId path);
  void RemoveNode(ClusterNodeId node, LeafIndex leaf);
  void AddCapacity(LeafIndex leaf, NodeColumn column, base::Int128 amount) {
    capacity_.Add(leaf, column, amount);
    changes_.Add(leaf);
  }
  void AddColumn() { capacity_.AddColumn(); }
  // The leaves whose nodes or capacity changed.
  const ChangeLog& changes() const { return changes_; }

 private:
  std::vector<DomainIndex>& ChildrenOf(DomainIndex parent) {
    return parent == kNoDomain ? roots_ : domains_[parent].children;
  }
  DomainIndex FindOrAdd(DomainIndex parent, uint32_t level, LabelNameId value);
  void Rank(std::span<const DomainIndex> siblings, size_t place);
  LeafIndex LeafOf(DomainIndex domain, DomainPathId path);
  void AddToLeaf(LeafIndex leaf, ClusterNodeId node);
  void TakeFromLeaf(LeafIndex leaf, ClusterNodeId node);
  void CountNodes(DomainIndex domain, int32_t change);
  void NodeChanged(LeafIndex leaf) {
    ++leaf_versions_[leaf];
    changes_.Add(leaf);
  }

  std::vector<std::string> levels_;
  UsageArrays usage_;
  LabelNames& names_;
  bool is_hostname_lowest_;
  std::vector<Domain> domains_;
  std::vector<DomainIndex> roots_;  // the widest domains in the order of values
  std::vector<std::vector<DomainIndex>> by_level_;
  // By leaf.
  std::vector<DomainIndex> leaf_domains_;
  std::vector<DomainPathId> leaf_paths_;
  std::vector<uint32_t> leaf_versions_;
  std::vector<uint32_t> leaf_node_counts_;
  std::vector<ClusterNodeId> first_nodes_;                       // none if the leaf has none
  std::map<LeafIndex, std::vector<ClusterNodeId>> other_nodes_;  // sorted; most leaves have none
  size_t existing_leaves_ = 0;
  AmountTable capacity_;
  ChangeLog changes_;
  std::vector<LeafIndex> leaf_of_path_;  // by DomainPathId
};

}  // namespace berth::engine
