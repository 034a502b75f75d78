#pragma once

// The schema of nodes in generator files.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/resource_requirements.h"
#include "api/core/toleration.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::simulate {

// A level of the hierarchy: in every domain of the level above there are `count` of this one.
struct GeneratedLevel {
  std::string node_label;
  int32_t count = 0;
  std::string name;  // what label values begin with; "": the label without its prefix
  schema::Extra extra;

  static const schema::Struct& Description();
};

// Equal nodes.
struct GeneratedNodes {
  std::string class_name = "node";
  std::vector<GeneratedLevel> levels;  // widest first; of the last one each is a node
  base::FlatMap<std::string> labels;
  std::vector<api::Taint> taints;
  api::ResourceList allocatable;
  std::string fails_after;     // "": never
  std::string repaired_after;  // "": never
  schema::Extra extra;

  static const schema::Struct& Description();
};

// A level in Kueue's format. The last one has the capacity of a node.
struct GeneratedTopologyLevel {
  std::string node_label;
  int32_t count = 0;
  std::string name;
  std::optional<api::ResourceList> capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
};

// A Topology and its nodes, in Kueue's format.
struct GeneratedTopology {
  std::string name;
  std::vector<GeneratedTopologyLevel> levels;
  schema::Extra extra;

  static const schema::Struct& Description();
};

// The flavor of all queues, in Kueue's format.
struct GeneratedFlavor {
  std::string name;
  std::optional<std::string> node_label;  // of all nodes of the Topology, with the value `tas`
  std::optional<std::string> topology_name;
  schema::Extra extra;

  static const schema::Struct& Description();
};

}  // namespace berth::simulate
