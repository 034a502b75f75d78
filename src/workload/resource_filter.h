#pragma once

// Which requests count: the one place that answers, for a workload and the ClusterQueue that it is
// queued in, which resources count against quota, how much of each, and why the others do not.
//
// The order is
//   1. what one pod requests (pod_requests.h), exact;
//   2. exclusions: prefixes of the Configuration, then those of the queue (KEP-5800);
//   3. transformations. Their outputs are not subject to exclusions;
//   4. rounding up to whole counts, nothing below 0, times the number of pods;
//   5. devices (KEP-2941), under the name that the queue has for their class, or else the
//      Configuration; exclusions apply to that name. A class without one counts as a resource that
//      no queue declares;
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

// Devices of one class that an entry of a pod set's `resourceClaims` asks for (claims.h).
struct DeviceDemand {
  std::string claim;  // "ResourceClaimTemplate single-gpu"
  std::string device_class;
  int64_t per_pod = 0;
  int64_t shared = 0;  // by all pods of the workload; in one pod set only
  bool is_admin_access = false;
};

// What the pods of a set ask for, before anything is left out.
struct PodSetDemand {
  std::string name;
  int32_t count = 0;  // after reclaim
  api::ResourceList per_pod;
  std::vector<DeviceDemand> devices;
};

// The demand of adjusted pod sets (pod_requests.h), without claims. Pods that are reclaimable do
// not count, unless the options say otherwise; a pod set without a count has one pod.
std::vector<PodSetDemand> DemandOf(std::span<const api::PodSet> pod_sets,
                                   std::span<const api::ReclaimablePod> reclaimable,
                                   const ResourceOptions& options);

// Devices that count: part of the requests of their pod set.
struct CountedDevices {
  std::string pod_set;
  std::string claim;
  std::string device_class;
  std::string resource;  // that they count as
  int64_t amount = 0;    // of all pods together

  friend bool operator==(const CountedDevices&, const CountedDevices&) = default;
};

struct CountedRequests {
  std::vector<PodSetTotals> pod_sets;
  std::vector<SkippedResource> skipped;  // by resource, each reason once
  std::vector<CountedDevices> devices = {};

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

  // Whether the number of pods counts where the queue declares `pods`.
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
  Requests CountOnePod(const api::ResourceList& per_pod, Skipped& skipped) const;
  // The name that devices of the class count as; null if there is none.
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
