#include "api/kueue/rules/workload_rules.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/rules/admission_gate_rules.h"
#include "api/kueue/rules/constraint_warnings.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "api/kueue/rules/workload_rules_parts.h"
#include "api/meta/condition_rules.h"
#include "api/meta/label_rules.h"

namespace berth::api {
namespace {

std::string PodSetNames(const Workload& workload) {
  std::vector<std::string_view> names;
  names.reserve(workload.spec.pod_sets.size());
  for (const PodSet& pod_set : workload.spec.pod_sets) names.push_back(pod_set.name);
  return "the pod sets: " + QuotedList(names);
}

// --- Admission ----------------------------------------------------------------------------------

bool ReservesWithoutAdmission(const Workload& workload) {
  return HasQuotaReservation(workload) && !workload.status.admission;
}

int64_t AmountOf(std::string_view resource, const quantity::Quantity& quantity) {
  return resource == "cpu" ? quantity.MilliValue() : quantity.Value();
}

bool IsDivisible(std::string_view resource, const quantity::Quantity& usage, int32_t count) {
  return count <= 0 || AmountOf(resource, usage) % count == 0;
}

// All pods of a set are identical, so usage must be divisible by their number.
void ValidateUsage(const PodSetAssignment& assignment, ProblemReport& report) {
  const int32_t count = assignment.count.value_or(0);
  const auto in = report.In("resourceUsage");
  for (const auto& [resource, usage] : assignment.resource_usage) {
    if (IsDivisible(resource, usage, count)) continue;
    const auto at = report.AtKey(resource);
    report.Invalid("",
                   usage.ToString() + " is not a multiple of the " + std::to_string(count) +
                       " pods of the set",
                   "write what one pod uses times " + std::to_string(count));
  }
}

// The domains hold no more pods than the assignment counts.
void ValidatePlaces(const PodSetAssignment& assignment, const PodSet& pod_set,
                    ProblemReport& report) {
  if (!assignment.topology_assignment) return;
  const int32_t count = assignment.count.value_or(pod_set.count.value_or(1));
  int64_t placed = 0;
  for (const TopologyDomain& domain : UnpackTopologyAssignment(*assignment.topology_assignment))
    placed += domain.count;
  if (placed <= count) return;
  report.Invalid("topologyAssignment",
                 std::to_string(placed) + " pods in its domains, " + std::to_string(count) +
                     " in the assignment",
                 "write podCounts whose sum is at most " + std::to_string(count));
}

// Usage below 0 would add to the quota of the queue.
void ValidateUsageIsNotNegative(const PodSetAssignment& assignment, ProblemReport& report) {
  const auto in = report.In("resourceUsage");
  for (const auto& [resource, usage] : assignment.resource_usage) {
    if (usage.Sign() >= 0) continue;
    const auto at = report.AtKey(resource);
    report.Invalid("", usage.ToString() + " is negative", "write 0 or more");
  }
}

// Whether the stored object has the same assignment, so that it cannot be refused any more.
bool IsStored(const PodSetAssignment& assignment, const Workload* old) {
  if (old == nullptr || !old->status.admission) return false;
  const auto& stored = old->status.admission->pod_set_assignments;
  return std::ranges::find(stored, assignment) != stored.end();
}

// Pods that share a claim use its devices once. The count cannot be omitted if it is not that of
// the spec.
bool MayUseIndivisible(const PodSet& pod_set, const PodSetAssignment& assignment,
                       const ValidationOptions& options) {
  return options.gates.IsOn(Gate::kKueueDynamicResourceAllocation) && SharesClaim(pod_set) &&
         assignment.count != pod_set.count.value_or(1);
}

void ValidateAssignments(const Workload& workload, const Workload* old,
                         const ValidationOptions& options, ProblemReport& report) {
  const auto in = report.In("admission");
  const auto& assignments = workload.status.admission->pod_set_assignments;
  for (size_t i = 0; i < assignments.size(); ++i) {
    const auto at = report.In("podSetAssignments", i);
    const PodSet* pod_set = FindPodSet(workload, assignments[i].name);
    const bool is_stored = IsStored(assignments[i], old);
    if (!is_stored) ValidateUsageIsNotNegative(assignments[i], report);
    if (pod_set == nullptr) {
      report.Add(schema::ProblemType::kNotFound, "name",
                 "unknown pod set " + Quoted(assignments[i].name), PodSetNames(workload));
    } else {
      if (!is_stored) ValidatePlaces(assignments[i], *pod_set, report);
      if (MayUseIndivisible(*pod_set, assignments[i], options)) continue;
    }
    ValidateUsage(assignments[i], report);
  }
}

// An object stored without an admission is accepted until it converges.
void ValidateAdmission(const Workload& workload, const Workload* old,
                       const ValidationOptions& options, ProblemReport& report) {
  if (!HasQuotaReservation(workload)) return;
  if (workload.status.admission) {
    ValidateAssignments(workload, old, options, report);
  } else if (old == nullptr || !ReservesWithoutAdmission(*old)) {
    report.Required("admission", "must be set while QuotaReserved is True",
                    "write it together with the condition");
  }
}

// --- Reclaimable pods ---------------------------------------------------------------------------

// A count of an elastic job from before it shrank.
bool IsFromBeforeShrink(const ReclaimablePod& pods, const Workload& workload, const Workload* old,
                        const ValidationOptions& options) {
  if (old == nullptr || !IsElastic(workload, options)) return false;
  return std::ranges::any_of(old->status.reclaimable_pods, [&](const ReclaimablePod& before) {
    return before.name == pods.name && before.count == pods.count;
  });
}

void ValidateReclaimablePods(const Workload& workload, const Workload* old,
                             const ValidationOptions& options, ProblemReport& report) {
  const auto in = report.In("reclaimablePods");
  for (const ReclaimablePod& pods : workload.status.reclaimable_pods) {
    const auto at = report.AtKey(pods.name);
    const PodSet* pod_set = FindPodSet(workload, pods.name);
    if (pod_set == nullptr) {
      report.NotSupported("name", "unknown pod set " + Quoted(pods.name), PodSetNames(workload));
    } else if (pods.count > pod_set->count.value_or(0) &&
               !IsFromBeforeShrink(pods, workload, old, options)) {
      const std::string most = std::to_string(pod_set->count.value_or(0));
      report.Invalid("count", "the pod set has only " + most + " pods", "write at most " + most);
    }
  }
}

// --- Admission checks ---------------------------------------------------------------------------

void ValidatePodSetUpdate(const PodSetUpdate& update, const Workload& workload,
                          ProblemReport& report) {
  if (FindPodSet(workload, update.name) == nullptr) {
    report.NotSupported("name", "unknown pod set " + Quoted(update.name), PodSetNames(workload));
  }
  ValidateTolerations(update.tolerations, "tolerations", report);
  ValidateAnnotations(update.annotations, "annotations", report);
  ValidateLabels(update.node_selector, "nodeSelector", report);
  ValidateLabels(update.labels, "labels", report);
}

void ValidateAdmissionChecks(const Workload& workload, ProblemReport& report) {
  const auto& checks = workload.status.admission_checks;
  for (size_t i = 0; i < checks.size(); ++i) {
    const auto at_check = report.In("admissionChecks", i);
    for (size_t j = 0; j < checks[i].pod_set_updates.size(); ++j) {
      const auto at = report.In("podSetUpdates", j);
      ValidatePodSetUpdate(checks[i].pod_set_updates[j], workload, report);
    }
  }
}

// --- Annotations --------------------------------------------------------------------------------

bool IsInt32(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

void ValidatePriorityBoost(const Workload& workload, ProblemReport& report) {
  const std::string* value = workload.metadata.annotations.Find(kPriorityBoostAnnotation);
  if (value == nullptr || IsInt32(*value)) return;
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  const auto at = report.AtKey(kPriorityBoostAnnotation);
  report.Invalid("", Quoted(*value) + " is not an integer",
                 "write for example \"10\", \"-10\" or \"0\"");
}

void ValidateStatus(const Workload& workload, const Workload* old, const ValidationOptions& options,
                    ProblemReport& report) {
  const auto in = report.In("status");
  ValidateAdmission(workload, old, options, report);
  ValidateConditions(workload.status.conditions, "conditions", report);
  ValidateReclaimablePods(workload, old, options, report);
  ValidateAdmissionChecks(workload, report);
}

}  // namespace

bool SharesClaim(const PodSet& pod_set) {
  return std::ranges::any_of(
      pod_set.template_.spec.resource_claims,
      [](const PodResourceClaim& claim) { return claim.resource_claim_name.has_value(); });
}

bool IsUsageDivisible(const PodSetAssignment& assignment) {
  return std::ranges::all_of(assignment.resource_usage, [&](const auto& entry) {
    return IsDivisible(entry.first, entry.second, assignment.count.value_or(0));
  });
}

schema::Problems ValidateWorkload(const Workload& workload, const Workload* old,
                                  const ValidationOptions& options) {
  ProblemReport report;
  ValidatePodSets(workload, old, options, report);
  ValidateStatus(workload, old, options, report);
  if (options.gates.IsOn(Gate::kAdmissionGatedBy)) {
    ValidateAdmissionGates(workload.metadata.annotations, report);
  }
  if (options.gates.IsOn(Gate::kPriorityBoost)) ValidatePriorityBoost(workload, report);
  if (options.gates.IsOn(Gate::kWorkloadAdmissionConstraints)) {
    ValidateConstraints(workload, old, report);
  }
  if (old != nullptr) ValidateWorkloadChange(workload, *old, options, report);
  return std::move(report).Take();
}

schema::Problems WarningsForWorkload(const Workload& workload, const ValidationOptions& options) {
  ProblemReport report;
  {
    const auto in = report.In("metadata");
    WarnAboutConstraintKeys(workload.metadata, report);
  }
  if (ConstraintsOf(workload) && !options.gates.IsOn(Gate::kWorkloadAdmissionConstraints)) {
    const auto in = report.In("spec");
    report.Invalid("admissionConstraints", "constraints on admission have no effect",
                   "turn on the feature gate WorkloadAdmissionConstraints");
  }
  return std::move(report).Take();
}

}  // namespace berth::api
