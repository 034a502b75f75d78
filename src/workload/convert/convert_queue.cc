#include "workload/convert/convert_queue.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "quantity/resource_amount.h"

namespace berth::workload {
namespace {

namespace reason = api::reason;
using State = QueueReferences::State;

engine::Quota ToQuota(const api::ResourceQuota& quota) {
  engine::Quota result{.nominal = quantity::QuotaAmount(quota.name, quota.nominal_quota)};
  if (quota.borrowing_limit)
    result.borrowing_limit = quantity::QuotaAmount(quota.name, *quota.borrowing_limit);
  if (quota.lending_limit)
    result.lending_limit = quantity::QuotaAmount(quota.name, *quota.lending_limit);
  return result;
}

// A resource that is missing in a flavor has no quota there.
engine::FlavorQuotas ToFlavorQuotas(const api::FlavorQuotas& flavor,
                                    const std::vector<std::string>& resources,
                                    engine::Engine& names) {
  engine::FlavorQuotas result{.flavor = names.Flavor(flavor.name), .quotas = {}};
  for (const std::string& resource : resources) {
    const auto quota = std::ranges::find(flavor.resources, resource, &api::ResourceQuota::name);
    result.quotas.push_back(quota == flavor.resources.end() ? engine::Quota{} : ToQuota(*quota));
  }
  return result;
}

std::vector<engine::ResourceGroup> ToGroups(const std::vector<api::ResourceGroup>& groups,
                                            engine::Engine& names) {
  std::vector<engine::ResourceGroup> result;
  for (const api::ResourceGroup& group : groups) {
    engine::ResourceGroup& to = result.emplace_back();
    for (const std::string& resource : group.covered_resources)
      to.resources.push_back(names.Resource(resource));
    for (const api::FlavorQuotas& flavor : group.flavors)
      to.flavors.push_back(ToFlavorQuotas(flavor, group.covered_resources, names));
  }
  return result;
}

engine::PreemptionPolicy ToPolicy(const std::optional<std::string>& policy) {
  if (policy == api::kPreemptLowerPriority) return engine::PreemptionPolicy::kLowerPriority;
  if (policy == api::kPreemptLowerOrNewerEqualPriority)
    return engine::PreemptionPolicy::kLowerOrNewerEqualPriority;
  if (policy == api::kPreemptAny) return engine::PreemptionPolicy::kAny;
  return engine::PreemptionPolicy::kNever;
}

engine::Preemption ToPreemption(const api::ClusterQueuePreemption& preemption) {
  engine::Preemption result{.within_cluster_queue = ToPolicy(preemption.within_cluster_queue),
                            .reclaim_within_cohort = ToPolicy(preemption.reclaim_within_cohort),
                            .max_priority_threshold = {}};
  if (preemption.borrow_within_cohort) {
    const api::BorrowWithinCohort& borrow = *preemption.borrow_within_cohort;
    result.borrow_within_cohort =
        borrow.policy.value_or(std::string(api::kPreemptNever)) != api::kPreemptNever;
    result.max_priority_threshold = borrow.max_priority_threshold;
  }
  return result;
}

engine::FlavorFungibility ToFungibility(const api::FlavorFungibility& fungibility) {
  engine::FlavorFungibility result;
  if (fungibility.when_can_borrow)
    result.try_next_when_can_borrow = fungibility.when_can_borrow == api::kTryNextFlavor;
  if (fungibility.when_can_preempt)
    result.try_next_when_can_preempt = fungibility.when_can_preempt == api::kTryNextFlavor;
  if (fungibility.preference == api::kPreemptionOverBorrowing)
    result.preference = engine::FungibilityPreference::kPreemptionOverBorrowing;
  return result;
}

std::string_view FlavorProblem(const api::ClusterQueueSpec& spec, const QueueReferences& refers,
                               State bad) {
  for (const api::ResourceGroup& group : spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      if (refers.FlavorState(flavor.name) == bad)
        return bad == State::kMissing ? reason::kFlavorNotFound : reason::kTopologyNotFound;
    }
  }
  return {};
}

// MultiKueue dispatches whole jobs, so provisioning happens in the worker cluster.
std::string_view MultiKueueProblem(const std::vector<api::AdmissionCheckStrategyRule>& checks,
                                   const QueueReferences& refers) {
  size_t multi_kueue = 0, provisioning = 0, per_flavor = 0;
  for (const api::AdmissionCheckStrategyRule& check : checks) {
    const std::string_view controller = refers.CheckController(check.name);
    if (controller == api::kProvisioningRequestControllerName) ++provisioning;
    if (controller != api::kMultiKueueControllerName) continue;
    ++multi_kueue;
    if (!check.on_flavors.empty()) ++per_flavor;
  }
  if (multi_kueue > 1) return reason::kMultipleMultiKueueAdmissionChecks;
  if (per_flavor > 0) return reason::kMultiKueueAdmissionCheckAppliedPerFlavor;
  if (multi_kueue > 0 && provisioning > 0) return reason::kMultiKueueWithProvisioningRequest;
  return {};
}

std::string_view CheckProblem(const api::ClusterQueueSpec& spec, const QueueReferences& refers) {
  if (!spec.admission_checks_strategy) return {};
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  const auto any_is = [&](State state) {
    return std::ranges::any_of(checks,
                               [&](const auto& c) { return refers.CheckState(c.name) == state; });
  };
  if (any_is(State::kMissing)) return reason::kAdmissionCheckNotFound;
  if (any_is(State::kInactive)) return reason::kAdmissionCheckInactive;
  return MultiKueueProblem(checks, refers);
}

// Every quantity is a whole number of nano-units.
base::Int128 Nanos(const quantity::Quantity& quantity) {
  constexpr int64_t kNanosInOne = 1'000'000'000;
  const int64_t whole = quantity.Value();
  quantity::Quantity rest = quantity;
  rest.Sub(quantity::Quantity::FromInt(whole));
  rest.Multiply(quantity::Quantity::FromInt(kNanosInOne));
  return static_cast<base::Int128>(whole) * kNanosInOne + rest.Value();
}

}  // namespace

