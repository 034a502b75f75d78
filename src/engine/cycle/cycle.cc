#include "engine/cycle/cycle.h"

#include <algorithm>

#include "base/prefetch.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {

using quantity::Max;
using quantity::Min;

namespace {

bool Contains(const std::vector<WorkloadId>& ids, WorkloadId id) {
  return std::ranges::find(ids, id) != ids.end();
}

WaitReason WhyWaiting(const Entry& entry, WaitReason unless_constrained) {
  return entry.blocked_options.empty() ? unless_constrained : WaitReason::kAdmissionConstrained;
}

}  // namespace

Cycle::Cycle(State& state, PendingQueues& pending)
    : state_(state), pending_(pending), nominator_(state), tournament_(state) {}

std::span<const Decision> Cycle::Run(base::Time now) {
  ++state_.cycle;
  decisions_.clear();
  new_targets_.clear();
  preempted_.clear();
  replaced_.clear();

  has_provisional_usage_ = false;

  // 1. Workloads that hold quota and need a place, and one head per queue.
  entry_count_ = 0;
  if (state_.topologies) state_.topologies->StartCycle();
  if (!state_.second_pass.empty()) CollectSecondPass(now);
  CollectHeads();
  {
    // Usage that heads take or set aside reduces the quota and the places of later heads. If any
    // quota was only set aside, the trial undoes all of it, and Apply adds the admitted usage
    // again.
    StateTrial trial(state_);
    // 2. The requirements of each head, independent of the others.
    NominateAll();
    // 3. and 4. In order, each against the quota left by earlier heads.
    ProcessInOrder();
    if (!has_provisional_usage_) trial.KeepQuota();
  }
  // 5. Admit, mark preemption targets, requeue the rest or mark it inadmissible.
  Apply(now);
  return decisions_;
}

// --- 1. Heads ------------------------------------------------------------------------------------

