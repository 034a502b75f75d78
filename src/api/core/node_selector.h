#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kNodeSelectorIn = "In";
inline constexpr std::string_view kNodeSelectorNotIn = "NotIn";
inline constexpr std::string_view kNodeSelectorExists = "Exists";
inline constexpr std::string_view kNodeSelectorDoesNotExist = "DoesNotExist";
inline constexpr std::string_view kNodeSelectorGreater = "Gt";
inline constexpr std::string_view kNodeSelectorLess = "Lt";

struct NodeSelectorRequirement {
  std::string key;
  std::string op;  // "operator" in JSON
  std::vector<std::string> values;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeSelectorRequirement&, const NodeSelectorRequirement&) = default;
};

// All requirements must hold. An empty term selects no node.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

// One of the terms must hold.
struct NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

}  // namespace berth::api

// Compiled once, in node_selector.cc.
extern template class std::vector<berth::api::NodeSelectorRequirement>;
extern template class std::vector<berth::api::NodeSelectorTerm>;
