#include "workload/convert/convert_admission.h"

#include <algorithm>
#include <vector>

#include "api/kueue/rules/workload_rules.h"
#include "api/kueue/well_known.h"
#include "quantity/resource_amount.h"
#include "workload/convert/convert_topology.h"

namespace berth::workload {
namespace {

namespace reason = api::reason;

bool WasDelayed(const api::Workload& workload, const std::string& pod_set) {
  if (!workload.status.admission) return false;
  const auto& before = workload.status.admission->pod_set_assignments;
  const auto found = std::ranges::find(before, pod_set, &api::PodSetAssignment::name);
  return found != before.end() && found->delayed_topology_request.has_value();
}

void AddTopologyTo(api::PodSetAssignment& assignment, const engine::Engine& engine,
                   const engine::PodSetAssignment& given, const api::Workload& workload,
                   api::SliceCuts cuts) {
  if (given.has_delayed_topology)
    assignment.delayed_topology_request = api::kDelayedTopologyPending;
  if (given.domains.empty()) return;
  for (const engine::ResourceAssignment& r : given.resources) {
    if (engine.TopologyLevels(r.flavor).empty()) continue;
    assignment.topology_assignment = ToTopologyAssignment(engine, r.flavor, given.domains, cuts);
    break;
  }
  if (WasDelayed(workload, assignment.name))
    assignment.delayed_topology_request = api::kDelayedTopologyReady;
}

}  // namespace

api::Admission ToAdmission(const engine::Engine& engine, engine::WorkloadId id,
                           const api::Workload& workload, api::SliceCuts cuts) {
  const quantity::AmountFormatter formatter;
  api::Admission admission{.cluster_queue = engine.ClusterQueueName(engine.ClusterQueueOf(id)),
                           .pod_set_assignments = {},
                           .extra = {}};
  const std::vector<engine::PodSetAssignment> given = engine.AssignmentOf(id);
  for (size_t i = 0; i < given.size() && i < workload.spec.pod_sets.size(); ++i) {
    api::PodSetAssignment& assignment = admission.pod_set_assignments.emplace_back();
    assignment.name = workload.spec.pod_sets[i].name;
    assignment.count = given[i].count;
    for (const engine::ResourceAssignment& r : given[i].resources) {
      const std::string& resource = engine.ResourceName(r.resource);
      assignment.flavors.Set(resource, engine.FlavorName(r.flavor));
      assignment.resource_usage.Set(resource, formatter.ToQuantity(resource, r.amount));
    }
    AddTopologyTo(assignment, engine, given[i], workload, cuts);
  }
  return admission;
}

void OmitIndivisibleCounts(const api::Workload& workload, api::Admission& admission) {
  for (api::PodSetAssignment& assignment : admission.pod_set_assignments) {
    const auto pod_set =
        std::ranges::find(workload.spec.pod_sets, assignment.name, &api::PodSet::name);
    if (pod_set == workload.spec.pod_sets.end() || !api::SharesClaim(*pod_set)) continue;
    if (assignment.count == pod_set->count.value_or(1) && !api::IsUsageDivisible(assignment))
      assignment.count.reset();
  }
}

std::string_view ReasonOf(engine::WaitReason why) {
  switch (why) {
    case engine::WaitReason::kNone:
      return {};
    case engine::WaitReason::kWaitingForQuota:
      return reason::kWaitingForQuota;
    case engine::WaitReason::kExceedsMaxQuota:
      return reason::kExceedsMaxQuota;
    case engine::WaitReason::kNoMatchingFlavor:
      return reason::kNoMatchingFlavor;
    case engine::WaitReason::kWaitingForPreemptedWorkloads:
      return reason::kWaitingForPreemptedWorkloads;
    case engine::WaitReason::kPendingEvaluation:
      return reason::kPendingEvaluation;
    case engine::WaitReason::kMisconfigured:
      return reason::kMisconfigured;
    case engine::WaitReason::kSuspended:
      return reason::kSuspended;
    case engine::WaitReason::kAdmissionGated:
      return reason::kAdmissionGated;
    case engine::WaitReason::kAdmissionConstrained:
      return reason::kAdmissionConstrained;
    case engine::WaitReason::kTopologyPlacementFailed:
      return reason::kTopologyPlacementFailed;
  }
  return {};
}

std::string_view ReasonOf(engine::PreemptionReason why) {
  switch (why) {
    case engine::PreemptionReason::kInClusterQueue:
      return reason::kInClusterQueue;
    case engine::PreemptionReason::kInCohortReclamation:
      return reason::kInCohortReclamation;
    case engine::PreemptionReason::kInCohortReclaimWhileBorrowing:
      return reason::kInCohortReclaimWhileBorrowing;
    case engine::PreemptionReason::kInCohortFairSharing:
      return reason::kInCohortFairSharing;
  }
  return {};
}

}  // namespace berth::workload
