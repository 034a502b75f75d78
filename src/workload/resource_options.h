#pragma once

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "base/flat_map.h"
#include "workload/resource_prefixes.h"
#include "workload/resource_transformations.h"

namespace berth::workload {

// What the Configuration and its gates say about counting requests, for all queues. A value, made
// once; whoever counts takes it as an argument.
struct ResourceOptions {
  ResourcePrefixes excluded;
  ResourceTransformations transformations;
  // quotaCheck: OnlyDeclared. Never true while the gate QuotaCheck is off. Kueue's spelling of it
  // needs Kueue's own gate, which is on by default, as well.
  bool checks_only_declared = false;
  // Whether devices that pods claim count at all: gate KueueDynamicResourceAllocation, or the
  // Configuration says what they count as.
  bool counts_devices = false;
  // Whether ClusterQueues say what device classes count as: gate KueueDynamicResourceAllocation.
  bool has_queue_device_classes = false;
  // What the Configuration says that they count as, by class: deviceClassMappings of Kueue, with
  // its gate KueueDRAIntegration. A queue that names a class itself goes before it. Mappings to
  // counters or capacities of devices are left out: their devices are not counted as a whole.
  base::FlatMap<std::string> device_resources;
  // Whether ClusterQueues may exclude resources: gate ClusterQueueResourceExclusion.
  bool has_queue_exclusion = false;
  // Whether reclaimable pods free quota: gate ReclaimablePods.
  bool reclaims_pods = true;

  static ResourceOptions From(const api::Configuration& configuration,
                              const api::FeatureGates& gates);
};

}  // namespace berth::workload
