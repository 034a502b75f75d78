#include "workload/requests/resource_options.h"

#include <algorithm>

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

std::vector<std::string> ClassesWithSources(const std::vector<api::DeviceClassMapping>& mappings) {
  std::vector<std::string> classes;
  for (const api::DeviceClassMapping& mapping : mappings)
    if (!mapping.sources.empty())
      classes.insert(classes.end(), mapping.device_class_names.begin(),
                     mapping.device_class_names.end());
  std::ranges::sort(classes);
  return classes;
}

void SetDevices(const api::Configuration& configuration, const api::FeatureGates& gates,
                ResourceOptions& options) {
  options.has_queue_device_classes = gates.IsOn(Gate::kKueueDynamicResourceAllocation);
  options.counts_devices = options.has_queue_device_classes;
  if (configuration.resources && gates.IsOn(Gate::kKueueDRAIntegration) &&
      !configuration.resources->device_class_mappings.empty()) {
    options.counts_devices = true;
    options.device_resources = DeviceResourcesOf(configuration.resources->device_class_mappings);
    options.classes_with_sources =
        ClassesWithSources(configuration.resources->device_class_mappings);
  }
  options.rejects_devices = !options.counts_devices && !gates.IsOn(Gate::kKueueDRAIntegration) &&
                            gates.IsOn(Gate::kKueueDRARejectWorkloadsWhenDRADisabled);
  options.counts_extended_resources =
      options.counts_devices && gates.IsOn(Gate::kKueueDRAIntegrationExtendedResource);
}

}  // namespace

ResourceOptions ResourceOptions::From(const api::Configuration& configuration,
                                      const api::FeatureGates& gates) {
  ResourceOptions options;
  options.has_queue_exclusion = gates.IsOn(Gate::kClusterQueueResourceExclusion);
  options.reclaims_pods = gates.IsOn(Gate::kReclaimablePods);
  SetDevices(configuration, gates, options);
  if (!configuration.resources) return options;
  const api::ResourcesSettings& resources = *configuration.resources;
  options.excluded =
      ResourcePrefixes(resources.exclude_resource_prefixes, api::MatchOfConfiguredPrefixes(gates));
  options.transformations = ResourceTransformations(resources.transformations);
  options.checks_only_declared = api::ChecksOnlyDeclared(resources, gates);
  return options;
}

}  // namespace berth::workload
