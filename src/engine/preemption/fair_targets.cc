#include "engine/preemption/fair_targets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/preemption/target_order.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {

void FairTargetSearch::Find(const Need& need, std::vector<PreemptionTarget>& targets) {
  need_ = need;
  rejected_.clear();
  targets_.clear();
  if (!CollectCandidates()) return;
  StateTrial trial(state_);
  // Shares are computed as if the preemptor were already admitted.
  for (const ColumnAmount& request : need_.requests)
    state_.forest.AddUsage(need_.queue, request.column, request.amount);
  bool fits = RunFirstStrategy();
  if (!fits && state_.options.fair_strategies.size() > 1) fits = RunSecondStrategy();
  if (!fits) return;
  for (const ColumnAmount& request : need_.requests)
    state_.forest.RemoveUsage(need_.queue, request.column, request.amount);
  RestoreUnneeded(state_, need_, true, targets_);
  targets = targets_;
}

// --- Candidates ----------------------------------------------------------------------------------

bool FairTargetSearch::CollectCandidates() {
  const QuotaForest& forest = state_.forest;
  const Preemption& preemption = state_.queue(need_.queue).spec.preemption;
  ClearCandidates();
  bool has_any = false;
  if (preemption.within_cluster_queue != PreemptionPolicy::kNever)
    has_any = AddCandidates(need_.queue, InTargetOrder(state_, need_.queue));
  if (!forest.HasParent(need_.queue) ||
      preemption.reclaim_within_cohort == PreemptionPolicy::kNever)
    return has_any;
  for (const NodeId queue : forest.TreeOf(need_.queue).queues) {
    if (queue != need_.queue && state_.queue(queue).spec.is_active &&
        !IsWithinQuota(forest, queue, need_.columns) &&
        AddCandidates(queue, InTargetOrder(state_, queue)))
      has_any = true;
  }
  return has_any;
}

bool FairTargetSearch::CollectRejected() {
  ClearCandidates();
  std::ranges::sort(rejected_, {}, [](const Rejected& r) { return std::pair(r.queue, r.place); });
  rejected_by_queue_.clear();
  for (const Rejected& r : rejected_) rejected_by_queue_.push_back(r.workload);
  const std::span<const WorkloadId> all = rejected_by_queue_;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && rejected_[end].queue == rejected_[begin].queue) ++end;
    AddCandidates(rejected_[begin].queue, all.subspan(begin, end - begin));
  }
  return !all.empty();
}

void FairTargetSearch::ClearCandidates() {
  pruned_.clear();
  candidates_of_.resize(state_.forest.node_count());
  for (const NodeId queue : queues_with_candidates_) CandidatesOf(queue) = {};
  queues_with_candidates_.clear();
}

bool FairTargetSearch::AddCandidates(NodeId queue, std::span<const WorkloadId> list) {
  QueueCandidates& candidates = CandidatesOf(queue);
  candidates = {.list = list};
  SkipToCandidate(candidates);
  if (candidates.list.empty()) return false;
  queues_with_candidates_.push_back(queue);
  return true;
}

bool FairTargetSearch::IsCandidate(WorkloadId id) const {
  const Workload& candidate = state_.workload(id);
  const Preemption& preemption = state_.queue(need_.queue).spec.preemption;
  const PreemptionPolicy policy = candidate.cluster_queue == need_.queue
                                      ? preemption.within_cluster_queue
                                      : preemption.reclaim_within_cohort;
  return !candidate.reservation->is_out && SatisfiesPolicy(policy, need_, candidate) &&
         UsesAny(state_, candidate, need_.columns);
}

void FairTargetSearch::SkipToCandidate(QueueCandidates& candidates) const {
  while (!candidates.list.empty() && !IsCandidate(candidates.list.front()))
    candidates.list = candidates.list.subspan(1);
}

// --- The next queue ------------------------------------------------------------------------------

