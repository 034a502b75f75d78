// Validates updates of a Workload with a quota reservation.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "api/kueue/rules/admission_gate_rules.h"
#include "api/kueue/rules/workload_rules_parts.h"

namespace berth::api {
namespace {

constexpr std::string_view kLeaveIt = "restore the old value";

// --- Pod sets -----------------------------------------------------------------------------------

bool IsSamePodSet(const PodSet& now, const PodSet& old, const ValidationOptions& options) {
  const int32_t count = now.count.value_or(0), old_count = old.count.value_or(0);
  const bool may_differ =
      count < old_count && options.gates.IsOn(Gate::kElasticJobsViaWorkloadSlices);
  if (count != old_count && !may_differ) return false;
  if (now.count == old.count) return now == old;
  PodSet with_old_count = now;
  with_old_count.count = old.count;
  return with_old_count == old;
}

void ValidateSamePodSets(const Workload& workload, const Workload& old,
                         const ValidationOptions& options, ProblemReport& report) {
  const auto& now = workload.spec.pod_sets;
  const auto& before = old.spec.pod_sets;
  const auto in_spec = report.In("spec");
  if (now.size() != before.size()) {
    report.Invalid("podSets", "cannot be added or removed while quota is reserved",
                   "leave them as they were");
    return;
  }
  const auto in = report.In("podSets");
  for (size_t i = 0; i < now.size(); ++i) {
    if (IsSamePodSet(now[i], before[i], options)) continue;
    // Kueue's field path is the index alone.
    report.Invalid(std::to_string(i),
                   "the pod set cannot be changed while quota is reserved, except for a smaller "
                   "count",
                   std::string(kLeaveIt));
  }
}

// --- Admission ----------------------------------------------------------------------------------

// Ignores topology assignments, which may be made later or again.
bool IsSameAssignment(const PodSetAssignment& a, const PodSetAssignment& b) {
  return a.name == b.name && a.flavors == b.flavors && a.resource_usage == b.resource_usage &&
         a.count == b.count && a.extra == b.extra;
}

bool IsSameAdmission(const Admission& now, const Admission& old, const ValidationOptions& options) {
  if (!options.gates.IsOn(Gate::kTopologyAwareScheduling)) return now == old;
  return now.cluster_queue == old.cluster_queue && now.extra == old.extra &&
         std::ranges::equal(now.pod_set_assignments, old.pod_set_assignments, IsSameAssignment);
}

void ValidateSameAdmission(const Workload& workload, const Workload& old,
                           const ValidationOptions& options, ProblemReport& report) {
  const auto& now = workload.status.admission;
  const auto& before = old.status.admission;
  if (!now || !before || IsSameAdmission(*now, *before, options)) return;
  report.Invalid("admission", "can be set and removed, but not changed",
                 "remove it first, which evicts the workload");
}

// --- Reclaimable pods ---------------------------------------------------------------------------

using Counts = std::map<std::string_view, int32_t>;

Counts ReclaimableCounts(const Workload& workload) {
  Counts counts;
  for (const ReclaimablePod& pods : workload.status.reclaimable_pods) {
    counts[pods.name] = pods.count;
  }
  return counts;
}

// Pod sets of an elastic job with fewer pods than admitted.
std::set<std::string_view> ShrunkPodSets(const Workload& workload,
                                         const ValidationOptions& options) {
  std::set<std::string_view> shrunk;
  if (!IsElastic(workload, options) || !workload.status.admission) return shrunk;
  for (const PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    const PodSet* pod_set = FindPodSet(workload, assignment.name);
    const int32_t count = pod_set == nullptr ? 0 : pod_set->count.value_or(0);
    if (assignment.count.value_or(0) > count) shrunk.insert(assignment.name);
  }
  return shrunk;
}

void ValidateReclaimableGrowth(const Workload& workload, const Workload& old,
                               const ValidationOptions& options, ProblemReport& report) {
  const Counts now = ReclaimableCounts(workload);
  const Counts before = ReclaimableCounts(old);
  const std::set<std::string_view> shrunk = ShrunkPodSets(workload, options);
  const auto in = report.In("reclaimablePods");
  for (const auto& [name, old_count] : before) {
    if (shrunk.contains(name)) continue;
    const auto at = report.AtKey(name);
    const auto found = now.find(name);
    if (found == now.end()) {
      report.Required("", "cannot be removed while quota is reserved",
                      "write at least " + std::to_string(old_count));
    } else if (found->second < old_count) {
      report.Invalid("count", "cannot shrink while quota is reserved",
                     "write at least " + std::to_string(old_count));
    }
  }
}

// --- The rest of the status ---------------------------------------------------------------------

// The check of this name, the last if there are several; null if there is none.
const AdmissionCheckState* FindCheck(const Workload& workload, std::string_view name) {
  const AdmissionCheckState* found = nullptr;
  for (const AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.name == name) found = &check;
  }
  return found;
}

void ValidateSamePodSetUpdates(const Workload& workload, const Workload& old,
                               ProblemReport& report) {
  const auto& before = old.status.admission_checks;
  for (size_t i = 0; i < before.size(); ++i) {
    const AdmissionCheckState* now = FindCheck(workload, before[i].name);
    if (now == nullptr || now->state != kCheckReady || before[i].state != kCheckReady) continue;
    if (now->pod_set_updates == before[i].pod_set_updates) continue;
    const auto at = report.In("admissionChecks", i);
    report.Invalid("podSetUpdates", "cannot be changed while the check is Ready",
                   std::string(kLeaveIt));
  }
}

void ValidateClusterName(const Workload& workload, const Workload& old,
                         const ValidationOptions& options, ProblemReport& report) {
  const bool replaces_slice =
      options.gates.IsOn(Gate::kElasticJobsViaWorkloadSlices) &&
      workload.metadata.annotations.Contains(kWorkloadSliceReplacementForAnnotation);
  const auto& name = workload.status.cluster_name;
  if (replaces_slice || old.status.cluster_name || !name) return;
  const auto& nominated = old.status.nominated_cluster_names;
  if (std::ranges::find(nominated, *name) != nominated.end()) return;
  report.Invalid("clusterName", Quoted(*name) + " was not nominated",
                 "nominated are: " + QuotedList({nominated.begin(), nominated.end()}));
}

}  // namespace

void ValidateWorkloadChange(const Workload& workload, const Workload& old,
                            const ValidationOptions& options, ProblemReport& report) {
  if (HasQuotaReservation(old)) ValidateSamePodSets(workload, old, options, report);
  {
    const auto in = report.In("status");
    if (HasQuotaReservation(old) && HasQuotaReservation(workload)) {
      ValidateReclaimableGrowth(workload, old, options, report);
    }
    ValidateSameAdmission(workload, old, options, report);
    ValidateSamePodSetUpdates(workload, old, report);
    ValidateClusterName(workload, old, options, report);
  }
  if (options.gates.IsOn(Gate::kAdmissionGatedBy)) {
    ValidateAdmissionGatesUpdate(workload.metadata.annotations, old.metadata.annotations, report);
  }
}

}  // namespace berth::api
