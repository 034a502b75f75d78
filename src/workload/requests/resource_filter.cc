#include "workload/requests/resource_filter.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "api/kueue/rules/quota_rules.h"
#include "api/meta/problem_report.h"
#include "quantity/amount.h"
#include "quantity/resource_amount.h"
#include "workload/requests/pod_requests.h"

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

base::FlatMap<std::string> DeviceResourcesOf(const api::ClusterQueueSpec& cluster_queue) {
  base::FlatMap<std::string> resources;
  for (const auto& [resource, classes] :
       api::DeviceClassesByResource(cluster_queue.resource_groups)) {
    for (const std::string& device_class : classes) resources.Set(device_class, resource);
  }
  return resources;
}

constexpr std::string_view kUnmapped = "DeviceClass ";

std::string Unmapped(std::string_view device_class) {
  return std::string(kUnmapped) + std::string(device_class);
}

void SortUnique(std::vector<SkippedResource>& skipped) {
  std::ranges::sort(skipped, {},
                    [](const SkippedResource& s) { return std::tie(s.resource, s.why, s.prefix); });
  const auto repeated = std::ranges::unique(skipped);
  skipped.erase(repeated.begin(), repeated.end());
}

}  // namespace

std::optional<std::string_view> UnmappedClassOf(std::string_view resource) {
  if (!resource.starts_with(kUnmapped)) return std::nullopt;
  return resource.substr(kUnmapped.size());
}

std::string ToString(const SkippedResource& skipped, std::string_view cluster_queue) {
  std::string text = skipped.resource + ": ";
  switch (skipped.why) {
    case NotCounted::kExcludedByConfiguration:
      return text + "excluded by prefix " + api::Quoted(skipped.prefix) + " in the Configuration";
    case NotCounted::kExcludedByClusterQueue:
      return text + "excluded by prefix " + api::Quoted(skipped.prefix) + " in ClusterQueue " +
             api::Quoted(cluster_queue);
    case NotCounted::kReplaced:
      return text + "counted as other resources by a transformation in the Configuration";
    case NotCounted::kNotDeclared:
      return text + "not declared in ClusterQueue " + api::Quoted(cluster_queue);
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
  if (options_->has_queue_device_classes) device_resources_ = DeviceResourcesOf(cluster_queue);
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

// A class whose devices are not counted as a whole has no name, but must not count as a plain
// resource either.
bool ResourceFilter::CountsAsDevices(const DeviceDemand& device) const {
  return device.extended_resource.empty() || ResourceFor(device.device_class) != nullptr ||
         std::ranges::binary_search(options_->classes_with_sources, device.device_class);
}

Requests ResourceFilter::CountOnePod(const PodSetDemand& pod_set, Skipped& skipped) const {
  const ResourceTransformations& transformations = options_->transformations;
  api::ResourceList kept;
  for (const auto& [resource, quantity] : pod_set.per_pod) {
    const bool is_device = std::ranges::any_of(pod_set.devices, [&](const DeviceDemand& device) {
      return device.extended_resource == resource && CountsAsDevices(device);
    });
    if (is_device || SkipExcluded(resource, skipped)) continue;
    kept.Set(resource, quantity);
    if (transformations.Replaces(resource))
      skipped.push_back({resource, NotCounted::kReplaced, {}});
  }
  if (transformations.AppliesTo(kept)) kept = transformations.Apply(kept);
  return ToRequests(kept);
}

const std::string* ResourceFilter::ResourceFor(std::string_view device_class) const {
  const std::string* resource = device_resources_.Find(device_class);
  return resource != nullptr ? resource : options_->device_resources.Find(device_class);
}

void ResourceFilter::AddDevices(const PodSetDemand& pod_set, PodSetTotals& totals,
                                CountedRequests& counted) const {
  for (const DeviceDemand& device : pod_set.devices) {
    if (!CountsAsDevices(device)) continue;
    const std::string* known = ResourceFor(device.device_class);
    const std::string resource = known == nullptr ? Unmapped(device.device_class) : *known;
    if (device.is_admin_access) {
      counted.skipped.push_back({resource, NotCounted::kAdminAccess, {}});
      continue;
    }
    if (known != nullptr && SkipExcluded(resource, counted.skipped)) continue;
    const auto add = [&](Requests& requests, int64_t devices) {
      int64_t& amount = requests[resource];
      amount = quantity::SaturatingAdd(
          amount, quantity::RequestAmount(resource, quantity::Quantity::FromInt(devices)));
    };
    const int64_t devices = quantity::SaturatingAdd(
        quantity::SaturatingMul(device.per_pod, pod_set.count), device.shared);
    if (known == nullptr && !options_->checks_only_declared) {
      int64_t& unmapped = counted.unmapped_devices[device.device_class];
      unmapped = quantity::SaturatingAdd(unmapped, devices);
    }
    add(totals.requests, devices);
    if (device.shared > 0) add(totals.shared, device.shared);
    counted.devices.push_back({pod_set.name, device.claim, device.device_class, resource, devices});
  }
}

void ResourceFilter::DropUndeclared(PodSetTotals& totals, Skipped& skipped) const {
  Requests declared;
  for (const auto& [resource, amount] : totals.requests) {
    if (IsDeclared(resource) || (amount != 0 && !options_->checks_only_declared)) {
      declared.Set(resource, amount);
    } else {
      totals.shared.Erase(resource);
      skipped.push_back({resource, NotCounted::kNotDeclared, {}});
    }
  }
  totals.requests = std::move(declared);
}

bool ResourceFilter::CountsPods() const {
  return !options_->has_queue_exclusion || ExclusionOf(kPods).prefix == nullptr;
}

void ResourceFilter::AddPods(int32_t count, Requests& requests, Skipped& skipped) const {
  if (!IsDeclared(kPods)) return;
  if (CountsPods()) {
    requests.Set(kPods, count);
  } else {
    SkipExcluded(kPods, skipped);
    requests.Erase(kPods);
  }
}

CountedRequests ResourceFilter::Count(std::span<const PodSetDemand> pod_sets) const {
  CountedRequests counted;
  counted.pod_sets.reserve(pod_sets.size());
  for (const PodSetDemand& pod_set : pod_sets) {
    PodSetTotals& totals = counted.pod_sets.emplace_back(PodSetTotals{pod_set.name, pod_set.count});
    for (const auto& [resource, amount] : CountOnePod(pod_set, counted.skipped)) {
      totals.requests.Set(resource,
                          quantity::SaturatingMul(std::max<int64_t>(amount, 0), pod_set.count));
    }
    AddDevices(pod_set, totals, counted);
    if (!has_queue_) continue;
    DropUndeclared(totals, counted.skipped);
    std::erase_if(counted.devices, [&](const CountedDevices& devices) {
      return devices.pod_set == totals.name && !totals.requests.Contains(devices.resource);
    });
    AddPods(pod_set.count, totals.requests, counted.skipped);
  }
  SortUnique(counted.skipped);
  return counted;
}

}  // namespace berth::workload
