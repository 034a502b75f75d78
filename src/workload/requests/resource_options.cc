#include "workload/requests/resource_options.h"

namespace berth::workload {
namespace {

using api::Gate;

base::FlatMap<std::string> DeviceResourcesOf(const std::vector<api::DeviceClassMapping>& mappings) {
  base::FlatMap<std::string> resources;
  for (const api::DeviceClassMapping& mapping : mappings) {
    if (!mapping.sources.empty()) continue;
    for (const std::string& device_class : mapping.device_class_names)
      resources.Set(device_class, mapping.name);
  }
  return resources;
}

}  // namespace

ResourceOptions ResourceOptions::From(const api::Configuration& configuration,
                                      const api::FeatureGates& gates) {
  ResourceOptions options;
  options.has_queue_exclusion = gates.IsOn(Gate::kClusterQueueResourceExclusion);
  options.has_queue_device_classes = gates.IsOn(Gate::kKueueDynamicResourceAllocation);
  options.counts_devices = options.has_queue_device_classes;
  options.rejects_devices = !options.counts_devices && !gates.IsOn(Gate::kKueueDRAIntegration) &&
                            gates.IsOn(Gate::kKueueDRARejectWorkloadsWhenDRADisabled);
  options.reclaims_pods = gates.IsOn(Gate::kReclaimablePods);
  if (!configuration.resources) return options;
  const api::ResourcesSettings& resources = *configuration.resources;
  options.excluded =
      ResourcePrefixes(resources.exclude_resource_prefixes, api::MatchOfConfiguredPrefixes(gates));
  options.transformations = ResourceTransformations(resources.transformations);
  options.checks_only_declared = api::ChecksOnlyDeclared(resources, gates);
  if (gates.IsOn(Gate::kKueueDRAIntegration) && !resources.device_class_mappings.empty()) {
    options.counts_devices = true;
    options.device_resources = DeviceResourcesOf(resources.device_class_mappings);
  }
  return options;
}

}  // namespace berth::workload
