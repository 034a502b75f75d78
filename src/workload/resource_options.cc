#include "workload/resource_options.h"

namespace berth::workload {
namespace {

using api::Gate;

bool ChecksOnlyDeclared(const api::ResourcesSettings& resources, const api::FeatureGates& gates) {
  if (!gates.IsOn(Gate::kQuotaCheck)) return false;
  return resources.quota_check == api::kQuotaCheckOnlyDeclared ||
         (gates.IsOn(Gate::kQuotaCheckStrategy) &&
          resources.quota_check_strategy == api::kIgnoreUndeclared);
}

}  // namespace

ResourceOptions ResourceOptions::From(const api::Configuration& configuration,
                                      const api::FeatureGates& gates) {
  ResourceOptions options;
  options.has_queue_exclusion = gates.IsOn(Gate::kClusterQueueResourceExclusion);
  options.reclaims_pods = gates.IsOn(Gate::kReclaimablePods);
  if (!configuration.resources) return options;
  const api::ResourcesSettings& resources = *configuration.resources;
  options.excluded = ResourcePrefixes(resources.exclude_resource_prefixes);
  options.transformations = ResourceTransformations(resources.transformations);
  options.checks_only_declared = ChecksOnlyDeclared(resources, gates);
  return options;
}

}  // namespace berth::workload
