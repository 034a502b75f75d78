#pragma once

// Which requests count: the one place that answers, for a workload and the ClusterQueue that it is
// queued in, which resources count against quota, how much of each, and why the others do not.
//
// The order is
//   1. what one pod requests (pod_requests.h), exact;
//   2. exclusions: prefixes of the Configuration, then those of the queue (KEP-5800);
//   3. transformations. Their outputs are not subject to exclusions;
//   4. rounding up to whole counts, nothing below 0, times the number of pods;
//   5. devices, under the queue's canonical names (KEP-2941), to which exclusions apply;
//   6. quotaCheck (KEP-7513): with OnlyDeclared exclusions have no effect, and what the queue does
//      not declare is left out. Otherwise only requests of 0 for such resources are left out; a
//      positive one counts, and no flavor can serve it;
//   7. `pods`, where the queue declares it: the number of pods. With the gate for exclusion by
//      queues on, a prefix that means `pods` keeps it out, by whichever list.
//
// The answer depends on the queue: ask again when the workload moves to another one or the queue's
// spec changes, and before taking a shape (shape.h). Topology placement looks at pod requests and
// not at this. What an admitted workload was charged is in its status.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "api/pod_set.h"
#include "api/resource_requirements.h"
#include "api/workload.h"
#include "workload/requests.h"
#include "workload/resource_options.h"
#include "workload/resource_prefixes.h"

namespace berth::workload {

// Why a resource that a workload requests does not count.
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
  std::string prefix;  // that excluded it

  friend bool operator==(const SkippedResource&, const SkippedResource&) = default;
};

// `memory: excluded by prefix "mem" in ClusterQueue "a"`, for logs, Events and explanations.
std::string ToString(const SkippedResource& skipped, std::string_view cluster_queue);

// Devices that the claims of a pod set ask for.
struct DeviceRequest {
  std::string resource;  // canonical name, or the class's own if the queue has none for it
  int64_t amount = 0;    // of all pods together; a shared claim is in one pod set only
  bool is_admin_access = false;
};

// What the pods of a set ask for, before anything is left out.
struct PodSetDemand {
  std::string name;
  int32_t count = 0;  // after reclaim
  api::ResourceList per_pod;
  std::vector<DeviceRequest> devices;
};

// The demand of adjusted pod sets (pod_requests.h), without claims. Pods that are reclaimable do
// not count, unless the options say otherwise; a pod set without a count has one pod.
std::vector<PodSetDemand> DemandOf(std::span<const api::PodSet> pod_sets,
                                   std::span<const api::ReclaimablePod> reclaimable,
                                   const ResourceOptions& options);

struct CountedRequests {
  std::vector<PodSetTotals> pod_sets;
  std::vector<SkippedResource> skipped;  // by resource, each reason once

  friend bool operator==(const CountedRequests&, const CountedRequests&) = default;
};

// Counts for one ClusterQueue. Cheap to make; options and compiled prefixes are shared.
class ResourceFilter {
 public:
  // No queue yet: everything counts that the Configuration does not exclude.
  explicit ResourceFilter(std::shared_ptr<const ResourceOptions> options);
  ResourceFilter(std::shared_ptr<const ResourceOptions> options,
                 const api::ClusterQueueSpec& cluster_queue, ResourcePrefixPool& prefixes);

  CountedRequests Count(std::span<const PodSetDemand> pod_sets) const;

 private:
  struct Exclusion {
    const std::string* prefix = nullptr;  // null: not excluded
    NotCounted why = NotCounted::kExcludedByConfiguration;
  };
  using Skipped = std::vector<SkippedResource>;

  bool IsDeclared(std::string_view resource) const;
  Exclusion ExclusionOf(std::string_view resource) const;
  bool SkipExcluded(std::string_view resource, Skipped& skipped) const;
  Requests CountOnePod(const api::ResourceList& per_pod, Skipped& skipped) const;
  void AddDevices(std::span<const DeviceRequest> devices, Requests& requests,
                  Skipped& skipped) const;
  Requests DropUndeclared(Requests requests, Skipped& skipped) const;
  void AddPods(int32_t count, Requests& requests, Skipped& skipped) const;

  std::shared_ptr<const ResourceOptions> options_;
  bool has_queue_ = false;
  std::vector<std::string> declared_;                 // sorted
  std::shared_ptr<const ResourcePrefixes> excluded_;  // by the queue; null: nothing
};

}  // namespace berth::workload
