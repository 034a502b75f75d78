#pragma once

// The quota forest: quota and usage of Cohorts and ClusterQueues.
//
// Cohorts and ClusterQueues are nodes; ClusterQueues are leaves. A flavor and resource is a column.
// For each node and column:
//
//   subtree quota = own nominal quota + sum over children of (their subtree quota - local quota)
//   local quota   = max(0, subtree quota - lending limit), 0 without a limit: never lent
//   usage         = of a ClusterQueue, the usage of its workloads; of a Cohort, the sum over its
//                   children of their usage beyond local quota
//   available     = at a root: subtree quota - usage; below: the unused local quota, plus the
//                   parent's available quota, the latter at most
//                   (subtree quota - local quota) - usage beyond local quota + borrowing limit
//   potential     = available with no usage anywhere
//
// Available may be negative: quota was reduced, or a queue moved, while workloads run. Limits of a
// node without a parent have no effect. A Cohort that is only referenced exists without quota.
// Cohorts that form a cycle, and all nodes below them, have no tree and are unusable until the
// cycle is resolved.
//
// Layout: each tree numbers its columns and has one row of cells per node, all trees in one array.
// Adding usage walks from a leaf to the root, O(depth) per column; so do the queries. Configuration
// changes are collected and applied by Rebuild(), O(nodes x columns of their tree).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/interner.h"
#include "base/prefetch.h"
#include "engine/ids.h"
#include "engine/spec.h"

namespace berth::engine {

// The index of a column within one tree.
using ColumnIndex = uint32_t;
inline constexpr ColumnIndex kNoColumn = static_cast<ColumnIndex>(-1);

// Usage in one column.
struct ColumnAmount {
  ColumnIndex column = kNoColumn;
  Amount amount;
};

// Usage of a flavor and resource by one ClusterQueue.
struct QueueUsage {
  NodeId queue;
  FlavorResourceId flavor_resource;
  Amount amount;
};

// One cache line.
struct alignas(64) Cell {
  Amount nominal;
  Amount borrowing_limit = Amount::Unlimited();
  Amount lending_limit = Amount::Unlimited();
  Amount local_quota;
  Amount subtree_quota;
  Amount potential;
  Amount usage;
  bool is_declared = false;  // a node of the subtree declares quota here, even of 0
};

class QuotaForest {
 public:
  // Starts with the fields that every walk to the root reads.
  struct alignas(64) Node {
    NodeId parent;     // none for roots
    uint32_t row = 0;  // index of the first cell
    uint32_t tree = kNoTree;
    uint32_t height = 0;  // to the deepest active leaf or Cohort; 0 for a ClusterQueue
    bool is_queue = false;
    bool exists = false;     // has an object; a Cohort may be only referenced
    bool is_active = false;  // for a ClusterQueue: takes part in decisions
    bool is_in_cycle = false;
    double fair_weight = 1;
    std::string name;
    std::vector<NodeId> child_cohorts;  // by name
    std::vector<NodeId> child_queues;   // by name
  };
  struct Tree {
    NodeId root;
    std::vector<FlavorResourceId>
        flavor_resources;                // by column; ordered by resource name, then flavor name
    std::vector<ResourceId> resources;   // by column
    std::vector<ColumnIndex> column_of;  // by FlavorResourceId; kNoColumn if absent
    std::vector<NodeId> queues;          // by name
  };
  static constexpr uint32_t kNoTree = static_cast<uint32_t>(-1);

  // --- Names -------------------------------------------------------------------------------------
  FlavorId Flavor(std::string_view name) { return flavors_.Intern(name); }
  ResourceId Resource(std::string_view name);
  const std::string& FlavorName(FlavorId id) const { return flavors_.Name(id); }
  const std::string& ResourceName(ResourceId id) const { return resources_.Name(id); }
  // The order in which podsets search flavors for their resources: that of a hash of the names, as
  // in Kueue. It only matters where the first resource without a flavor provides the reason.
  uint64_t ResourceRank(ResourceId id) const { return resource_ranks_[id.index()]; }
  FlavorResourceId FlavorResource(FlavorId flavor, ResourceId resource);
  FlavorId FlavorOf(FlavorResourceId flavor_resource) const {
    return flavor_resources_[flavor_resource.index()].flavor;
  }
  ResourceId ResourceOf(FlavorResourceId flavor_resource) const {
    return flavor_resources_[flavor_resource.index()].resource;
  }
  size_t resource_count() const { return resources_.size(); }

  // --- Configuration: takes effect at the next Rebuild() -----------------------------------------
  NodeId SetQueue(const ClusterQueueSpec& spec);
  void RemoveQueue(NodeId queue);
  NodeId SetCohort(const CohortSpec& spec);
  void RemoveCohort(std::string_view name);
  // Rebuilds all trees with the given usage. Flavor resources that are used without any quota get a
  // column as well.
  void Rebuild(std::span<const QueueUsage> usage);
  bool needs_rebuild() const { return is_dirty_; }
  void MarkForRebuild() { is_dirty_ = true; }

