#include "control/queue_status.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "api/well_known.h"
#include "engine/fair_share.h"
#include "quantity/resource_amount.h"
#include "workload/convert_queue.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace reason = api::reason;

// None while the cohorts are each other's ancestors.
std::optional<int64_t> ShareOf(const engine::State& state, engine::NodeId node) {
  if (!state.options.fair_sharing || node.is_none()) return std::nullopt;
  if (state.forest.node(node).is_in_cycle) return 0;
  return engine::RoundedShare(engine::ShareOf(state.forest, node));
}

int64_t AmountIn(const Tally::Amounts& amounts, const std::string& flavor,
                 const std::string& resource) {
  const auto found = amounts.find({flavor, resource});
  return found == amounts.end() ? 0 : found->second;
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
                                                const Tally::Amounts& amounts) {
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
                                                        const Tally::Amounts& amounts) {
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

std::string WhatIsMissing(const api::ClusterQueueSpec& spec, std::string_view why,
                          const workload::EngineFeed& feed) {
  if (why == reason::kStopped) return "it is stopped";
  if (why == kCohortCycleReason)
    return "cohort " + spec.cohort_name.value_or("") + " is below itself; change a parentName";
  std::string names;
  if (why == reason::kFlavorNotFound)
    for (const api::ResourceGroup& group : spec.resource_groups)
      for (const api::FlavorQuotas& flavor : group.flavors)
        if (feed.FindFlavor(flavor.name) == nullptr)
          names += (names.empty() ? "" : ", ") + flavor.name;
  if (!names.empty()) return "these ResourceFlavors do not exist: " + names;
  if (spec.admission_checks_strategy)
    for (const auto& rule : spec.admission_checks_strategy->admission_checks)
      names += (names.empty() ? "" : ", ") + rule.name;
  return names.empty() ? std::string(why)
                       : std::string(why) + " (its admission checks: " + names + ")";
}

Activity ActivityOf(const api::ClusterQueue& queue, const workload::EngineFeed& feed) {
  if (queue.metadata.deletion_timestamp)
    return {reason::kTerminating, "Admits nothing more, because it is being deleted"};
  const std::string_view why = WhyInactive(queue.metadata.name, feed);
  if (why.empty()) return {reason::kReady, "Can admit new workloads"};
  return {why, "Admits nothing more: " + WhatIsMissing(queue.spec, why, feed)};
}

Activity ActivityOf(const api::LocalQueue& queue, const workload::EngineFeed& feed) {
  if (workload::IsStopped(queue.spec.stop_policy))
    return {reason::kStopped, "The LocalQueue is stopped"};
  const std::string name = queue.spec.cluster_queue.value_or("");
  const api::ClusterQueue* cluster_queue = feed.FindClusterQueue(name);
  if (cluster_queue == nullptr)
    return {reason::kClusterQueueDoesNotExist, "ClusterQueue " + name + " does not exist"};
  if (ActivityOf(*cluster_queue, feed).reason != reason::kReady)
    return {reason::kClusterQueueIsInactive, "ClusterQueue " + name + " is inactive"};
  return {reason::kReady, "Can submit new workloads to ClusterQueue " + name};
}

}  // namespace

std::string_view WhyInactive(std::string_view cluster_queue, const workload::EngineFeed& feed) {
  const std::string_view why = feed.WhyInactive(cluster_queue);
  if (!why.empty()) return why;
  const engine::NodeId node = feed.engine().FindClusterQueue(cluster_queue);
  return !node.is_none() && feed.engine().IsInCohortCycle(node) ? kCohortCycleReason
                                                                : std::string_view();
}

api::ClusterQueueStatus StatusOf(const api::ClusterQueue& queue, const Tally& tally,
                                 const workload::EngineFeed& feed, base::Time now) {
  api::ClusterQueueStatus status = queue.status;
  status.conditions = WithActive(std::move(status.conditions), queue.metadata.generation,
                                 ActivityOf(queue, feed), now);
  status.flavors_reservation = ClusterQueueUsage(queue.spec, tally.reserved);
  status.flavors_usage = ClusterQueueUsage(queue.spec, tally.used);
  status.pending_workloads = tally.pending;
  status.reserving_workloads = tally.reserving;
  status.admitted_workloads = tally.admitted;
  const engine::State& state = feed.engine().state();
  const engine::NodeId node = feed.engine().FindClusterQueue(queue.metadata.name);
  if (const auto share = ShareOf(state, node)) {
    if (!status.fair_sharing) status.fair_sharing.emplace();
    status.fair_sharing->weighted_share = *share;
  } else {
    status.fair_sharing.reset();
  }
  return status;
}

api::LocalQueueStatus StatusOf(const api::LocalQueue& queue, const Tally& tally,
                               const workload::EngineFeed& feed, base::Time now) {
  api::LocalQueueStatus status = queue.status;
  status.conditions = WithActive(std::move(status.conditions), queue.metadata.generation,
                                 ActivityOf(queue, feed), now);
  status.pending_workloads = tally.pending;
  status.reserving_workloads = tally.reserving;
  status.admitted_workloads = tally.admitted;
  status.flavors_reservation.clear();
  status.flavors_usage.clear();
  if (const auto* target = feed.FindClusterQueue(queue.spec.cluster_queue.value_or(""))) {
    status.flavors_reservation = LocalQueueUsage(target->spec, tally.reserved);
    status.flavors_usage = LocalQueueUsage(target->spec, tally.used);
  }
  return status;
}

api::CohortStatus StatusOf(const api::Cohort& cohort, const workload::EngineFeed& feed) {
  api::CohortStatus status = cohort.status;
  const engine::State& state = feed.engine().state();
  const engine::NodeId node = state.forest.FindCohort(cohort.metadata.name);
  status.fair_sharing.reset();
  if (const auto share = ShareOf(state, node))
    status.fair_sharing.emplace().weighted_share = *share;
  return status;
}

}  // namespace berth::control
