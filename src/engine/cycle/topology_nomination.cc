// Nomination of workloads whose pods are placed in topologies.
//
// Flavors are chosen by quota alone; then, for these flavors:
//   1. If quota fits, the pods are placed beside all usage. If there is no place, or the placement
//      is too large to be written, the workload needs preemption.
//   2. If it needs preemption, its pods must fit as if no workload were placed; otherwise nothing
//      helps. All resources of its podsets with a topology then count as in need.
//   3. What a workload that needs preemption reserves for the rest of the cycle is its placement
//      without its preemption targets or, if it has none, that of 2.
// A workload with a failed node skips 2 and 3.

#include <algorithm>

#include "engine/cycle/nominator.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {
namespace {

void MarkInNeed(AssignedPodSet& pod_set) {
  for (AssignedResource& resource : pod_set.resources) resource.mode = AssignmentMode::kPreempt;
}

void FailWith(WaitReason reason, Assignment& out) {
  out.mode = AssignmentMode::kNoFit;
  out.no_fit_reason = reason;
  out.placements.clear();
}

}  // namespace

bool Nominator::HasTopology(const Entry& entry) const {
  return state_.topologies != nullptr && state_.workload(entry.workload).topology() != nullptr;
}

bool Nominator::IsNodeReplacement(const Entry& entry) const {
  return entry.is_second_pass &&
         state_.workload(entry.workload).reservation->topology->second_pass ==
             SecondPass::kFailedNode;
}

PlacerInput Nominator::PlacerInputFor(const Entry& entry, const Assignment& assignment) const {
  PlacerInput input{.workload = entry.workload, .assignment = &assignment};
  if (!entry.replaced.is_none()) input.replaced = state_.workload(entry.replaced).reservation.get();
  input.held = HeldPlacements(entry);
  return input;
}

void Nominator::PlacePods(const Entry& entry, Assignment& out) {
  if (out.mode == AssignmentMode::kNoFit) return;
  PlacerInput input = PlacerInputFor(entry, out);
  input.ignores_usage = out.mode != AssignmentMode::kFit;
  PlacerResult result = placer_.Place(input, out.placements);
  if (out.mode == AssignmentMode::kFit && result == PlacerResult::kPlaced) return;
  const auto has_no_place = [&] {
    return result == PlacerResult::kNoRoom || result == PlacerResult::kTooLarge;
  };
  if (out.mode == AssignmentMode::kFit && has_no_place()) {
    out.mode = AssignmentMode::kPreempt;
    out.shortage = placer_.shortage();
    MarkInNeed(out.pod_sets[placer_.failed_pod_set()]);
    if (IsNodeReplacement(entry)) return out.placements.clear();
    input.ignores_usage = true;
    result = placer_.Place(input, out.placements);
  }
  if (result == PlacerResult::kNoFlavor) return FailWith(WaitReason::kNoMatchingFlavor, out);
  if (result == PlacerResult::kUnsupported) return FailWith(WaitReason::kNone, out);
  out.is_placement_too_large = result == PlacerResult::kTooLarge;
  if (has_no_place()) {
    out.shortage = placer_.shortage();
    return FailWith(WaitReason::kTopologyPlacementFailed, out);
  }
  out.placements.clear();
  for (uint32_t i = 0; i < out.pod_sets.size(); ++i)
    if (placer_.WasWanted(i)) MarkInNeed(out.pod_sets[i]);
}

void Nominator::PlaceForWaiting(Entry& entry) {
  if (entry.assignment.mode != AssignmentMode::kPreempt || IsNodeReplacement(entry)) return;
  StateTrial trial(state_);
  PlacerInput input = PlacerInputFor(entry, entry.assignment);
  input.ignores_usage = entry.targets.empty();
  for (const PreemptionTarget& target : entry.targets)
    state_.RemoveUsageOf(state_.workload(target.workload));
  if (placer_.Place(input, entry.assignment.placements) != PlacerResult::kPlaced)
    entry.assignment.placements.clear();
}

bool Nominator::WouldOverfill(const Entry& entry) {
  if (entry.assignment.mode != AssignmentMode::kFit || entry.assignment.placements.empty())
    return false;
  TopologyTrial trial(state_.topologies->usage(), UsageLayer::kDecided);
  if (!entry.replaced.is_none()) state_.AddPlacementsOf(state_.workload(entry.replaced), -1);
  return !placer_.FitsForGood(entry.workload, entry.assignment.placements, HeldPlacements(entry));
}

const ReservedTopology* Nominator::HeldPlacements(const Entry& entry) const {
  return entry.is_second_pass ? state_.workload(entry.workload).reservation->topology.get()
                              : nullptr;
}

// The flavors of a workload that holds quota.
void Nominator::AssignHeld(const Entry& entry, Assignment& out) {
  const Reservation& held = *state_.workload(entry.workload).reservation;
  out.Clear(held.pod_sets.size());
  out.mode = AssignmentMode::kFit;
  for (size_t i = 0; i < held.pod_sets.size(); ++i) {
    AssignedPodSet& pod_set = out.pod_sets[i];
    pod_set.count = held.pod_sets[i].count;
    pod_set.is_assigned = true;
    for (const ResourceAssignment& r : held.ResourcesOf(i)) {
      const ColumnIndex column =
          state_.forest.ColumnOf(entry.queue, state_.forest.FlavorResource(r.flavor, r.resource));
      if (column == kNoColumn) continue;
      pod_set.resources.push_back(
          {.resource = r.resource, .flavor = r.flavor, .column = column, .amount = r.amount});
      AddTo(out.usage, column, Amount(r.amount));
    }
  }
}

}  // namespace berth::engine