bool IsStopped(const std::optional<std::string>& stop_policy) {
  return stop_policy && !stop_policy->empty() && *stop_policy != api::kStopPolicyNone;
}

std::string_view InactiveReason(const api::ClusterQueueSpec& spec, const QueueReferences& refers) {
  if (IsStopped(spec.stop_policy)) return reason::kStopped;
  if (auto missing = FlavorProblem(spec, refers, State::kMissing); !missing.empty()) return missing;
  if (auto check = CheckProblem(spec, refers); !check.empty()) return check;
  return FlavorProblem(spec, refers, State::kInactive);
}

double FairWeight(const std::optional<api::FairSharing>& fair_sharing) {
  return fair_sharing && fair_sharing->weight ? fair_sharing->weight->ToDouble() : 1;
}

engine::ClusterQueueSpec ToEngine(const api::ClusterQueue& queue, bool is_active,
                                  engine::Engine& names) {
  const api::ClusterQueueSpec& spec = queue.spec;
  engine::ClusterQueueSpec result{
      .name = queue.metadata.name,
      .cohort = spec.cohort_name.value_or(""),
      .groups = ToGroups(spec.resource_groups, names),
      .strategy = spec.queueing_strategy == api::kStrictFifo
                      ? engine::QueueingStrategy::kStrictFIFO
                      : engine::QueueingStrategy::kBestEffortFIFO,
      .preemption = ToPreemption(spec.preemption.value_or(api::ClusterQueuePreemption{})),
      .fungibility = ToFungibility(spec.flavor_fungibility.value_or(api::FlavorFungibility{})),
      .fair_weight = FairWeight(spec.fair_sharing),
      .is_active = is_active,
      .orders_by_usage = spec.admission_scope && spec.admission_scope->admission_mode ==
                                                     api::kUsageBasedAdmissionFairSharing};
  return result;
}

void AddDelayedTopologies(const api::ClusterQueueSpec& spec, const QueueReferences& refers,
                          engine::Engine& names, engine::ClusterQueueSpec& out) {
  if (!spec.admission_checks_strategy) return;
  for (const auto& check : spec.admission_checks_strategy->admission_checks) {
    const std::string_view controller = refers.CheckController(check.name);
    if (controller == api::kMultiKueueControllerName) out.delays_all_topologies = true;
    if (controller != api::kProvisioningRequestControllerName) continue;
    for (const std::string& flavor : check.on_flavors)
      out.delayed_topology_flavors.push_back(names.Flavor(flavor));
    if (!check.on_flavors.empty()) continue;
    for (const engine::ResourceGroup& group : out.groups)
      for (const engine::FlavorQuotas& flavor : group.flavors)
        out.delayed_topology_flavors.push_back(flavor.flavor);
  }
}

engine::CohortSpec ToEngine(const api::Cohort& cohort, engine::Engine& names) {
  return {.name = cohort.metadata.name,
          .parent = cohort.spec.parent_name.value_or(""),
          .groups = ToGroups(cohort.spec.resource_groups, names),
          .fair_weight = FairWeight(cohort.spec.fair_sharing)};
}

std::vector<engine::ConsumedResource> ConsumedResources(const api::LocalQueueStatus& status,
                                                        engine::Engine& names) {
  std::vector<engine::ConsumedResource> consumed;
  if (!status.fair_sharing || !status.fair_sharing->admission_fair_sharing_status) return consumed;
  const auto& usage = *status.fair_sharing->admission_fair_sharing_status;
  for (const auto& [resource, quantity] : usage.consumed_resources)
    consumed.push_back({names.Resource(resource), Nanos(quantity)});
  return consumed;
}

}  // namespace berth::workload
