#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/toleration.h"
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

// A kind of hardware that quota is given for, told apart by the labels and taints of its nodes.
struct ResourceFlavor {
  ObjectMeta metadata;
  ResourceFlavorSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

}  // namespace berth::api
