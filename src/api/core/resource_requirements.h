#pragma once

#include <string>
#include <vector>

#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

// Amounts by resource name: {"cpu": "2", "nvidia.com/gpu": "1"}.
using ResourceList = base::FlatMap<quantity::Quantity>;

// A container's use of a resource claim of its pod (ResourceClaim in core/v1, renamed to avoid a
// clash with the kind).
struct ContainerResourceClaim {
  std::string name;
  std::string request;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ContainerResourceClaim&, const ContainerResourceClaim&) = default;
};

struct ResourceRequirements {
  ResourceList limits;
  ResourceList requests;
  std::vector<ContainerResourceClaim> claims;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceRequirements&, const ResourceRequirements&) = default;
};

}  // namespace berth::api

// Compiled once, in resource_requirements.cc.
extern template class std::vector<berth::api::ContainerResourceClaim>;
