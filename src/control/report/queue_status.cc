#include "control/report/queue_status.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "api/kueue/well_known.h"
#include "engine/quota/fair_share.h"
#include "lifecycle/messages.h"
#include "quantity/resource_amount.h"
#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace reason = api::reason;

// 0 while the cohorts form a cycle; nullopt without fair sharing.
std::optional<int64_t> ShareOf(const engine::State& state, engine::NodeId node) {
  if (!state.options.fair_sharing || node.is_none()) return std::nullopt;
  if (state.forest.node(node).is_in_cycle) return 0;
  return engine::RoundedShare(engine::ShareOf(state.forest, node));
}

int64_t AmountIn(const QueueCounts::Amounts& amounts, const std::string& flavor,
                 const std::string& resource) {
  const auto found = amounts.find({flavor, resource});
  if (found == amounts.end()) return 0;
  return found->second < 0 ? std::numeric_limits<int64_t>::max() : found->second;
}

// Flavors in the order of the spec, resources by name.
template <class Flavor, class Fill>
std::vector<Flavor> ByFlavor(const api::ClusterQueueSpec& spec, Fill fill) {
  std::vector<Flavor> flavors;
  for (const api::ResourceGroup& group : spec.resource_groups)
    for (const api::FlavorQuotas& quotas : group.flavors) {
      Flavor& flavor = flavors.emplace_back();
      flavor.name = quotas.name;
      for (const api::ResourceQuota& quota : quotas.resources)
        fill(flavor.resources.emplace_back(), quotas.name, quota);
      std::ranges::sort(flavor.resources, {}, [](const auto& r) { return r.name; });
    }
  return flavors;
}

std::vector<api::FlavorUsage> ClusterQueueUsage(const api::ClusterQueueSpec& spec,
                                                const QueueCounts::Amounts& amounts) {
  const quantity::AmountFormatter formatter;
  return ByFlavor<api::FlavorUsage>(spec, [&](api::ResourceUsage& usage, const std::string& flavor,
                                              const api::ResourceQuota& quota) {
    const int64_t total = AmountIn(amounts, flavor, quota.name);
    const int64_t nominal = quantity::RequestAmount(quota.name, quota.nominal_quota);
    const bool may_borrow = spec.cohort_name && !spec.cohort_name->empty();
    usage.name = quota.name;
    usage.total = formatter.ToQuantity(quota.name, total);
    usage.borrowed =
        formatter.ToQuantity(quota.name, may_borrow && total > nominal ? total - nominal : 0);
  });
}

std::vector<api::LocalQueueFlavorUsage> LocalQueueUsage(const api::ClusterQueueSpec& spec,
                                                        const QueueCounts::Amounts& amounts) {
  const quantity::AmountFormatter formatter;
  return ByFlavor<api::LocalQueueFlavorUsage>(
      spec, [&](api::LocalQueueResourceUsage& usage, const std::string& flavor,
                const api::ResourceQuota& quota) {
        usage.name = quota.name;
        usage.total = formatter.ToQuantity(quota.name, AmountIn(amounts, flavor, quota.name));
      });
}

struct Activity {
  std::string_view reason = reason::kReady;
  std::string message;
};

std::vector<api::Condition> WithActive(std::vector<api::Condition> conditions, int64_t generation,
                                       Activity activity, base::Time now) {
  const bool is_active = activity.reason == reason::kReady;
  workload::SetCondition(
      conditions,
      {.type = std::string(api::condition::kActive),
       .status = std::string(is_active ? api::kConditionTrue : api::kConditionFalse),
       .observed_generation = generation,
       .last_transition_time = now,
       .reason = std::string(activity.reason),
       .message = std::move(activity.message),
       .extra = {}},
      now);
  return conditions;
}

// "racks of ResourceFlavor gpu", in the order of the spec.
std::vector<std::string> MissingTopologies(const api::ClusterQueueSpec& spec,
                                           const workload::ClusterState& cluster) {
  std::vector<std::string> names;
  for (const api::ResourceGroup& group : spec.resource_groups)
    for (const api::FlavorQuotas& quotas : group.flavors) {
      const api::ResourceFlavor* flavor = cluster.FindFlavor(quotas.name);
      if (flavor == nullptr || !flavor->spec.topology_name) continue;
      if (cluster.FindTopology(*flavor->spec.topology_name) == nullptr)
        names.push_back(*flavor->spec.topology_name + " of ResourceFlavor " + quotas.name);
    }
  return names;
}

