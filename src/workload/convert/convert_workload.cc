#include "workload/convert/convert_workload.h"

#include <algorithm>
#include <charconv>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "quantity/amount.h"
#include "quantity/resource_amount.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/pod_set_groups.h"
#include "workload/requests/request_checks.h"
#include "workload/shape.h"

namespace berth::workload {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;
using api::Gate;

bool IsTrue(const api::Workload& workload, std::string_view type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

std::string_view AnnotationOf(const api::Workload& workload, std::string_view name) {
  const std::string* value = workload.metadata.annotations.Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

bool IsOnHold(const api::Workload& workload) {
  const api::Condition* reserved =
      api::FindCondition(workload.status.conditions, condition::kQuotaReserved);
  return reserved != nullptr && reserved->status == api::kConditionFalse &&
         reserved->reason == reason::kOnHold;
}

int32_t CountOf(const api::PodSet& pod_set) { return pod_set.count.value_or(1); }

int32_t CountAfterReclaim(const api::Workload& workload, const api::PodSet& pod_set,
                          const WorkloadRules& rules) {
  if (!rules.resources->reclaims_pods) return CountOf(pod_set);
  for (const api::ReclaimablePod& reclaimable : workload.status.reclaimable_pods) {
    if (reclaimable.name == pod_set.name)
      return workload::CountAfterReclaim(CountOf(pod_set), reclaimable.count);
  }
  return CountOf(pod_set);
}

// Whether a comma-separated list contains the name.
bool IsListed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == name) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

engine::Mismatch ToMismatch(FlavorFit fit) {
  switch (fit) {
    case FlavorFit::kUntoleratedTaint:
      return engine::Mismatch::kUntoleratedTaint;
    case FlavorFit::kMalformedAffinity:
      return engine::Mismatch::kError;
    case FlavorFit::kAffinity:
    case FlavorFit::kMatch:
      break;
  }
  return engine::Mismatch::kNodeAffinity;
}

bool ImpliesTopologyIn(std::span<const QueueFlavor> flavors) {
  std::vector<TopologyFlavor> topologies;
  for (const QueueFlavor& flavor : flavors) topologies.push_back(flavor.topology);
  return ImpliesTopology(topologies);
}

// Builds the engine's spec of one pending workload.
class PendingBuilder {
 public:
  PendingBuilder(const api::Workload& workload, const WaitingContext& context,
                 const WorkloadRules& rules, engine::Engine& names)
      : workload_(workload),
        context_(context),
        rules_(rules),
        names_(names),
        pod_sets_(workload.spec.pod_sets) {
    for (api::PodSet& pod_set : pod_sets_)
      AdjustPod(pod_set.template_.spec, *context.limits, *context.overheads);
    if (context.matches != nullptr) implies_topology_ = ImpliesTopologyIn(context.flavors);
    if (rules.has_concurrent_admission)
      allowed_ = workload.metadata.annotations.Find(api::kAllowedResourceFlavorsAnnotation);
  }

  engine::PendingSpec Build() {
    std::vector<PodSetDemand> demands =
        DemandOf(pod_sets_, workload_.status.reclaimable_pods, *rules_.resources);
    const bool lacks_claim =
        context_.claims == nullptr
            ? rules_.resources->rejects_devices && !RejectedClaims(pod_sets_).empty()
            : !AddDevices(pod_sets_, workload_.metadata.namespace_, *context_.claims, demands)
                   .empty();
    const CountedRequests counted = context_.filter->Count(demands);
    const bool is_selected = context_.namespace_selector->Matches(*context_.namespace_labels);
    engine::PendingSpec spec{
        .uid = workload_.metadata.uid,
        .local_queue = names_.LocalQueue(
            NamespacedName(workload_.metadata.namespace_, workload_.spec.queue_name.value_or(""))),
        .cluster_queue = context_.cluster_queue,
        .queue_order_time = QueueOrderTime(workload_, rules_),
        .shape = ShapeFrom(counted.pod_sets),
        .not_before = {},
        .has_namespace_mismatch = !is_selected,
        .is_invalid = HasFailedCheck(workload_) || (is_selected && IsRejected()),
        .lacks_claim = lacks_claim || !counted.unmapped_devices.empty(),
        .has_closed_preemption_gate = HasClosedPreemptionGate(workload_),
        .constraints = ConstraintsOf(workload_, rules_),
        .replaces_uid = context_.replaces_uid};
    if (context_.matches != nullptr)
      spec.topology =
          ToTopology(workload_, pod_sets_, implies_topology_, *context_.matches, names_);
    if (workload_.status.requeue_state)
      spec.not_before = workload_.status.requeue_state->requeue_at;
    const api::Condition* requeued =
        api::FindCondition(workload_.status.conditions, condition::kRequeued);
    // A workload with a stopped LocalQueue gets here only after the queue has resumed.
    spec.is_held = requeued != nullptr && requeued->status == api::kConditionFalse &&
                   requeued->reason != api::reason::kLocalQueueStopped;
    return spec;
  }

 private:
  // Whether the API server would reject the pods.
  bool IsRejected() const {
    return !RequestsAboveLimits(pod_sets_).empty() ||
           !LimitRangeViolations(pod_sets_, *context_.limits).empty();
  }

  engine::Shape ShapeFrom(std::span<const PodSetTotals> totals) {
    engine::Shape shape{
        .pod_sets = {}, .priority = EffectivePriority(workload_, rules_), .key = {}};
    for (size_t i = 0; i < pod_sets_.size(); ++i)
      shape.pod_sets.push_back(PodSetFrom(i, totals[i]));
    const Shape key = ShapeOf(PartsOf(totals));
    shape.key = {key.high, key.low};
    return shape;
  }

  ShapeParts PartsOf(std::span<const PodSetTotals> totals) const {
    ShapeParts parts{.priority = EffectivePriority(workload_, rules_),
                     .pod_sets = pod_sets_,
                     .totals = totals,
                     .allowed_flavors = {}};
    const engine::AdmissionConstraints constraints = ConstraintsOf(workload_, rules_);
    parts.cannot_preempt = constraints.cannot_preempt;
    parts.cannot_borrow = constraints.cannot_borrow;
    if (allowed_ != nullptr) parts.allowed_flavors = *allowed_;
    return parts;
  }

  engine::PodSetSpec PodSetFrom(size_t index, const PodSetTotals& totals) {
    const api::PodSet& pod_set = pod_sets_[index];
    engine::PodSetSpec spec{.count = totals.count,
                            .full_count = CountOf(pod_set),
                            .min_count = pod_set.min_count,
                            .group = GroupOf(pod_sets_, index),
                            .requests = {},
                            .mismatches = {}};
    for (const auto& [resource, amount] : totals.requests) {
      // The engine counts pods itself: partial admission changes their number.
      if (resource == "pods") continue;
      const int64_t* shared = totals.shared.Find(resource);
      spec.requests.push_back({names_.Resource(resource), amount, shared == nullptr ? 0 : *shared});
    }
    for (const QueueFlavor& flavor : context_.flavors) AddMismatch(spec, pod_set, flavor);
    return spec;
  }

  void AddMismatch(engine::PodSetSpec& spec, const api::PodSet& pod_set,
                   const QueueFlavor& flavor) const {
    if (allowed_ != nullptr && !IsListed(*allowed_, flavor.name)) {
      spec.mismatches.push_back({flavor.id, engine::Mismatch::kNotAllowed});
    } else if (context_.matches != nullptr &&
               !MatchesTopology(pod_set, implies_topology_, flavor.topology)) {
      spec.mismatches.push_back({flavor.id, engine::Mismatch::kTopology});
    } else if (flavor.matcher != nullptr) {
      const FlavorVerdict verdict = flavor.matcher->Match(pod_set.template_.spec);
      if (!verdict.is_match()) spec.mismatches.push_back({flavor.id, ToMismatch(verdict.fit)});
    }
  }

  const api::Workload& workload_;
  const WaitingContext& context_;
  const WorkloadRules& rules_;
  engine::Engine& names_;
  std::vector<api::PodSet> pod_sets_;  // adjusted
  const std::string* allowed_ = nullptr;
  bool implies_topology_ = false;
};

// The pods that were admitted, also those that are reclaimable now.
int32_t CountOf(const api::Workload& workload, const api::PodSetAssignment& given) {
  if (given.count) return std::max(*given.count, 0);
  const auto pod_set = std::ranges::find(workload.spec.pod_sets, given.name, &api::PodSet::name);
  return pod_set == workload.spec.pod_sets.end() ? 0 : CountOf(*pod_set);
}

// The most pods that an assignment may place: fewer may be admitted than have places, as after a
// partial admission.
int32_t MostPodsOf(const api::Workload& workload, const api::PodSetAssignment& given) {
  const auto pod_set = std::ranges::find(workload.spec.pod_sets, given.name, &api::PodSet::name);
  const int32_t admitted = CountOf(workload, given);
  return pod_set == workload.spec.pod_sets.end() ? admitted : std::max(admitted, CountOf(*pod_set));
}

engine::PodSetAssignment ToAssignment(const api::Workload& workload,
                                      const api::PodSetAssignment& given,
                                      const WorkloadRules& rules, engine::Engine& names,
                                      const Requests* shared) {
  const auto pod_set = std::ranges::find(workload.spec.pod_sets, given.name, &api::PodSet::name);
  const bool is_known = pod_set != workload.spec.pod_sets.end();
  const int32_t count = CountOf(workload, given);
  const int32_t left =
      is_known ? std::min(count, CountAfterReclaim(workload, *pod_set, rules)) : count;
  engine::PodSetAssignment result{.count = left, .resources = {}};
  for (const auto& [resource, usage] : given.resource_usage) {
    const std::string* flavor = given.flavors.Find(resource);
    if (flavor == nullptr) continue;
    int64_t amount = std::max<int64_t>(quantity::RequestAmount(resource, usage), 0);
    if (left < count) {
      const int64_t* kept = shared == nullptr ? nullptr : shared->Find(resource);
      const int64_t fixed = kept == nullptr ? 0 : std::min(*kept, amount);
      amount = quantity::SaturatingAdd(
          quantity::SaturatingMul(quantity::SaturatingDiv(amount - fixed, count), left), fixed);
    }
    result.resources.push_back({names.Resource(resource), names.Flavor(*flavor), amount});
  }
  return result;
}

// One assignment for each pod set, in their order, and then those for no pod set: a forged
// admission may have fewer, or others.
std::vector<const api::PodSetAssignment*> InPodSetOrder(const api::Workload& workload) {
  static const api::PodSetAssignment kMissing;
  const std::vector<api::PodSet>& pod_sets = workload.spec.pod_sets;
  std::vector<const api::PodSetAssignment*> assignments(pod_sets.size(), &kMissing);
  for (const api::PodSetAssignment& given : workload.status.admission->pod_set_assignments) {
    const auto pod_set = std::ranges::find(pod_sets, given.name, &api::PodSet::name);
    const auto place = static_cast<size_t>(pod_set - pod_sets.begin());
    if (place < pod_sets.size() && assignments[place] == &kMissing)
      assignments[place] = &given;
    else
      assignments.push_back(&given);
  }
  return assignments;
}

}  // namespace

WorkloadRules WorkloadRules::From(const api::Configuration& configuration,
                                  const api::FeatureGates& gates) {
  WorkloadRules rules;
  rules.resources =
      std::make_shared<const ResourceOptions>(ResourceOptions::From(configuration, gates));
  if (configuration.wait_for_pods_ready && configuration.wait_for_pods_ready->requeuing_strategy)
    rules.orders_timeouts_by_eviction =
        configuration.wait_for_pods_ready->requeuing_strategy->timestamp != api::kRequeueByCreation;
  rules.sorts_by_priority_within_cohort = gates.IsOn(Gate::kPrioritySortingWithinCohort);
  rules.has_priority_boost = gates.IsOn(Gate::kPriorityBoost);
  rules.has_admission_gates = gates.IsOn(Gate::kAdmissionGatedBy);
  rules.has_concurrent_admission = gates.IsOn(Gate::kConcurrentAdmission);
  rules.has_admission_constraints = gates.IsOn(Gate::kWorkloadAdmissionConstraints);
  rules.topology_cuts = gates.IsOn(Gate::kTASAssignmentsEncodingByHostnamePrefix)
                            ? api::SliceCuts::kByPrefix
                            : api::SliceCuts::kFewest;
  return rules;
}

std::string NamespacedName(std::string_view namespace_name, std::string_view name) {
  return std::string(namespace_name) + "/" + std::string(name);
}

std::string NamespacedName(const api::ObjectMeta& metadata) {
  return NamespacedName(metadata.namespace_, metadata.name);
}

bool HoldsQuota(const api::Workload& workload) {
  return IsTrue(workload, condition::kQuotaReserved) && !IsTrue(workload, condition::kFinished) &&
         workload.spec.active.value_or(true) && workload.status.admission.has_value();
}

bool MayWait(const api::Workload& workload, const WorkloadRules& rules) {
  if (rules.has_admission_gates &&
      !AnnotationOf(workload, api::kAdmissionGatedByAnnotation).empty())
    return false;
  return workload.spec.active.value_or(true) && !IsTrue(workload, condition::kFinished) &&
         !IsTrue(workload, condition::kQuotaReserved) && !IsOnHold(workload) &&
         !IsTrue(workload, condition::kWaitingForReplacementPods);
}

int64_t EffectivePriority(const api::Workload& workload, const WorkloadRules& rules) {
  const int64_t priority = workload.spec.priority.value_or(0);
  if (!rules.has_priority_boost) return priority;
  const std::string_view text = AnnotationOf(workload, api::kPriorityBoostAnnotation);
  int32_t boost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), boost);
  if (error != std::errc() || end != text.data() + text.size()) return priority;
  return priority + boost;
}

