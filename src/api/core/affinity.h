#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/core/node_selector.h"
#include "schema/describe.h"

namespace berth::api {

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PreferredSchedulingTerm&, const PreferredSchedulingTerm&) = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required_during_scheduling_ignored_during_execution;
  std::vector<PreferredSchedulingTerm> preferred_during_scheduling_ignored_during_execution;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeAffinity&, const NodeAffinity&) = default;
};

// Pod affinity is carried (see schema::Extra).
struct Affinity {
  std::optional<NodeAffinity> node_affinity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Affinity&, const Affinity&) = default;
};

}  // namespace berth::api

// Compiled once, in affinity.cc.
extern template class std::vector<berth::api::PreferredSchedulingTerm>;