bool FairTargetSearch::IsOnPreemptorPath(NodeId cohort) const {
  for (NodeId at = state_.forest.node(need_.queue).parent; !at.is_none();
       at = state_.forest.node(at).parent) {
    if (at == cohort) return true;
  }
  return false;
}

NodeId FairTargetSearch::NextQueue() {
  const QuotaForest& forest = state_.forest;
  if (!forest.HasParent(need_.queue)) {
    const QueueCandidates& own = CandidatesOf(need_.queue);
    return own.is_dropped || own.list.empty() ? NodeId::None() : need_.queue;
  }
  const NodeId root = forest.RootOf(need_.queue);
  while (std::ranges::find(pruned_, root) == pruned_.end()) {
    const NodeId queue = NextBelow(root);
    if (!queue.is_none()) return queue;  // otherwise a node was pruned
  }
  return NodeId::None();
}

NodeId FairTargetSearch::NextBelow(NodeId cohort) {
  FairShare queue_share = kLowestShare;
  FairShare cohort_share = kLowestShare;
  const NodeId queue = HighestQueue(cohort, queue_share);
  const NodeId child = HighestCohort(cohort, cohort_share);
  if (queue.is_none() && child.is_none()) {
    pruned_.push_back(cohort);
    return NodeId::None();
  }
  // A cohort wins a tie: the least fair queue within it can be chosen.
  if (Compare(cohort_share, queue_share) >= 0) return NextBelow(child);
  return queue;
}

NodeId FairTargetSearch::HighestQueue(NodeId cohort, FairShare& share) {
  NodeId highest;
  const IsPreemptedBefore is_preempted_before(state_, need_.queue);
  for (const NodeId queue : state_.forest.node(cohort).child_queues) {
    if (!state_.queue(queue).spec.is_active) continue;
    QueueCandidates& candidates = CandidatesOf(queue);
    if (candidates.is_dropped || candidates.list.empty()) continue;
    const FairShare candidate = ShareOf(state_.forest, queue);
    if (!candidate.is_borrowing && queue != need_.queue) {
      candidates.is_dropped = true;
      continue;
    }
    const int order = Compare(candidate, share);
    const auto first = [&](NodeId q) { return CandidatesOf(q).list.front(); };
    if (order > 0 || (order == 0 && is_preempted_before(first(queue), first(highest)))) {
      highest = queue;
      share = candidate;
    }
  }
  return highest;
}

NodeId FairTargetSearch::HighestCohort(NodeId cohort, FairShare& share) {
  NodeId highest;
  for (const NodeId child : state_.forest.node(cohort).child_cohorts) {
    if (std::ranges::find(pruned_, child) != pruned_.end()) continue;
    const FairShare candidate = ShareOf(state_.forest, child);
    if (!candidate.is_borrowing && !IsOnPreemptorPath(child)) {
      pruned_.push_back(child);
    } else if (Compare(candidate, share) >= 0) {
      highest = child;
      share = candidate;
    }
  }
  return highest;
}

// --- Targets -------------------------------------------------------------------------------------

WorkloadId FairTargetSearch::Pop(NodeId queue) {
  QueueCandidates& candidates = CandidatesOf(queue);
  const WorkloadId first = candidates.list.front();
  candidates.list = candidates.list.subspan(1);
  SkipToCandidate(candidates);
  return first;
}

void FairTargetSearch::Remove(WorkloadId id, PreemptionReason reason) {
  const Workload& workload = state_.workload(id);
  state_.RemoveUsageOf(workload);
  targets_.push_back({id, reason});
}

bool FairTargetSearch::Take(NodeId queue, PreemptionReason reason) {
  Remove(Pop(queue), reason);
  return FitsWithoutOwnUsage();
}

