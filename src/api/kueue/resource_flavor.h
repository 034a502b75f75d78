#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/core/toleration.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

struct ResourceFlavorSpec {
  base::FlatMap<std::string> node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;
  std::optional<std::string> topology_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceFlavorSpec&, const ResourceFlavorSpec&) = default;
};

// A class of nodes that quota is defined for, identified by labels and taints.
struct ResourceFlavor {
  ObjectMeta metadata;
  ResourceFlavorSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

}  // namespace berth::api