std::string WhatIsMissing(const api::ClusterQueueSpec& spec, std::string_view why,
                          const workload::ClusterState& cluster) {
  if (why == reason::kStopped) return lifecycle::messages::ClusterQueueStopped();
  if (why == kCohortCycleReason)
    return lifecycle::messages::CohortCycle(spec.cohort_name.value_or(""));
  std::vector<std::string> names;
  if (why == reason::kFlavorNotFound)
    for (const api::ResourceGroup& group : spec.resource_groups)
      for (const api::FlavorQuotas& flavor : group.flavors)
        if (cluster.FindFlavor(flavor.name) == nullptr) names.push_back(flavor.name);
  if (!names.empty()) return lifecycle::messages::FlavorNotFound(names);
  if (why == reason::kTopologyNotFound)
    return lifecycle::messages::TopologyNotFound(MissingTopologies(spec, cluster));
  if (spec.admission_checks_strategy)
    for (const auto& rule : spec.admission_checks_strategy->admission_checks)
      names.push_back(rule.name);
  return lifecycle::messages::AdmissionChecksUnusable(why, names);
}

Activity ActivityOf(const api::ClusterQueue& queue, const workload::ClusterState& cluster) {
  if (queue.metadata.deletion_timestamp)
    return {reason::kTerminating, lifecycle::messages::ClusterQueueTerminating()};
  const std::string_view why = InactiveReason(queue.metadata.name, cluster);
  if (why.empty()) return {reason::kReady, lifecycle::messages::ClusterQueueReady()};
  return {why, WhatIsMissing(queue.spec, why, cluster)};
}

Activity ActivityOf(const api::LocalQueue& queue, const workload::ClusterState& cluster) {
  if (workload::IsStopped(queue.spec.stop_policy))
    return {reason::kStopped, lifecycle::messages::QueueStopped("LocalQueue", queue.metadata.name)};
  const std::string name = queue.spec.cluster_queue.value_or("");
  const api::ClusterQueue* cluster_queue = cluster.FindClusterQueue(name);
  if (cluster_queue == nullptr)
    return {reason::kClusterQueueDoesNotExist,
            lifecycle::messages::QueueNotFound("ClusterQueue", name)};
  if (ActivityOf(*cluster_queue, cluster).reason != reason::kReady)
    return {reason::kClusterQueueIsInactive, lifecycle::messages::QueueInactive(name)};
  return {reason::kReady, lifecycle::messages::LocalQueueReady(name)};
}

}  // namespace

std::string_view InactiveReason(std::string_view cluster_queue,
                                const workload::ClusterState& cluster) {
  const std::string_view why = cluster.InactiveReason(cluster_queue);
  if (!why.empty()) return why;
  const engine::NodeId node = cluster.engine().FindClusterQueue(cluster_queue);
  return !node.is_none() && cluster.engine().IsInCohortCycle(node) ? kCohortCycleReason
                                                                   : std::string_view();
}

api::ClusterQueueStatus StatusOf(const api::ClusterQueue& queue, const QueueCounts& counts,
                                 const workload::ClusterState& cluster, base::Time now) {
  api::ClusterQueueStatus status = queue.status;
  status.conditions = WithActive(std::move(status.conditions), queue.metadata.generation,
                                 ActivityOf(queue, cluster), now);
  status.flavors_reservation = ClusterQueueUsage(queue.spec, counts.reserved);
  status.flavors_usage = ClusterQueueUsage(queue.spec, counts.used);
  status.pending_workloads = counts.pending;
  status.reserving_workloads = counts.reserving;
  status.admitted_workloads = counts.admitted;
  const engine::State& state = cluster.engine().state();
  const engine::NodeId node = cluster.engine().FindClusterQueue(queue.metadata.name);
  if (const auto share = ShareOf(state, node)) {
    if (!status.fair_sharing) status.fair_sharing.emplace();
    status.fair_sharing->weighted_share = *share;
  } else {
    status.fair_sharing.reset();
  }
  return status;
}

api::LocalQueueStatus StatusOf(const api::LocalQueue& queue, const QueueCounts& counts,
                               const workload::ClusterState& cluster, base::Time now) {
  api::LocalQueueStatus status = queue.status;
  status.conditions = WithActive(std::move(status.conditions), queue.metadata.generation,
                                 ActivityOf(queue, cluster), now);
  status.pending_workloads = counts.pending;
  status.reserving_workloads = counts.reserving;
  status.admitted_workloads = counts.admitted;
  status.flavors_reservation.clear();
  status.flavors_usage.clear();
  if (const auto* target = cluster.FindClusterQueue(queue.spec.cluster_queue.value_or(""))) {
    status.flavors_reservation = LocalQueueUsage(target->spec, counts.reserved);
    status.flavors_usage = LocalQueueUsage(target->spec, counts.used);
  }
  return status;
}

api::CohortStatus StatusOf(const api::Cohort& cohort, const workload::ClusterState& cluster) {
  api::CohortStatus status = cohort.status;
  const engine::State& state = cluster.engine().state();
  const engine::NodeId node = state.forest.FindCohort(cohort.metadata.name);
  status.fair_sharing.reset();
  if (const auto share = ShareOf(state, node))
    status.fair_sharing.emplace().weighted_share = *share;
  return status;
}

}  // namespace berth::control
