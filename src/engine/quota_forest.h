#pragma once

// The quota forest: who may use how much of what, and who does.
//
// Cohorts and ClusterQueues are nodes; ClusterQueues are leaves. A (flavor, resource) pair is a
// column. For each node and column:
//
//   subtree quota = own nominal quota + sum over children of (their subtree quota - local quota)
//   local quota   = max(0, subtree quota - lending limit), 0 without a limit: never lent out
//   usage         = of a ClusterQueue, what its workloads use; of a Cohort, the sum over its
//                   children of what they use beyond their local quota
//   available     = at a root: subtree quota - usage; below: what is left of the local quota, plus
//                   what the parent has available, the latter at most
//                   (subtree quota - local quota) - usage beyond local quota + borrowing limit
//   potential     = the same with no usage anywhere
//
// Available may be negative: quota was taken away, or a queue moved, while workloads run.
// Limits of a node without a parent have no effect. A Cohort that is only named exists without
// quota of its own. Cohorts that are each other's ancestors are found, and they and all below
// have no tree: such nodes are not usable until the cycle is gone.
//
// Layout: each tree numbers its columns and keeps one row of cells a node, all trees in one array.
// Adding usage walks from a leaf to the root, O(depth) for a column; so do the queries. Changes of
// configuration are collected and applied by Rebuild(), O(nodes x columns of their tree).

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

// A column number within one tree.
using Column = uint32_t;
inline constexpr Column kNoColumn = static_cast<Column>(-1);

// Usage in one column.
struct ColumnAmount {
  Column column = kNoColumn;
  Amount amount;
};

// What one ClusterQueue uses of one pair.
struct QueueUsage {
  NodeId queue;
  PairId pair;
  Amount amount;
};

// One line of the cache.
struct alignas(64) Cell {
  Amount nominal;
  Amount borrowing_limit = Amount::Unlimited();
  Amount lending_limit = Amount::Unlimited();
  Amount local_quota;
  Amount subtree_quota;
  Amount potential;
  Amount usage;
  bool is_declared = false;  // some node of the subtree has quota here, even of 0
};

class QuotaForest {
 public:
  // Begins with what every walk to the root looks at.
  struct alignas(64) Node {
    NodeId parent;     // none for roots
    uint32_t row = 0;  // first cell
    uint32_t tree = kNoTree;
    uint32_t height = 0;  // to the deepest active leaf or Cohort; 0 for a ClusterQueue
    bool is_queue = false;
    bool exists = false;     // has an object; a Cohort may be only named
    bool is_active = false;  // of a ClusterQueue: takes part in decisions
    bool is_in_cycle = false;
    double fair_weight = 1;
    std::string name;
    std::vector<NodeId> child_cohorts;  // by name
    std::vector<NodeId> child_queues;   // by name
  };
  struct Tree {
    NodeId root;
    std::vector<PairId> pairs;  // of each column; ordered by resource name, then flavor name
    std::vector<ResourceId> resources;  // of each column
    std::vector<Column> column_of;      // by PairId; kNoColumn where the tree has none
    std::vector<NodeId> queues;         // by name
  };
  static constexpr uint32_t kNoTree = static_cast<uint32_t>(-1);

  // --- Names ----------------------------------------------------------------------------------
  FlavorId Flavor(std::string_view name) { return flavors_.Intern(name); }
  ResourceId Resource(std::string_view name);
  const std::string& FlavorName(FlavorId id) const { return flavors_.Name(id); }
  const std::string& ResourceName(ResourceId id) const { return resources_.Name(id); }
  // Podsets look for flavors for their resources in the order of these, as in Kueue, where it is
  // that of a hash of the names. It only counts where the first one that has none gives the reason.
  uint64_t ResourceRank(ResourceId id) const { return resource_ranks_[id.index()]; }
  PairId Pair(FlavorId flavor, ResourceId resource);
  FlavorId FlavorOf(PairId pair) const { return pairs_[pair.index()].flavor; }
  ResourceId ResourceOf(PairId pair) const { return pairs_[pair.index()].resource; }
  size_t resource_count() const { return resources_.size(); }

