#include "workload/requests/resource_transformations.h"

#include <algorithm>
#include <utility>

#include "workload/requests/resource_list.h"

namespace berth::workload {

using quantity::Quantity;

ResourceTransformations::ResourceTransformations(
    std::span<const api::ResourceTransformation> entries) {
  for (const api::ResourceTransformation& entry : entries) {
    by_input_.Set(entry.input, {.is_retained = entry.strategy != api::kReplace,
                                .multiply_by = entry.multiply_by,
                                .outputs = entry.outputs});
  }
}

bool ResourceTransformations::AppliesTo(const api::ResourceList& requests) const {
  return !by_input_.empty() && std::ranges::any_of(requests, [this](const auto& request) {
    return by_input_.Contains(request.first);
  });
}

bool ResourceTransformations::Replaces(std::string_view resource) const {
  const Transformation* transformation = by_input_.Find(resource);
  return transformation != nullptr && !transformation->is_retained &&
         !transformation->outputs.Contains(resource);
}

api::ResourceList ResourceTransformations::OutputsOf(const Transformation& transformation,
                                                     const Quantity& amount,
                                                     const api::ResourceList& requests) {
  Quantity base = amount;
  if (const Quantity* factor = requests.Find(transformation.multiply_by)) base.Multiply(*factor);
  api::ResourceList outputs;
  for (const auto& [name, factor] : transformation.outputs) {
    Quantity output = base;
    output.Multiply(factor);
    outputs.Set(name, std::move(output));
  }
  return outputs;
}

api::ResourceList ResourceTransformations::Apply(const api::ResourceList& requests) const {
  api::ResourceList counted;
  api::ResourceList generated;
  for (const auto& [name, amount] : requests) {
    const Transformation* transformation = by_input_.Find(name);
    if (transformation == nullptr || transformation->is_retained) counted.Set(name, amount);
    if (transformation != nullptr) AddTo(generated, OutputsOf(*transformation, amount, requests));
  }
  for (const auto& [name, amount] : generated) {
    Quantity& total = counted[name];
    if (amount.Sign() > 0) total.Add(amount);
  }
  return counted;
}

}  // namespace berth::workload
