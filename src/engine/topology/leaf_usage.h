#pragma once

// The usage of leaf domains by placed workloads, as flat arrays with undo by scope.
//
// A space is a set of leaves that share their usage. Flavors whose lowest level is the hostname
// share one space, since they may select the same nodes; every other flavor has its own. Usage of a
// leaf whose nodes are gone stays recorded, so that it counts again when they return.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ids.h"

namespace berth::engine {

using SpaceIndex = uint32_t;
// A resource of nodes, numbered densely. Column 0 is the number of pods.
using NodeColumn = uint32_t;
inline constexpr NodeColumn kPodsColumn = 0;

class LeafUsage {
 public:
  SpaceIndex AddSpace();
  NodeColumn AddColumn();
  size_t column_count() const { return columns_; }

  // Makes Row valid for the leaf.
  void Reserve(SpaceIndex space, DomainPathId path);
  // One amount per column. Precondition: Reserve was called for the leaf.
  const int64_t* Row(SpaceIndex space, DomainPathId path) const {
    return spaces_[space].data() + path.index() * columns_;
  }
  void Add(SpaceIndex space, DomainPathId path, NodeColumn column, int64_t amount);
  bool has_open_trial() const { return open_trials_ > 0; }
  // Forgets the usage of a space.
  void Clear(SpaceIndex space);

 private:
  friend class TopologyTrial;
  struct Before {
    SpaceIndex space;
    uint32_t index;
    int64_t amount;
  };

  size_t columns_ = 1;
  std::vector<std::vector<int64_t>> spaces_;  // by [path * columns_ + column]
  std::vector<Before> journal_;               // while any trial is open
  int open_trials_ = 0;
};

// A what-if, like UsageTrial: changes of usage during its lifetime are undone on destruction.
class TopologyTrial {
 public:
  explicit TopologyTrial(LeafUsage& usage) : usage_(usage), mark_(usage.journal_.size()) {
    ++usage_.open_trials_;
  }
  ~TopologyTrial() {
    Undo();
    --usage_.open_trials_;
  }
  TopologyTrial(const TopologyTrial&) = delete;
  TopologyTrial& operator=(const TopologyTrial&) = delete;

  void Undo();
  // Keeps the changes so far; they become part of the enclosing trial, if there is one.
  void Keep() {
    if (usage_.open_trials_ == 1) usage_.journal_.resize(mark_);
    mark_ = usage_.journal_.size();
  }

 private:
  LeafUsage& usage_;
  size_t mark_;
};

}  // namespace berth::engine