std::optional<base::Time> QueueOrderTimeAfter(std::string_view eviction_reason, base::Time at,
                                              const WorkloadRules& rules) {
  if (eviction_reason == reason::kAdmissionCheck) return at;
  if (eviction_reason == reason::kPodsReadyTimeout && rules.orders_timeouts_by_eviction) return at;
  // After the preemptor, which may have the same time.
  if (eviction_reason == reason::kInCohortReclaimWhileBorrowing &&
      !rules.sorts_by_priority_within_cohort)
    return at + base::Duration::Milliseconds(1);
  return std::nullopt;
}

base::Time QueueOrderTime(const api::Workload& workload, const WorkloadRules& rules) {
  for (const std::string_view type : {condition::kEvicted, condition::kPreempted}) {
    const api::Condition* c = api::FindCondition(workload.status.conditions, type);
    if (c == nullptr || c->status != api::kConditionTrue) continue;
    if (const auto time = QueueOrderTimeAfter(
            c->reason, c->last_transition_time.value_or(base::kZeroTime), rules))
      return *time;
  }
  return workload.metadata.creation_timestamp.value_or(base::kZeroTime);
}

bool HasClosedPreemptionGate(const api::Workload& workload) {
  return std::ranges::any_of(workload.spec.preemption_gates, [&](const api::PreemptionGate& gate) {
    const auto state = std::ranges::find(workload.status.preemption_gates, gate.name,
                                         &api::PreemptionGateState::name);
    return state == workload.status.preemption_gates.end() || state->position == api::kGateClosed;
  });
}