bool FairTargetSearch::RunFirstStrategy() {
  const bool is_within_nominal = state_.options.fair_sharing_preempt_within_nominal &&
                                 IsWithinQuota(state_.forest, need_.queue, need_.columns);
  for (NodeId queue = NextQueue(); !queue.is_none(); queue = NextQueue()) {
    if (queue == need_.queue) {
      if (Take(queue, PreemptionReason::kInClusterQueue)) return true;
    } else if (is_within_nominal) {
      if (Take(queue, PreemptionReason::kInCohortReclamation)) return true;
    } else if (TakeByStrategy(queue, state_.options.fair_strategies[0])) {
      return true;
    }
  }
  return false;
}

// Takes the first candidate of the queue that passes; earlier ones are rejected.
bool FairTargetSearch::TakeByStrategy(NodeId queue, FairStrategy strategy) {
  const Shares shares = SharesWith(queue);
  // No strategy allows taking from a finite share for an infinite one.
  const bool is_ruled_out =
      std::isinf(shares.preemptor.Weighted()) && !std::isinf(shares.target.Weighted());
  while (!CandidatesOf(queue).list.empty()) {
    const WorkloadId candidate = Pop(queue);
    if (!is_ruled_out &&
        Passes(strategy, shares.preemptor, shares.target, TargetShareWithout(queue, candidate))) {
      Remove(candidate, PreemptionReason::kInCohortFairSharing);
      return FitsWithoutOwnUsage();
    }
    rejected_.push_back({queue, static_cast<uint32_t>(rejected_.size()), candidate});
  }
  return false;
}

bool FairTargetSearch::RunSecondStrategy() {
  if (!CollectRejected()) return false;
  for (NodeId queue = NextQueue(); !queue.is_none(); queue = NextQueue()) {
    const Shares shares = SharesWith(queue);
    const WorkloadId candidate = Pop(queue);
    CandidatesOf(queue).is_dropped = true;
    if (Passes(FairStrategy::kLessThanInitialShare, shares.preemptor, shares.target, {})) {
      Remove(candidate, PreemptionReason::kInCohortFairSharing);
      if (FitsWithoutOwnUsage()) return true;
    }
  }
  return false;
}

bool FairTargetSearch::Passes(FairStrategy strategy, const FairShare& preemptor,
                              const FairShare& before, const FairShare& after) const {
  return strategy == FairStrategy::kLessThanOrEqualToFinalShare ? Compare(preemptor, after) <= 0
                                                                : Compare(preemptor, before) < 0;
}

// --- Shares --------------------------------------------------------------------------------------

// The ancestor-or-self of `from` whose parent is also an ancestor of `other`.
NodeId FairTargetSearch::BelowCommonAncestor(NodeId from, NodeId other) const {
  const QuotaForest& forest = state_.forest;
  const auto is_above_other = [&](NodeId ancestor) {
    for (NodeId at = forest.node(other).parent; !at.is_none(); at = forest.node(at).parent) {
      if (at == ancestor) return true;
    }
    return false;
  };
  NodeId at = from;
  while (!is_above_other(forest.node(at).parent)) at = forest.node(at).parent;
  return at;
}

FairTargetSearch::Shares FairTargetSearch::SharesWith(NodeId queue) const {
  return {.preemptor = ShareOf(state_.forest, BelowCommonAncestor(need_.queue, queue)),
          .target = ShareOf(state_.forest, BelowCommonAncestor(queue, need_.queue))};
}

FairShare FairTargetSearch::TargetShareWithout(NodeId queue, WorkloadId candidate) {
  StateTrial trial(state_);
  state_.RemoveUsageOf(state_.workload(candidate));
  return ShareOf(state_.forest, BelowCommonAncestor(queue, need_.queue));
}

bool FairTargetSearch::FitsWithoutOwnUsage() {
  StateTrial trial(state_);
  for (const ColumnAmount& request : need_.requests)
    state_.forest.RemoveUsage(need_.queue, request.column, request.amount);
  return Fits(state_.forest, need_, true);
}

}  // namespace berth::engine
