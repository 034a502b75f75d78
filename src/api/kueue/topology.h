#pragma once

#include <string>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct TopologyLevel {
  std::string node_label;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};

struct TopologySpec {
  std::vector<TopologyLevel> levels;  // widest first
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologySpec&, const TopologySpec&) = default;
};

// The hierarchy of nodes: the labels of the block, the rack, the host.
struct Topology {
  ObjectMeta metadata;
  TopologySpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace berth::api

// Compiled once, in topology.cc.
extern template class std::vector<berth::api::TopologyLevel>;
