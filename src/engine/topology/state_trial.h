#pragma once

#include <optional>

#include "engine/quota/quota_forest.h"
#include "engine/state.h"
#include "engine/topology/leaf_usage.h"

namespace berth::engine {

// A UsageTrial of quota and of nodes: all changes of usage during its lifetime are undone.
class StateTrial {
 public:
  explicit StateTrial(State& state) : quota_(state.forest) {
    if (state.topologies) nodes_.emplace(state.topologies->usage());
  }

  // Keeps the changes so far; they become part of the enclosing trial, if there is one.
  void Keep() {
    quota_.Keep();
    if (nodes_) nodes_->Keep();
  }

 private:
  UsageTrial quota_;
  std::optional<TopologyTrial> nodes_;
};

}  // namespace berth::engine
