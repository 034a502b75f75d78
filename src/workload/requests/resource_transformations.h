#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration_resources.h"
#include "api/core/resource_requirements.h"
#include "base/flat_map.h"

namespace berth::workload {

// The compiled `resources.transformations` of the Configuration.
//   - An input turns into its outputs: requested amount, times the requested amount of `multiplyBy`
//     where that is requested, times the output's factor, all exact.
//   - Inputs are what the pod requests; outputs are not transformed again.
//   - Outputs of one name are summed, then added to a request of that name. A negative sum counts
//   as
//     0, so it never reduces a request.
//   - Retain, the default strategy, keeps the input as well.
//   - Of several entries with the same input the last one wins.
class ResourceTransformations {
 public:
  ResourceTransformations() = default;
  explicit ResourceTransformations(std::span<const api::ResourceTransformation> entries);

  bool AppliesTo(const api::ResourceList& requests) const;
  api::ResourceList Apply(const api::ResourceList& requests) const;
  // Whether a request for the resource counts as other resources only.
  bool Replaces(std::string_view resource) const;

 private:
  struct Transformation {
    bool is_retained = true;
    std::string multiply_by;
    api::ResourceList outputs;
  };

  static api::ResourceList OutputsOf(const Transformation& transformation,
                                     const quantity::Quantity& amount,
                                     const api::ResourceList& requests);

  base::FlatMap<Transformation> by_input_;
};

}  // namespace berth::workload
