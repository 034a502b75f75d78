#include "workload/potential_quota.h"

#include <algorithm>

#include "quantity/resource_amount.h"

namespace berth::workload {
namespace {

using quantity::Amount;

Amount LimitOf(std::string_view resource, const std::optional<quantity::Quantity>& limit) {
  return limit ? quantity::QuotaAmount(resource, *limit) : Amount::Unlimited();
}

engine::Quota QuotaOf(const api::FlavorQuotas& flavor, std::string_view resource) {
  const auto found = std::ranges::find(flavor.resources, resource, &api::ResourceQuota::name);
  if (found == flavor.resources.end()) return {};
  return {.nominal = quantity::QuotaAmount(resource, found->nominal_quota),
          .borrowing_limit = LimitOf(resource, found->borrowing_limit),
          .lending_limit = LimitOf(resource, found->lending_limit)};
}

std::vector<engine::ResourceGroup> GroupsOf(const std::vector<api::ResourceGroup>& groups,
                                            engine::QuotaForest& forest) {
  std::vector<engine::ResourceGroup> out;
  for (const api::ResourceGroup& group : groups) {
    engine::ResourceGroup& to = out.emplace_back();
    for (const std::string& name : group.covered_resources)
      to.resources.push_back(forest.Resource(name));
    for (const api::FlavorQuotas& flavor : group.flavors) {
      engine::FlavorQuotas& quotas = to.flavors.emplace_back();
      quotas.flavor = forest.Flavor(flavor.name);
      for (const std::string& name : group.covered_resources)
        quotas.quotas.push_back(QuotaOf(flavor, name));
    }
  }
  return out;
}

}  // namespace

PotentialQuota::PotentialQuota(std::span<const api::ClusterQueue* const> queues,
                               std::span<const api::Cohort* const> cohorts) {
  for (const api::Cohort* cohort : cohorts)
    forest_.SetCohort({.name = cohort->metadata.name,
                       .parent = cohort->spec.parent_name.value_or(""),
                       .groups = GroupsOf(cohort->spec.resource_groups, forest_)});
  for (const api::ClusterQueue* queue : queues)
    forest_.SetQueue({.name = queue->metadata.name,
                      .cohort = queue->spec.cohort_name.value_or(""),
                      .groups = GroupsOf(queue->spec.resource_groups, forest_)});
  forest_.Rebuild({});
}

engine::NodeId PotentialQuota::NodeOf(std::string_view queue) const {
  const engine::NodeId node = forest_.FindQueue(queue);
  return node.is_none() || !forest_.HasTree(node) ? engine::NodeId::None() : node;
}

const engine::Cell* PotentialQuota::CellOf(engine::NodeId queue, std::string_view flavor,
                                           std::string_view resource) {
  const engine::FlavorResourceId pair =
      forest_.FlavorResource(forest_.Flavor(flavor), forest_.Resource(resource));
  const engine::ColumnIndex column = forest_.ColumnOf(queue, pair);
  return column == engine::kNoColumn ? nullptr : &forest_.cell(queue, column);
}

std::optional<PotentialQuota::Bound> PotentialQuota::Find(std::string_view queue,
                                                          std::string_view flavor,
                                                          std::string_view resource) {
  const engine::NodeId node = NodeOf(queue);
  if (node.is_none()) return std::nullopt;
  const engine::Cell* cell = CellOf(node, flavor, resource);
  if (cell == nullptr) return Bound{.nominal = Amount(0), .most = Amount(0)};
  return Bound{.nominal = quantity::Min(cell->potential, cell->nominal), .most = cell->potential};
}

}  // namespace berth::workload
