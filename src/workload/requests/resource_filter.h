#pragma once

// The requests of a workload that count against the quota of its ClusterQueue: which resources, how
// much of each, and why others do not count. The only place with these rules.
//
// In this order:
//   1. the requests of one pod (pod_requests.h), exact;
//   2. exclusions: prefixes of the Configuration, then those of the queue (KEP-5800);
//   3. transformations. Their outputs are not subject to exclusions;
//   4. rounding up to whole counts, nothing below 0, times the number of pods;
//   5. devices (KEP-2941), under the resource name of their class in the queue, or else in the
//      Configuration; exclusions apply to that name. A class without a name counts as a resource
//      that no queue declares. Requests for the extended resource of a class with a name count as
//      devices, and not under their own name;
//   6. quotaCheck (KEP-7513): with OnlyDeclared exclusions have no effect, and resources that the
//      queue does not declare are skipped. Otherwise such resources are skipped only if the request
//      is 0; a positive one counts, and no flavor can serve it;
//   7. `pods`, if the queue declares it: the number of pods. With the gate for exclusion by queues,
//      a prefix of either list that matches `pods` excludes it.
//
// The result depends on the queue: recompute it when the workload moves or the queue's spec
// changes, and before computing a shape (shape.h). Topology placement uses pod requests instead.
// The charge of an admitted workload is in its status.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/resource_requirements.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/pod_set.h"
#include "api/kueue/workload.h"
#include "workload/requests/requests.h"
#include "workload/requests/resource_options.h"
#include "workload/requests/resource_prefixes.h"

namespace berth::workload {

// The reason why a requested resource does not count.
enum class NotCounted : uint8_t {
  kExcludedByConfiguration,
  kExcludedByClusterQueue,
  kReplaced,     // a transformation counts it as other resources
  kNotDeclared,  // by the ClusterQueue
  kAdminAccess,  // devices for administration
};

struct SkippedResource {
  std::string resource;
  NotCounted why = NotCounted::kNotDeclared;
  std::string prefix;  // of the exclusion

  friend bool operator==(const SkippedResource&, const SkippedResource&) = default;
};

// `memory: excluded by prefix "mem" in ClusterQueue "a"`, for logs, Events and explanations.
std::string ToString(const SkippedResource& skipped, std::string_view cluster_queue);

// A device class without a resource name counts under a placeholder, which is no valid resource
// name. The class that a placeholder stands for; nullopt if the resource is not one.
std::optional<std::string_view> UnmappedClassOf(std::string_view resource);

// Devices of one class that a pod set requests, by an entry of `resourceClaims` or by the extended
// resource of the class (claims.h).
struct DeviceDemand {
  std::string claim;  // "ResourceClaimTemplate single-gpu", "extended resource example.com/gpu"
  std::string device_class;
  int64_t per_pod = 0;
  int64_t shared = 0;  // by all pods of the workload; set in one pod set only
  bool is_admin_access = false;
  std::string extended_resource = {};  // "" for claims
};

// The unfiltered requests of a pod set.
struct PodSetDemand {
  std::string name;
  int32_t count = 0;  // after reclaim
  api::ResourceList per_pod;
  std::vector<DeviceDemand> devices;
};

// The demand of adjusted pod sets (pod_requests.h), without claims. Reclaimable pods do not count,
// unless the options disable reclaim; a pod set without a count has one pod.
std::vector<PodSetDemand> DemandOf(std::span<const api::PodSet> pod_sets,
                                   std::span<const api::ReclaimablePod> reclaimable,
                                   const ResourceOptions& options);

// Devices that count: part of the requests of their pod set.
struct CountedDevices {
  std::string pod_set;
  std::string claim;
  std::string device_class;
  std::string resource;  // of the quota
  int64_t amount = 0;    // of all pods

  friend bool operator==(const CountedDevices&, const CountedDevices&) = default;
};

struct CountedRequests {
  std::vector<PodSetTotals> pod_sets;
  std::vector<SkippedResource> skipped;  // by resource, each reason once
  std::vector<CountedDevices> devices = {};
  // Devices of claimed classes without a resource name. Empty with OnlyDeclared, which ignores
  // them.
  std::map<std::string, int64_t> unmapped_devices = {};

  friend bool operator==(const CountedRequests&, const CountedRequests&) = default;
};

// Counts requests for one ClusterQueue. Cheap to construct: options and compiled prefixes are
// shared.
class ResourceFilter {
 public:
  // Without a queue: everything counts that the Configuration does not exclude.
  explicit ResourceFilter(std::shared_ptr<const ResourceOptions> options);
  ResourceFilter(std::shared_ptr<const ResourceOptions> options,
                 const api::ClusterQueueSpec& cluster_queue, ResourcePrefixPool& prefixes);

  CountedRequests Count(std::span<const PodSetDemand> pod_sets) const;

  // Whether the number of pods counts if the queue declares `pods`.
  bool CountsPods() const;

 private:
  struct Exclusion {
    const std::string* prefix = nullptr;  // null: not excluded
    NotCounted why = NotCounted::kExcludedByConfiguration;
  };
  using Skipped = std::vector<SkippedResource>;

  bool IsDeclared(std::string_view resource) const;
  Exclusion ExclusionOf(std::string_view resource) const;
  bool SkipExcluded(std::string_view resource, Skipped& skipped) const;
  Requests CountOnePod(const PodSetDemand& pod_set, Skipped& skipped) const;
  // Whether a request for the extended resource counts as devices instead.
  bool CountsAsDevices(const DeviceDemand& device) const;
  // The resource name of a device class; null if there is none.
  const std::string* ResourceFor(std::string_view device_class) const;
  void AddDevices(const PodSetDemand& pod_set, PodSetTotals& totals,
                  CountedRequests& counted) const;
  void DropUndeclared(PodSetTotals& totals, Skipped& skipped) const;
  void AddPods(int32_t count, Requests& requests, Skipped& skipped) const;

  std::shared_ptr<const ResourceOptions> options_;
  bool has_queue_ = false;
  std::vector<std::string> declared_;                 // sorted
  std::shared_ptr<const ResourcePrefixes> excluded_;  // by the queue; null: nothing
  base::FlatMap<std::string> device_resources_;       // of the queue, by device class
};

}  // namespace berth::workload
