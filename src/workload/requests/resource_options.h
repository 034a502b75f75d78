#pragma once

#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/flat_map.h"
#include "workload/requests/resource_prefixes.h"
#include "workload/requests/resource_transformations.h"

namespace berth::workload {

// The options of the Configuration and its gates for counting requests in all queues. An immutable
// value, computed once.
struct ResourceOptions {
  ResourcePrefixes excluded;
  ResourceTransformations transformations;
  // Requests for undeclared resources are skipped (api::ChecksOnlyDeclared).
  bool checks_only_declared = false;
  // Whether claimed devices count at all: gate KueueDynamicResourceAllocation, or the Configuration
  // maps their classes.
  bool counts_devices = false;
  // Whether workloads that claim devices are inadmissible: nothing counts devices, and the gate
  // KueueDRARejectWorkloadsWhenDRADisabled is on while KueueDRAIntegration is off.
  bool rejects_devices = false;
  // Whether ClusterQueues map device classes to resources: gate KueueDynamicResourceAllocation.
  bool has_queue_device_classes = false;
  // Resource names by device class: deviceClassMappings of Kueue, with its gate
  // KueueDRAIntegration. The mapping of a queue takes precedence. Mappings to counters or
  // capacities of devices are ignored: their devices are not counted as a whole.
  base::FlatMap<std::string> device_resources;
  // Device classes of such mappings, sorted.
  std::vector<std::string> classes_with_sources;
  // Whether requests for the extended resource of a device class count as its devices: gate
  // KueueDRAIntegrationExtendedResource, while devices count at all.
  bool counts_extended_resources = false;
  // Whether ClusterQueues may exclude resources: gate ClusterQueueResourceExclusion.
  bool has_queue_exclusion = false;
  // Whether reclaimable pods free quota: gate ReclaimablePods.
  bool reclaims_pods = true;

  static ResourceOptions From(const api::Configuration& configuration,
                              const api::FeatureGates& gates);
};

}  // namespace berth::workload
