#pragma once

// The usage of leaf domains by placed workloads, as flat arrays with undo by scope.
//
// A space is a set of leaves that share their usage. Flavors whose lowest level is the hostname
// share one space, since they may select the same nodes; every other flavor has its own. Usage of a
// leaf whose nodes are gone stays recorded, so that it counts again when they return.
//
// Within a cycle Kueue adds what it places, and removes what it preempts, in the flavor concerned
// alone: two flavors with the same nodes do not see each other's changes before the next cycle.
// Decisions follow that. Whether a node would be overfull does not: for that question all changes
// that the cycle has decided count, in all flavors. So there are three layers, each an array.

#include <cstdint>
#include <vector>

#include "base/int128.h"
#include "engine/ids.h"
#include "engine/topology/amount_table.h"
#include "engine/topology/change_log.h"

namespace berth::engine {

// A resource of nodes, numbered densely. Column 0 is the number of pods.
using NodeColumn = uint32_t;
inline constexpr NodeColumn kPodsColumn = 0;

enum class UsageLayer : uint8_t {
  kLasting,  // of workloads that hold quota, between cycles. One array a space
  kTried,    // what a cycle or a trial adds and removes. One array a flavor
  // Pods of workloads that the cycle admitted. Pods that it preempts are on their nodes until they
  // have stopped, so they are not taken off. One array a space
  kDecided,
};

// The arrays of one flavor.
struct UsageArrays {
  uint32_t lasting = 0;
  uint32_t tried = 0;
  uint32_t decided = 0;

  uint32_t Of(UsageLayer layer) const {
    return layer == UsageLayer::kLasting ? lasting : layer == UsageLayer::kTried ? tried : decided;
  }
};

class LeafUsage {
 public:
  uint32_t AddArray();
  NodeColumn AddColumn();
  size_t column_count() const { return columns_; }

  // One amount per column; null if all are zero because nothing was added there.
  const int64_t* Row(uint32_t array, DomainPathId path) const {
    const Array& at = arrays_[array];
    const bool is_zero = path.index() >= at.amounts.rows() || (at.changes == 0 && !at.is_lasting);
    return is_zero ? nullptr : at.amounts.Row(path.index());
  }
  // Adds to the layer of the innermost open trial; outside of trials, to the lasting one.
  void Add(const UsageArrays& arrays, DomainPathId path, NodeColumn column, base::Int128 amount);
  bool has_open_trial() const { return open_trials_ > 0; }
  // Forgets what was added to an array.
  void Clear(uint32_t array);
  // The paths whose amounts changed.
  const ChangeLog& ChangesOf(uint32_t array) const { return arrays_[array].log; }

 private:
  friend class TopologyTrial;
  friend class UsageLayerScope;
  struct Array {
    AmountTable amounts;
    ChangeLog log = {};
    bool is_lasting = false;  // something was added outside of trials
    size_t changes = 0;       // in the journal
  };
  struct Change {
    base::Int128 amount;
    uint32_t array;
    DomainPathId path;
    NodeColumn column;
  };

  size_t columns_ = 1;
  std::vector<Array> arrays_;
  std::vector<Change> journal_;  // while any trial is open
  int open_trials_ = 0;
  UsageLayer layer_ = UsageLayer::kLasting;
};

// A what-if, like UsageTrial: changes of usage during its lifetime go to one layer and are undone
// on destruction. Trials nest.
class TopologyTrial {
 public:
  TopologyTrial(LeafUsage& usage, UsageLayer layer)
      : usage_(usage), outer_layer_(usage.layer_), mark_(usage.journal_.size()) {
    ++usage_.open_trials_;
    usage_.layer_ = layer;
  }
  ~TopologyTrial();
  TopologyTrial(const TopologyTrial&) = delete;
  TopologyTrial& operator=(const TopologyTrial&) = delete;

 private:
  LeafUsage& usage_;
  UsageLayer outer_layer_;
  size_t mark_;
};

// Within a trial: changes during its lifetime go to another layer, and last as long as the trial.
class UsageLayerScope {
 public:
  UsageLayerScope(LeafUsage& usage, UsageLayer layer) : usage_(usage), outer_layer_(usage.layer_) {
    usage_.layer_ = layer;
  }
  ~UsageLayerScope() { usage_.layer_ = outer_layer_; }
  UsageLayerScope(const UsageLayerScope&) = delete;
  UsageLayerScope& operator=(const UsageLayerScope&) = delete;

 private:
  LeafUsage& usage_;
  UsageLayer outer_layer_;
};

}  // namespace berth::engine
