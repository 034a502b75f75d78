#include "webhook/quota_review.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "quantity/resource_amount.h"
#include "workload/requests/limit_summary.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/resource_filter.h"
#include "workload/unsatisfiable.h"

namespace berth::webhook {
namespace {

using workload::PotentialQuota;
using workload::QuotaLookup;

std::optional<api::ClusterQueue> ClusterQueueOf(const QueuedPods& queued, const Lookup& lookup) {
  if (queued.queue.empty()) return std::nullopt;
  const auto local = lookup.FindLocalQueue(queued.namespace_, queued.queue);
  if (!local || !local->spec.cluster_queue) return std::nullopt;
  return lookup.FindClusterQueue(*local->spec.cluster_queue);
}

using Flavors = std::map<std::string, api::ResourceFlavor, std::less<>>;

// Nullopt if one is missing: the queue is inactive then, and may get any flavor.
std::optional<Flavors> FlavorsOf(const api::ClusterQueueSpec& queue, const Lookup& lookup) {
  Flavors flavors;
  for (const api::ResourceGroup& group : queue.resource_groups) {
    for (const api::FlavorQuotas& quotas : group.flavors) {
      auto flavor = lookup.FindResourceFlavor(quotas.name);
      if (!flavor) return std::nullopt;
      flavors.emplace(quotas.name, *std::move(flavor));
    }
  }
  return flavors;
}

// The smallest numbers of pods that may be admitted, with the defaults of the namespace.
std::vector<api::PodSet> SmallestPodSets(const QueuedPods& queued, const Lookup& lookup) {
  workload::LimitSummary limits;
  for (const api::LimitRange& range : lookup.LimitRanges(queued.namespace_)) limits.Add(range.spec);
  std::vector<api::PodSet> pod_sets = queued.pod_sets;
  for (api::PodSet& pods : pod_sets) {
    if (pods.min_count) pods.count = pods.min_count;
    AdjustPod(pods.template_.spec, limits, {});
  }
  return pod_sets;
}

// The quota of the queue itself.
QuotaLookup OwnQuota(const api::ClusterQueueSpec& queue) {
  const auto find = [&queue](std::string_view flavor,
                             std::string_view resource) -> std::optional<PotentialQuota::Bound> {
    for (const api::ResourceGroup& group : queue.resource_groups) {
      const auto quotas = std::ranges::find(group.flavors, flavor, &api::FlavorQuotas::name);
      if (quotas == group.flavors.end()) continue;
      const auto quota = std::ranges::find(quotas->resources, resource, &api::ResourceQuota::name);
      if (quota == quotas->resources.end()) continue;
      const auto nominal = quantity::QuotaAmount(resource, quota->nominal_quota);
      return PotentialQuota::Bound{.nominal = nominal, .most = nominal};
    }
    return PotentialQuota::Bound{};
  };
  return {.find_bound = find, .find_flavor = [](std::string_view) { return nullptr; }};
}

template <class T>
std::vector<const T*> PointersTo(const std::vector<T>& objects) {
  std::vector<const T*> pointers;
  for (const T& object : objects) pointers.push_back(&object);
  return pointers;
}

PotentialQuota QuotaOfTree(const Lookup& lookup) {
  const std::vector<api::ClusterQueue> queues = lookup.ClusterQueues();
  const std::vector<api::Cohort> cohorts = lookup.Cohorts();
  return PotentialQuota(PointersTo(queues), PointersTo(cohorts));
}

bool IsShortOfQuota(const workload::UnsatisfiableRequest& request) {
  return request.is_uncovered() ||
         std::ranges::any_of(request.obstacles, [](const workload::FlavorObstacle& obstacle) {
           return !obstacle.shortages.empty();
         });
}

// An extended resource may be that of a DeviceClass, which the webhooks do not watch.
bool MayBeDevices(const workload::UnsatisfiableRequest& request,
                  const workload::ResourceOptions& options) {
  return options.counts_extended_resources && request.is_uncovered() &&
         std::ranges::all_of(request.requests, [](const auto& requested) {
           return requested.first.find('/') != std::string::npos;
         });
}

bool FitsIn(const workload::CountedRequests& counted, const std::vector<api::PodSet>& pod_sets,
            const api::ClusterQueueSpec& queue, const QuotaLookup& quota) {
  for (size_t i = 0; i < counted.pod_sets.size(); ++i)
    if (!FindUnsatisfiable(counted.pod_sets[i], pod_sets[i].template_.spec, queue, quota).empty())
      return false;
  return true;
}

}  // namespace

QuotaReview::QuotaReview(const api::Configuration& configuration, const api::FeatureGates& gates)
    : options_(std::make_shared<workload::ResourceOptions>(
          workload::ResourceOptions::From(configuration, gates))) {}

std::vector<std::string> QuotaReview::Warnings(const QueuedPods& queued,
                                               const Lookup& lookup) const {
  const std::optional<api::ClusterQueue> queue = ClusterQueueOf(queued, lookup);
  if (!queue) return {};
  const std::vector<api::PodSet> pod_sets = SmallestPodSets(queued, lookup);
  workload::ResourcePrefixPool prefixes;
  const workload::CountedRequests counted =
      workload::ResourceFilter(options_, queue->spec, prefixes)
          .Count(workload::DemandOf(pod_sets, {}, *options_));
  // Most workloads fit in the quota of their own queue; the tree is read only for the others.
  if (FitsIn(counted, pod_sets, queue->spec, OwnQuota(queue->spec))) return {};
  const std::optional<Flavors> flavors = FlavorsOf(queue->spec, lookup);
  if (!flavors) return {};
  PotentialQuota tree = QuotaOfTree(lookup);
  const QuotaLookup quota{
      .find_bound =
          [&](std::string_view flavor, std::string_view resource) {
            return tree.Find(queue->metadata.name, flavor, resource);
          },
      .find_flavor = [&](std::string_view flavor) { return &flavors->find(flavor)->second; },
      .cannot_borrow = queued.cannot_borrow};
  std::vector<std::string> warnings;
  for (size_t i = 0; i < counted.pod_sets.size(); ++i) {
    for (const workload::UnsatisfiableRequest& request :
         FindUnsatisfiable(counted.pod_sets[i], pod_sets[i].template_.spec, queue->spec, quota)) {
      if (IsShortOfQuota(request) && !MayBeDevices(request, *options_))
        warnings.push_back(ToString(request, "pod set " + counted.pod_sets[i].name + " requests",
                                    queue->metadata.name, queued.cannot_borrow));
    }
  }
  return warnings;
}

}  // namespace berth::webhook
