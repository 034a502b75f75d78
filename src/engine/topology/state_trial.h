#pragma once

#include <optional>

#include "engine/quota/quota_forest.h"
#include "engine/state.h"
#include "engine/topology/leaf_usage.h"

namespace berth::engine {

// A UsageTrial of quota and of nodes: all changes of usage during its lifetime are undone. By
// default each flavor sees its own changes of nodes alone, as in a cycle.
class StateTrial {
 public:
  explicit StateTrial(State& state, UsageLayer layer = UsageLayer::kTried) : quota_(state.forest) {
    if (state.topologies) nodes_.emplace(state.topologies->usage(), layer);
  }

  // Keeps the changes of quota so far; they become part of the enclosing trial, if there is one.
  void KeepQuota() { quota_.Keep(); }

 private:
  UsageTrial quota_;
  std::optional<TopologyTrial> nodes_;
};

}  // namespace berth::engine
