#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration_resources.h"
#include "api/resource_requirements.h"
#include "base/flat_map.h"

namespace berth::workload {

// The Configuration's `resources.transformations`, made ready for use: what a request for one
// resource counts as.
//   - An input turns into its outputs: requested amount, times the requested amount of `multiplyBy`
//     where that is requested, times the output's factor, all exact.
//   - Inputs are what the pod requests; outputs are not transformed again.
//   - Outputs of one name add up, first with each other, then with a request of that name. If they
//     are negative together they count as 0, so they never lessen a request.
//   - Retain keeps the input as well, and is what counts if no strategy is given.
//   - Of several entries with the same input the last one counts.
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