  // --- Configuration: takes effect at the next Rebuild() ----------------------------------------
  NodeId SetQueue(const ClusterQueueSpec& spec);
  void RemoveQueue(NodeId queue);
  NodeId SetCohort(const CohortSpec& spec);
  void RemoveCohort(std::string_view name);
  // Builds all trees anew with the given usage. Pairs that are used but that nobody has quota for
  // get a column as well.
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
  // kNoColumn if the tree of the node has none for the pair.
  Column ColumnOf(NodeId id, PairId pair) const {
    const Tree& t = TreeOf(id);
    return pair.index() < t.column_of.size() ? t.column_of[pair.index()] : kNoColumn;
  }
  const Cell& cell(NodeId id, Column column) const { return cells_[node(id).row + column]; }
  // The first cells of a node will be looked at soon.
  void PrefetchCells(NodeId id) const {
    base::PrefetchLine(&cell(id, 0));
    base::PrefetchLine(&cell(id, 0) + 1);
  }

  // --- Quantities
  // --------------------------------------------------------------------------------- May be
  // negative.
  Amount Available(NodeId id, Column column) const;
  // What is left of the local quota.
  Amount LocalAvailable(NodeId id, Column column) const {
    const Cell& c = cell(id, column);
    return quantity::Max(Amount(0), c.local_quota - c.usage);
  }
  // Whether usage plus `more` goes beyond the node's subtree quota (for a ClusterQueue, that is
  // its nominal quota).
  bool IsBorrowingWith(NodeId id, Column column, Amount more) const {
    const Cell& c = cell(id, column);
    return c.subtree_quota < c.usage + more;
  }
  bool IsBorrowing(NodeId id, Column column) const {
    return IsBorrowingWith(id, column, Amount(0));
  }
  // The sum over all flavors of what a node could potentially have of a resource, given by any of
  // its columns: the denominator of fair shares.
  Amount Lendable(NodeId cohort, Column any_column_of_resource) const {
    return lendable_[node(cohort).row + any_column_of_resource];
  }

  // --- Usage -------------------------------------------------------------------------------------
  void AddUsage(NodeId queue, Column column, Amount amount);
  void RemoveUsage(NodeId queue, Column column, Amount amount);

 private:
  friend class UsageTrial;
  friend class QuotaTrial;  // quota_trial.h

  struct PairAmount {
    PairId pair;
    Amount amount;
  };
  struct PairNames {
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
  Amount PotentialOf(NodeId id, Column column) const;
  void ComputeLendable(NodeId id, Column begin, Column end);
  Cell& MutableCell(NodeId id, Column column) { return cells_[node(id).row + column]; }
  void Remember(const Cell& c) {
    if (open_trials_ > 0) journal_.push_back({static_cast<uint32_t>(&c - cells_.data()), c.usage});
  }

  base::Interner<FlavorId> flavors_;
  base::Interner<ResourceId> resources_;
  std::vector<uint64_t> resource_ranks_;
  std::vector<PairNames> pairs_;
  std::map<std::pair<FlavorId, ResourceId>, PairId> pair_ids_;

  std::vector<Node> nodes_;
  std::map<std::string, NodeId, std::less<>> queue_ids_;
  std::map<std::string, NodeId, std::less<>> cohort_ids_;
  std::map<NodeId, ConfiguredNode> configured_;
  std::vector<std::vector<PairAmount>> given_usage_;  // by node, during Rebuild
  bool is_dirty_ = false;

  std::vector<Tree> trees_;
  std::vector<Cell> cells_;
  std::vector<Amount> lendable_;  // parallel to cells_: by the column's resource

  // What UsageTrial undoes: cells and their usage before a change, while any trial is open.
  struct Before {
    uint32_t cell;
    Amount usage;
  };
  std::vector<Before> journal_;
  int open_trials_ = 0;
};

// A what-if: every change of usage made while it lives is undone when it dies, exactly and in
// reverse. Trials nest like scopes. Rebuild() must not be called inside one.
//
//   {
//     UsageTrial trial(forest);
//     forest.RemoveUsage(queue, column, amount);
//     … look …
//   }  // as before
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

  // Undoes the changes so far; the trial goes on.
  void Undo();
  // Keeps the changes so far; they belong to the trial around this one, if there is one.
  void Keep() {
    if (forest_.open_trials_ == 1) forest_.journal_.resize(mark_);
    mark_ = forest_.journal_.size();
  }

 private:
  QuotaForest& forest_;
  size_t mark_;
};

}  // namespace berth::engine