  // --- Structure (valid after Rebuild) -----------------------------------------------------------
  NodeId FindQueue(std::string_view name) const;
  NodeId FindCohort(std::string_view name) const;
  const Node& node(NodeId id) const { return nodes_[id.index()]; }
  size_t node_count() const { return nodes_.size(); }
  bool HasParent(NodeId id) const { return !node(id).parent.is_none(); }
  bool HasTree(NodeId id) const { return node(id).tree != kNoTree; }
  const Tree& tree(uint32_t index) const { return trees_[index]; }
  const Tree& TreeOf(NodeId id) const { return trees_[node(id).tree]; }
  size_t tree_count() const { return trees_.size(); }
  NodeId RootOf(NodeId id) const { return TreeOf(id).root; }
  // kNoColumn if the node's tree has no such column.
  ColumnIndex ColumnOf(NodeId id, FlavorResourceId flavor_resource) const {
    const Tree& t = TreeOf(id);
    return flavor_resource.index() < t.column_of.size() ? t.column_of[flavor_resource.index()]
                                                        : kNoColumn;
  }
  const Cell& cell(NodeId id, ColumnIndex column) const { return cells_[node(id).row + column]; }
  // Prefetches the first cells of a node.
  void PrefetchCells(NodeId id) const {
    base::PrefetchLine(&cell(id, 0));
    base::PrefetchLine(&cell(id, 0) + 1);
  }

  // --- Amounts -----------------------------------------------------------------------------------

  // May be negative.
  Amount Available(NodeId id, ColumnIndex column) const;
  // The unused local quota.
  Amount LocalAvailable(NodeId id, ColumnIndex column) const {
    const Cell& c = cell(id, column);
    return quantity::Max(Amount(0), c.local_quota - c.usage);
  }
  // Whether usage plus `more` exceeds the node's subtree quota (for a ClusterQueue, its nominal
  // quota).
  bool IsBorrowingWith(NodeId id, ColumnIndex column, Amount more) const {
    const Cell& c = cell(id, column);
    return c.subtree_quota < c.usage + more;
  }
  bool IsBorrowing(NodeId id, ColumnIndex column) const {
    return IsBorrowingWith(id, column, Amount(0));
  }
  // The sum over all flavors of a node's potential quota of a resource, identified by any of its
  // columns: the denominator of fair shares.
  Amount Lendable(NodeId cohort, ColumnIndex any_column_of_resource) const {
    return lendable_[node(cohort).row + any_column_of_resource];
  }

  // --- Usage -------------------------------------------------------------------------------------
  void AddUsage(NodeId queue, ColumnIndex column, Amount amount);
  void RemoveUsage(NodeId queue, ColumnIndex column, Amount amount);

 private:
  friend class UsageTrial;
  friend class QuotaTrial;  // quota_trial.h

  struct FlavorResourceAmount {
    FlavorResourceId flavor_resource;
    Amount amount;
  };
  struct FlavorResourceNames {
    FlavorId flavor;
    ResourceId resource;
  };
  struct ConfiguredNode {
    NodeId id;
    std::string parent;
    std::vector<ResourceGroup> groups;
    double fair_weight = 1;
  };

  NodeId NewNode(std::string_view name, bool is_queue);
  NodeId CohortNode(std::string_view name);
  void LinkNodes();
  void MarkCycles();
  void BuildTree(NodeId root);
  void CollectNodes(NodeId id, uint32_t tree_index, std::vector<NodeId>& order);
  void ChooseColumns(Tree& tree, const std::vector<NodeId>& order);
  void SetQuota(NodeId id);
  void Accumulate(NodeId parent, NodeId child);
  static void AccumulateCell(Cell& parent, Cell& child);
  void ComputePotential(const std::vector<NodeId>& order);
  Amount PotentialOf(NodeId id, ColumnIndex column) const;
  void ComputeLendable(NodeId id, ColumnIndex begin, ColumnIndex end);
  Cell& MutableCell(NodeId id, ColumnIndex column) { return cells_[node(id).row + column]; }
  void Journal(const Cell& c) {
    if (open_trials_ > 0) journal_.push_back({static_cast<uint32_t>(&c - cells_.data()), c.usage});
  }

  base::Interner<FlavorId> flavors_;
  base::Interner<ResourceId> resources_;
  std::vector<uint64_t> resource_ranks_;
  std::vector<FlavorResourceNames> flavor_resources_;
  std::map<std::pair<FlavorId, ResourceId>, FlavorResourceId> flavor_resource_ids_;

  std::vector<Node> nodes_;
  std::map<std::string, NodeId, std::less<>> queue_ids_;
  std::map<std::string, NodeId, std::less<>> cohort_ids_;
  std::map<NodeId, ConfiguredNode> configured_;
  std::vector<std::vector<FlavorResourceAmount>> given_usage_;  // by node, during Rebuild
  bool is_dirty_ = false;

  std::vector<Tree> trees_;
  std::vector<Cell> cells_;
  std::vector<Amount> lendable_;  // parallel to cells_, per resource of the column

  // The undo journal: cells and their usage before a change, while any trial is open.
  struct Before {
    uint32_t cell;
    Amount usage;
  };
  std::vector<Before> journal_;
  int open_trials_ = 0;
};

// A what-if: all changes of usage during its lifetime are undone in reverse on destruction. Trials
// nest like scopes. Rebuild() must not be called inside one.
//
//   {
//     UsageTrial trial(forest);
//     forest.RemoveUsage(queue, column, amount);
//     … evaluate …
//   }  // restored
class UsageTrial {
 public:
  explicit UsageTrial(QuotaForest& forest) : forest_(forest), mark_(forest.journal_.size()) {
    ++forest_.open_trials_;
  }
  ~UsageTrial() {
    Undo();
    --forest_.open_trials_;
  }
  UsageTrial(const UsageTrial&) = delete;
  UsageTrial& operator=(const UsageTrial&) = delete;

  // Undoes the changes so far; the trial continues.
  void Undo();
  // Keeps the changes so far; they become part of the enclosing trial, if there is one.
  void Keep() {
    if (forest_.open_trials_ == 1) forest_.journal_.resize(mark_);
    mark_ = forest_.journal_.size();
  }

 private:
  QuotaForest& forest_;
  size_t mark_;
};

}  // namespace berth::engine
