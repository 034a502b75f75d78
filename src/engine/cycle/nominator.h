#pragma once

// Nomination of one pending workload: its flavors, its preemption targets, and the options that its
// constraints block. Leaves the state unchanged.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/constraints.h"
#include "engine/cycle/entry.h"
#include "engine/flavor/assignment.h"
#include "engine/flavor/flavor_assigner.h"
#include "engine/preemption/targets.h"
#include "engine/state.h"
#include "engine/topology/workload_placer.h"

namespace berth::engine {

enum class FitCheck : uint8_t { kFits, kNoQuota, kNoPlace };

class Nominator {
 public:
  explicit Nominator(State& state);

  // Fills in the assignment and the preemption targets of the entry.
  void Nominate(Entry& entry);
  // The same, limited to the flavors of the entry's present assignment.
  void NominateAgain(Entry& entry);
  // Whether a nominated entry fits once its own and the given preemption targets are gone.
  FitCheck Check(const Entry& entry, std::span<const WorkloadId> preempted = {});
  bool Fits(const Entry& entry, std::span<const WorkloadId> preempted = {}) {
    return Check(entry, preempted) == FitCheck::kFits;
  }
  // Whether the admission of an entry that fits would make a node overfull. Check does not find
  // every such case (see docs/differences.md).
  bool WouldOverfill(const Entry& entry);
  // Nominates the entry. Returns true if it fits once its preemption targets are gone.
  bool Consider(Entry& entry);
  // Fills in the options that would admit the entry without its constraints. Precondition: the
  // entry was considered and is not nominated.
  void FindBlockedOptions(Entry& entry);

 private:
  void FindAssignment(Entry& entry, const Assignment* nominated);
  // Flavors, then places for the pods.
  void Assign(const Entry& entry, const AssignmentInput& input, Assignment& out);
  void AssignHeld(const Entry& entry, Assignment& out);
  // Topologies (topology_nomination.cc).
  bool HasTopology(const Entry& entry) const;
  PlacerInput PlacerInputFor(const Entry& entry, const Assignment& assignment) const;
  void PlacePods(const Entry& entry, Assignment& out);
  void PlaceForWaiting(Entry& entry);
  bool IsNodeReplacement(const Entry& entry) const;
  // The placement so far of an entry with quota.
  const ReservedTopology* HeldPlacements(const Entry& entry) const;
  bool FindTargets(const Entry& entry, const Assignment& assignment,
                   std::vector<PreemptionTarget>& targets);
  bool TryReducedCounts(Entry& entry, const AssignmentInput& full);
  void TryWithout(AdmissionConstraints dropped, Entry& entry);
  std::vector<BorrowedAmount> BorrowedBy(const Entry& entry);
  std::vector<BorrowedAmount> ExcessOf(const Entry& entry) const;
  // What a slice holds of the resource in the flavor; 0 for none.
  Amount HeldBy(WorkloadId slice, const FlavorAttempt& attempt) const;

  State& state_;
  ResourceId pods_;
  TargetSearch target_search_;
  FlavorAssigner assigner_;
  WorkloadPlacer placer_;

  // Buffers.
  Entry without_constraints_;
  Assignment reduced_, nominated_;
  std::vector<PreemptionTarget> reduced_targets_;
  std::vector<int32_t> counts_;
  std::vector<ColumnIndex> columns_;
  std::vector<ColumnAmount> requests_;
  std::vector<PodSetPlacement> trial_placements_;
};

}  // namespace berth::engine