Entry& Cycle::NewEntry(WorkloadId workload, NodeId queue) {
  if (entry_count_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[entry_count_++];
  entry.workload = workload;
  entry.queue = queue;
  entry.targets.clear();
  entry.replaced = WorkloadId::None();
  entry.is_preemptor = false;
  entry.is_second_pass = false;
  entry.keeps_progress = true;
  entry.was_recomputed = false;
  entry.is_done = false;
  entry.outcome = Outcome::kNoFit;
  entry.reason = WaitReason::kNone;
  entry.blocked_options.clear();
  return entry;
}

void Cycle::CollectHeads() {
  for (const Queue& queue : state_.queues) {
    if (!queue.takes_part) continue;
    const WorkloadId head = pending_.Head(queue.node);
    if (head.is_none()) continue;
    NewEntry(head, queue.node).is_preemptor = queue.preemptor == head;
  }
}

void Cycle::CollectSecondPass(base::Time now) {
  for (const WorkloadId id : state_.second_pass) {
    const Workload& workload = state_.workload(id);
    if (workload.reservation->topology->not_before > now) continue;
    if (!state_.queue(workload.cluster_queue).takes_part) continue;
    NewEntry(id, workload.cluster_queue).is_second_pass = true;
  }
}

// --- 2. Nomination -------------------------------------------------------------------------------

void Cycle::NominateAll() {
  for (size_t i = 0; i < entry_count_; ++i) {
    PrefetchForNomination(i);
    Nominate(entries_[i]);
  }
}

// Prefetches in two steps: data of the head four places ahead locates the rest.
void Cycle::PrefetchForNomination(size_t entry) const {
  if (entry + 4 < entry_count_) {
    const Entry& far = entries_[entry + 4];
    base::Prefetch(state_.workload(far.workload));
    base::Prefetch(state_.queue(far.queue), 2);
    base::Prefetch(state_.forest.node(far.queue), 1);
  }
  if (entry + 2 < entry_count_) {
    const Entry& near = entries_[entry + 2];
    state_.shapes.Prefetch(state_.workload(near.workload).shape);
    base::PrefetchLine(near.assignment.pod_sets.data());
    base::PrefetchLine(near.assignment.usage.data());
    base::PrefetchLine(state_.queue(near.queue).groups.data());
    base::PrefetchLine(state_.queue(near.queue).group_of.data());
    state_.forest.PrefetchCells(near.queue);
  }
}

void Cycle::Nominate(Entry& entry) {
  Workload& workload = state_.workload(entry.workload);
  entry.priority = workload.priority;
  entry.queue_order_time = workload.queue_order_time;
  if (workload.is_invalid || workload.has_namespace_mismatch || workload.lacks_claim) {
    entry.outcome = workload.is_invalid               ? Outcome::kInvalid
                    : workload.has_namespace_mismatch ? Outcome::kNamespaceMismatch
                                                      : Outcome::kClaimMissing;
    entry.reason = WaitReason::kMisconfigured;
    entry.is_done = true;
    return;
  }
  if (!entry.is_second_pass) DropOutdatedProgress(workload);
  nominator_.Nominate(entry);
  if (workload.constraints.any() && !IsNominated(entry)) nominator_.FindBlockedOptions(entry);
}

// Progress describes a past state. It is valid for the next cycle, and later as long as no workload
// of the queue released its quota.
void Cycle::DropOutdatedProgress(Workload& workload) {
  const ScanProgress* progress = workload.progress.get();
  if (progress == nullptr) return;
  const bool is_older =
      state_.queue(workload.cluster_queue).generation > progress->queue_generation;
  bool is_outdated = is_older;
  if (state_.options.flavor_fungibility_preserve_scan_progress) {
    const bool is_other_shape = progress->key != state_.shape(workload.shape).key;
    is_outdated = is_other_shape || (is_older && state_.cycle - progress->cycle > 1);
  }
  if (is_outdated) progress_pool_.Drop(workload);
}

// --- 4. Processing -------------------------------------------------------------------------------

void Cycle::Process(Entry& entry) {
  order_.push_back(static_cast<uint32_t>(&entry - entries_.data()));
  entry.is_done = true;
  const bool has_overlap = HasOverlap(entry);
  if (has_overlap && state_.options.recompute_assignment_upon_preemption_targets_overlap)
    Recompute(entry);
  else if (!entry.assignment.placements.empty())
    PlaceAgainIfNeeded(entry);

  if (FailsReplacement(entry)) {
    entry.outcome = Outcome::kEvicted;
    return;
  }
  switch (entry.assignment.mode) {
    case AssignmentMode::kNoFit:
      entry.outcome = Outcome::kNoFit;
      entry.reason = WhyWaiting(entry, entry.assignment.no_fit_reason);
      return;
    case AssignmentMode::kDeferredFit:
      entry.outcome = Outcome::kDeferred;
      entry.reason = WaitReason::kWaitingForPreemptedWorkloads;
      entry.keeps_progress = false;
      has_provisional_usage_ = true;
      AddUsage(entry);
      return;
    case AssignmentMode::kPreempt:
      if (entry.targets.empty()) {
        entry.outcome = Outcome::kNoCandidates;
        entry.reason = WhyWaiting(entry, WaitReason::kWaitingForQuota);
        ReserveForWaiting(entry);
        return;
      }
      if (state_.options.multikueue_orchestrated_preemption &&
          state_.workload(entry.workload).has_closed_preemption_gate) {
        entry.outcome = Outcome::kPreemptionGated;
        entry.reason = WaitReason::kAdmissionGated;
        entry.keeps_progress = false;
        return;
      }
      break;
    case AssignmentMode::kFit:
      break;
  }

  if (HasOverlap(entry) || !nominator_.Fits(entry, preempted_) || nominator_.WouldOverfill(entry)) {
    entry.outcome = Outcome::kSkipped;
    entry.reason = WaitReason::kWaitingForQuota;
    entry.keeps_progress = state_.options.flavor_fungibility_preserve_scan_progress;
    return;
  }
  for (const PreemptionTarget& target : entry.targets) preempted_.push_back(target.workload);
  // Usage of a replaced slice is settled together with it.
  if (!entry.targets.empty()) has_provisional_usage_ = true;
  AddUsage(entry);
  if (entry.assignment.mode == AssignmentMode::kFit) {
    DecidePlaces(entry);
    entry.outcome = entry.is_second_pass ? Outcome::kPlaced : Outcome::kAdmitted;
    if (!entry.replaced.is_none()) replaced_.push_back(entry.replaced);
    // The pods of a failed node still count until the new placement is applied.
    if (entry.is_second_pass) has_provisional_usage_ = true;
  } else {
    entry.outcome = Outcome::kPreempting;
    entry.reason = WaitReason::kWaitingForPreemptedWorkloads;
    entry.keeps_progress = false;
    has_provisional_usage_ = true;
  }
}

bool Cycle::HasOverlap(const Entry& entry) const {
  return std::ranges::any_of(
      entry.targets, [&](const PreemptionTarget& v) { return Contains(preempted_, v.workload); });
}

// Earlier heads took some of its preemption targets. Assigns again with all of those removed,
// limited to the flavors of its nomination.
void Cycle::Recompute(Entry& entry) {
  entry.was_recomputed = true;
  StateTrial trial(state_);
  for (const WorkloadId id : preempted_) {
    Workload& workload = state_.workload(id);
    workload.reservation->is_out = true;
    state_.RemoveUsageOf(workload);
  }
  nominator_.NominateAgain(entry);
  if (entry.assignment.mode == AssignmentMode::kFit)
    entry.assignment.mode = AssignmentMode::kDeferredFit;
  for (const WorkloadId id : preempted_) state_.workload(id).reservation->is_out = false;
}

// Earlier heads may have taken its places while its quota still fits: then it is nominated again,
// with the flavors of its nomination. Kueue's check misses pods of other flavors and the pod limit
// of nodes: if a node would be overfull, it is nominated again beside all pods of earlier heads.
void Cycle::PlaceAgainIfNeeded(Entry& entry) {
  if (!state_.options.tas_recompute_assignment_within_cycle) return;
  FitCheck check = nominator_.Check(entry, preempted_);
  if (check == FitCheck::kNoPlace) {
    nominator_.NominateAgain(entry);
    check = nominator_.Check(entry, preempted_);
  }
  if (check != FitCheck::kFits || !nominator_.WouldOverfill(entry)) return;
  StateTrial trial(state_);
  ShowPlacesOfOtherFlavors(entry);
  nominator_.NominateAgain(entry);
}

// Lets the flavors of the entry see the pods that earlier heads placed on the same nodes through
// other flavors.
void Cycle::ShowPlacesOfOtherFlavors(const Entry& entry) {
  std::vector<FlavorId> flavors;
  for (const PodSetPlacement& placement : entry.assignment.placements) {
    if (std::ranges::find(flavors, placement.flavor) == flavors.end())
      flavors.push_back(placement.flavor);
  }
  const auto shares_nodes = [&](FlavorId a, FlavorId b) {
    return state_.topologies->Find(a)->usage().lasting ==
           state_.topologies->Find(b)->usage().lasting;
  };
  for (const uint32_t index : order_) {
    const Entry& other = entries_[index];
    if (other.outcome != Outcome::kAdmitted && other.outcome != Outcome::kPlaced) continue;
    for (PodSetPlacement placement : NewPlacements(other)) {
      const FlavorId own = placement.flavor;
      for (const FlavorId flavor : flavors) {
        placement.flavor = flavor;
        if (flavor != own && shares_nodes(flavor, own))
          state_.AddTopologyUsage(state_.workload(other.workload), {&placement, 1}, 1);
      }
    }
  }
}

bool Cycle::FailsReplacement(const Entry& entry) const {
  if (!entry.is_second_pass || entry.assignment.mode == AssignmentMode::kFit) return false;
  const ReservedTopology& held = *state_.workload(entry.workload).reservation->topology;
  return held.second_pass == SecondPass::kFailedNode &&
         state_.options.tas_failed_node_replacement_fail_fast;
}

// A head that cannot be admitted now sets aside the quota that it may claim later, so that others
// do not borrow it in this cycle. Not needed if its queue can reclaim everything at any time.
void Cycle::ReserveForWaiting(const Entry& entry) {
  const AdmissionConstraints constraints = state_.workload(entry.workload).constraints;
  const Preemption& preemption = PreemptionFor(constraints, state_.queue(entry.queue));
  const bool is_waiting_preemptor =
      state_.options.prioritize_preemptor_workloads && entry.is_preemptor;
  if (preemption.reclaim_within_cohort == PreemptionPolicy::kAny && !is_waiting_preemptor) return;
  has_usage_changed_ = true;
  has_provisional_usage_ = true;
  AddPlacements(entry);
  if (entry.is_second_pass) return;
  for (const ColumnAmount& usage : entry.assignment.usage) {
    const Cell& cell = state_.forest.cell(entry.queue, usage.column);
    const Amount reserved =
        entry.assignment.borrowing_height > 0
            ? Min(usage.amount, cell.nominal + BorrowingLimitFor(constraints, cell) - cell.usage)
            : Max(Amount(0), Min(usage.amount, cell.nominal - cell.usage));
    state_.forest.AddUsage(entry.queue, usage.column, reserved);
  }
}

void Cycle::AddUsage(const Entry& entry) {
  has_usage_changed_ = true;
  if (!entry.assignment.placements.empty()) AddPlacements(entry);
  if (entry.is_second_pass) return;
  for (const ColumnAmount& usage : entry.assignment.usage)
    state_.forest.AddUsage(entry.queue, usage.column, usage.amount);
}

// Of a second pass only pods beyond those that the workload holds in the domain.
std::vector<PodSetPlacement> Cycle::NewPlacements(const Entry& entry) const {
  std::vector<PodSetPlacement> placements = entry.assignment.placements;
  if (!entry.is_second_pass) return placements;
  const ReservedTopology& held = *state_.workload(entry.workload).reservation->topology;
  for (PodSetPlacement& placement : placements) {
    const PodSetPlacement* before = held.Find(placement.pod_set);
    if (before == nullptr) continue;
    for (DomainPods& pods : placement.domains) {
      const auto at = std::ranges::find(before->domains, pods.path, &DomainPods::path);
      if (at != before->domains.end()) pods.count = std::max(0, pods.count - at->count);
    }
  }
  return placements;
}

void Cycle::AddPlacements(const Entry& entry) {
  if (!state_.topologies) return;
  state_.AddTopologyUsage(state_.workload(entry.workload), NewPlacements(entry), 1);
}

void Cycle::DecidePlaces(const Entry& entry) {
  if (entry.assignment.placements.empty()) return;
  const UsageLayerScope scope(state_.topologies->usage(), UsageLayer::kDecided);
  AddPlacements(entry);
  if (!entry.replaced.is_none()) state_.AddPlacementsOf(state_.workload(entry.replaced), -1);
}

}  // namespace berth::engine