engine::AdmissionConstraints ConstraintsOf(const api::Workload& workload,
                                           const WorkloadRules& rules) {
  if (!rules.has_admission_constraints) return {};
  const std::optional<api::AdmissionConstraints> constraints = api::ConstraintsOf(workload);
  if (!constraints) return {};
  return {.cannot_preempt = constraints->preemption == api::kConstraintNever,
          .cannot_borrow = constraints->borrowing == api::kConstraintNever};
}

bool HasFailedCheck(const api::Workload& workload) {
  return std::ranges::any_of(
      workload.status.admission_checks, [](const api::AdmissionCheckState& check) {
        return check.state == api::kCheckRetry || check.state == api::kCheckRejected;
      });
}

std::string ReplacedSlice(const api::Workload& workload) {
  const std::string_view name = AnnotationOf(workload, api::kWorkloadSliceReplacementForAnnotation);
  if (name.empty() || name.find('/') != std::string_view::npos) return std::string(name);
  return NamespacedName(workload.metadata.namespace_, name);
}

engine::PendingSpec ToPending(const api::Workload& workload, const WaitingContext& context,
                              const WorkloadRules& rules, engine::Engine& names) {
  return PendingBuilder(workload, context, rules, names).Build();
}

engine::ReservedSpec ToReserved(const api::Workload& workload, engine::NodeId cluster_queue,
                                const WorkloadRules& rules, engine::Engine& names,
                                const base::FlatMap<Requests>& shared) {
  const api::Condition* reserved =
      api::FindCondition(workload.status.conditions, condition::kQuotaReserved);
  engine::ReservedSpec spec{
      .uid = workload.metadata.uid,
      .local_queue = names.LocalQueue(
          NamespacedName(workload.metadata.namespace_, workload.spec.queue_name.value_or(""))),
      .cluster_queue = cluster_queue,
      .queue_order_time = QueueOrderTime(workload, rules),
      .priority = EffectivePriority(workload, rules),
      .reserved_at = reserved == nullptr ? base::kZeroTime
                                         : reserved->last_transition_time.value_or(base::kZeroTime),
      .is_evicted = IsTrue(workload, condition::kEvicted),
      .pod_sets = {}};
  for (const api::PodSetAssignment* given : InPodSetOrder(workload))
    spec.pod_sets.push_back(ToAssignment(workload, *given, rules, names, shared.Find(given->name)));
  return spec;
}

void AddTopology(const api::Workload& workload, const WaitingContext& context,
                 engine::Engine& names, engine::ReservedSpec& spec) {
  std::vector<api::PodSet> pod_sets = workload.spec.pod_sets;
  for (api::PodSet& pod_set : pod_sets)
    AdjustPod(pod_set.template_.spec, *context.limits, *context.overheads);
  spec.topology =
      ToTopology(workload, pod_sets, ImpliesTopologyIn(context.flavors), *context.matches, names);
  const std::vector<const api::PodSetAssignment*> given = InPodSetOrder(workload);
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    if (given[i]->topology_assignment)
      spec.pod_sets[i].domains =
          ToDomains(*given[i]->topology_assignment, MostPodsOf(workload, *given[i]), names);
    else
      spec.pod_sets[i].has_delayed_topology =
          given[i]->delayed_topology_request == api::kDelayedTopologyPending;
  }
  spec.second_pass = SecondPassOf(workload);
  for (const api::UnhealthyNode& node : workload.status.unhealthy_nodes)
    spec.failed_nodes.push_back(node.name);
}

}  // namespace berth::workload
