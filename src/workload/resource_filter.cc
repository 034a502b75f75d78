#include "workload/resource_filter.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "quantity/amount.h"
#include "workload/pod_requests.h"

namespace berth::workload {
namespace {

constexpr std::string_view kPods = "pods";

std::vector<std::string> DeclaredBy(const api::ClusterQueueSpec& cluster_queue) {
  std::vector<std::string> declared;
  for (const api::ResourceGroup& group : cluster_queue.resource_groups) {
    declared.insert(declared.end(), group.covered_resources.begin(), group.covered_resources.end());
  }
  std::ranges::sort(declared);
  return declared;
}

void SortEachOnce(std::vector<SkippedResource>& skipped) {
  std::ranges::sort(skipped, {},
                    [](const SkippedResource& s) { return std::tie(s.resource, s.why, s.prefix); });
  const auto repeated = std::ranges::unique(skipped);
  skipped.erase(repeated.begin(), repeated.end());
}

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

std::string ToString(const SkippedResource& skipped, std::string_view cluster_queue) {
  std::string text = skipped.resource + ": ";
  switch (skipped.why) {
    case NotCounted::kExcludedByConfiguration:
      return text + "excluded by prefix " + Quoted(skipped.prefix) + " in the Configuration";
    case NotCounted::kExcludedByClusterQueue:
      return text + "excluded by prefix " + Quoted(skipped.prefix) + " in ClusterQueue " +
             Quoted(cluster_queue);
    case NotCounted::kReplaced:
      return text + "counted as other resources by a transformation in the Configuration";
    case NotCounted::kNotDeclared:
      return text + "not declared in ClusterQueue " + Quoted(cluster_queue);
    case NotCounted::kAdminAccess:
      return text + "admin access";
  }
  return text;
}

std::vector<PodSetDemand> DemandOf(std::span<const api::PodSet> pod_sets,
                                   std::span<const api::ReclaimablePod> reclaimable,
                                   const ResourceOptions& options) {
  std::vector<PodSetDemand> demands;
  demands.reserve(pod_sets.size());
  for (const api::PodSet& pod_set : pod_sets) {
    int32_t count = pod_set.count.value_or(1);
    const auto reclaim = std::ranges::find(reclaimable, pod_set.name, &api::ReclaimablePod::name);
    if (options.reclaims_pods && reclaim != reclaimable.end()) {
      count = CountAfterReclaim(count, reclaim->count);
    }
    demands.push_back({pod_set.name, count, PodRequests(pod_set.template_.spec), {}});
  }
  return demands;
}

ResourceFilter::ResourceFilter(std::shared_ptr<const ResourceOptions> options)
    : options_(std::move(options)) {}

ResourceFilter::ResourceFilter(std::shared_ptr<const ResourceOptions> options,
                               const api::ClusterQueueSpec& cluster_queue,
                               ResourcePrefixPool& prefixes)
    : options_(std::move(options)), has_queue_(true), declared_(DeclaredBy(cluster_queue)) {
  if (options_->has_queue_exclusion && !cluster_queue.exclude_resource_prefixes.empty()) {
    excluded_ = prefixes.Share(cluster_queue.exclude_resource_prefixes);
  }
}

bool ResourceFilter::IsDeclared(std::string_view resource) const {
  return std::ranges::binary_search(declared_, resource, std::less<>());
}

ResourceFilter::Exclusion ResourceFilter::ExclusionOf(std::string_view resource) const {
  if (options_->checks_only_declared) return {};
  if (const std::string* prefix = options_->excluded.Find(resource)) {
    return {prefix, NotCounted::kExcludedByConfiguration};
  }
  if (excluded_ == nullptr) return {};
  return {excluded_->Find(resource), NotCounted::kExcludedByClusterQueue};
}

bool ResourceFilter::SkipExcluded(std::string_view resource, Skipped& skipped) const {
  const Exclusion exclusion = ExclusionOf(resource);
  if (exclusion.prefix == nullptr) return false;
  skipped.push_back({std::string(resource), exclusion.why, *exclusion.prefix});
  return true;
}

Requests ResourceFilter::CountOnePod(const api::ResourceList& per_pod, Skipped& skipped) const {
  const ResourceTransformations& transformations = options_->transformations;
  api::ResourceList kept;
  for (const auto& [resource, quantity] : per_pod) {
    if (SkipExcluded(resource, skipped)) continue;
    kept.Set(resource, quantity);
    if (transformations.Replaces(resource))
      skipped.push_back({resource, NotCounted::kReplaced, {}});
  }
  if (transformations.AppliesTo(kept)) kept = transformations.Apply(kept);
  return ToRequests(kept);
}

void ResourceFilter::AddDevices(std::span<const DeviceRequest> devices, Requests& requests,
                                Skipped& skipped) const {
  for (const DeviceRequest& device : devices) {
    if (device.is_admin_access) {
      skipped.push_back({device.resource, NotCounted::kAdminAccess, {}});
    } else if (!SkipExcluded(device.resource, skipped)) {
      int64_t& amount = requests[device.resource];
      amount = quantity::SaturatingAdd(amount, device.amount);
    }
  }
}

Requests ResourceFilter::DropUndeclared(Requests requests, Skipped& skipped) const {
  Requests declared;
  for (const auto& [resource, amount] : requests) {
    if (IsDeclared(resource) || (amount != 0 && !options_->checks_only_declared)) {
      declared.Set(resource, amount);
    } else {
      skipped.push_back({resource, NotCounted::kNotDeclared, {}});
    }
  }
  return declared;
}

void ResourceFilter::AddPods(int32_t count, Requests& requests, Skipped& skipped) const {
  if (!IsDeclared(kPods)) return;
  if (options_->has_queue_exclusion && SkipExcluded(kPods, skipped)) {
    requests.Erase(kPods);
  } else {
    requests.Set(kPods, count);
  }
}

CountedRequests ResourceFilter::Count(std::span<const PodSetDemand> pod_sets) const {
  CountedRequests counted;
  counted.pod_sets.reserve(pod_sets.size());
  for (const PodSetDemand& pod_set : pod_sets) {
    Requests requests;
    for (const auto& [resource, amount] : CountOnePod(pod_set.per_pod, counted.skipped)) {
      requests.Set(resource, quantity::SaturatingMul(std::max<int64_t>(amount, 0), pod_set.count));
    }
    AddDevices(pod_set.devices, requests, counted.skipped);
    if (has_queue_) {
      requests = DropUndeclared(std::move(requests), counted.skipped);
      AddPods(pod_set.count, requests, counted.skipped);
    }
    counted.pod_sets.push_back({pod_set.name, pod_set.count, std::move(requests)});
  }
  SortEachOnce(counted.skipped);
  return counted;
}

}  // namespace berth::workload
