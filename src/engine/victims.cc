#include "engine/victims.h"

#include <algorithm>
#include <functional>

#include "engine/constraints.h"
#include "engine/fair_victims.h"
#include "engine/victim_order.h"

namespace berth::engine {

using quantity::Max;

bool SatisfiesPolicy(PreemptionPolicy policy, const Need& need, const Workload& candidate) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kLowerPriority:
      return candidate.priority < need.priority;
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return candidate.priority < need.priority ||
             (candidate.priority == need.priority &&
              need.queue_order_time < candidate.queue_order_time);
    case PreemptionPolicy::kAny:
      return true;
  }
  return false;
}

bool UsesAny(const State& state, const Workload& workload, std::span<const Column> columns) {
  for (const PairUsage& usage : workload.reservation->usage) {
    const Column column = state.forest.ColumnOf(workload.cluster_queue, usage.pair);
    if (std::ranges::find(columns, column) != columns.end()) return true;
  }
  return false;
}

bool IsWithinQuota(const QuotaForest& forest, NodeId node, std::span<const Column> columns) {
  return std::ranges::none_of(columns, [&](Column c) { return forest.IsBorrowing(node, c); });
}

bool Fits(const QuotaForest& forest, const Need& need, bool allow_borrowing) {
  for (const ColumnAmount& request : need.requests) {
    if (!allow_borrowing && forest.IsBorrowingWith(need.queue, request.column, request.amount))
      return false;
    const Amount available = AvailableTo(need.constraints, forest, need.queue, request.column);
    if (request.amount > Max(Amount(0), available)) return false;
  }
  return true;
}

void GiveBack(State& state, const Need& need, bool allow_borrowing, std::vector<Victim>& victims) {
  for (size_t i = victims.size() - 1; i-- > 0;) {
    const Workload& candidate = state.workload(victims[i].workload);
    state.AddUsageOf(candidate);
    if (Fits(state.forest, need, allow_borrowing)) {
      victims[i] = victims.back();
      victims.pop_back();
    } else {
      state.RemoveUsageOf(candidate);
    }
  }
}

VictimSearch::VictimSearch(State& state)
    : state_(state), fair_(std::make_unique<FairVictimSearch>(state)) {}
VictimSearch::~VictimSearch() = default;

void VictimSearch::Find(const Need& need, std::vector<Victim>& victims) {
  victims.clear();
  if (need.constraints.cannot_preempt) return;
  if (state_.options.fair_sharing) {
    fair_->Find(need, victims);
  } else {
    FindByPriority(need, victims);
  }
}

// --- Candidates
// -----------------------------------------------------------------------------------

// A queue that would borrow, and may not preempt for that, gets nothing from others but what it has
// an advantage for. In a full cohort that is true of most, and spares them the search.
static bool NeedsAdvantage(const State& state, const Need& need) {
  if (state.queue(need.queue).spec.preemption.borrow_within_cohort) return false;
  return !std::ranges::all_of(need.columns, [&](Column c) {
    const Cell& cell = state.forest.cell(need.queue, c);
    return cell.usage < cell.nominal;
  });
}

void VictimSearch::FindByPriority(const Need& need, std::vector<Victim>& victims) {
  hierarchical_.clear();
  by_priority_.clear();
  own_.clear();
  CollectOwn(need);
  CollectElsewhere(need);
  OrderCandidates(need);

  const bool may_borrow = state_.queue(need.queue).spec.preemption.borrow_within_cohort;
  const bool none_elsewhere = hierarchical_.empty() && by_priority_.empty();
  if (none_elsewhere || NeedsAdvantage(state_, need)) {
    TryWith(need, true, victims);
  } else if (!may_borrow && hierarchical_.empty()) {
    TryWith(need, false, victims) || TryWith(need, true, victims);
  } else {
    TryWith(need, true, victims) || TryWith(need, false, victims);
  }
}

void VictimSearch::CollectOwn(const Need& need) {
  if (state_.queue(need.queue).spec.preemption.within_cluster_queue != PreemptionPolicy::kNever)
    CollectFrom(need, need.queue, NodeId::None(), false);
}

// Climbs to the root. Once the request fits into the quota of a node on the way, the preemptor has
// a claim on what others took beyond their own above that node.
void VictimSearch::CollectElsewhere(const Need& need) {
  const QuotaForest& forest = state_.forest;
  if (!forest.HasParent(need.queue) ||
      state_.queue(need.queue).spec.preemption.reclaim_within_cohort == PreemptionPolicy::kNever)
    return;
  remaining_.assign(need.requests.begin(), need.requests.end());
  const auto fits_quota_of = [&](NodeId node) {
    bool fits = true;
    for (ColumnAmount& request : remaining_) {
      if (forest.IsBorrowingWith(node, request.column, request.amount)) fits = false;
      request.amount = Max(Amount(0), request.amount - forest.LocalAvailable(node, request.column));
    }
    return fits;
  };
  const bool needs_advantage = NeedsAdvantage(state_, need);
  bool has_advantage = fits_quota_of(need.queue);
  NodeId below = NodeId::None();
  for (NodeId at = forest.node(need.queue).parent; !at.is_none(); at = forest.node(at).parent) {
    if (has_advantage || !needs_advantage) CollectBelow(need, at, at, below, has_advantage);
    const bool fits_here = fits_quota_of(at);
    has_advantage = has_advantage || fits_here;
    below = at;
  }
}

void VictimSearch::CollectBelow(const Need& need, NodeId cohort, NodeId ancestor, NodeId skip,
                                bool has_advantage) {
  const QuotaForest& forest = state_.forest;
  for (const NodeId child : forest.node(cohort).child_cohorts) {
    if (child != skip && !IsWithinQuota(forest, child, need.columns))
      CollectBelow(need, child, ancestor, skip, has_advantage);
  }
  for (const NodeId child : forest.node(cohort).child_queues) {
    if (child != need.queue && state_.queue(child).spec.is_active &&
        !IsWithinQuota(forest, child, need.columns))
      CollectFrom(need, child, ancestor, has_advantage);
  }
}

void VictimSearch::CollectFrom(const Need& need, NodeId queue, NodeId ancestor,
                               bool has_advantage) {
  const Preemption& preemption = state_.queue(need.queue).spec.preemption;
  const bool is_own = queue == need.queue;
  const PreemptionPolicy policy =
      is_own ? preemption.within_cluster_queue : preemption.reclaim_within_cohort;
  for (const WorkloadId id : InOrderOfGivingWay(state_, queue)) {
    const Workload& candidate = state_.workload(id);
    if (candidate.reservation->is_out || !SatisfiesPolicy(policy, need, candidate) ||
        !UsesAny(state_, candidate, need.columns))
      continue;
    if (is_own) {
      own_.push_back({id, ancestor, Claim::kWithinQueue});
    } else if (has_advantage) {
      hierarchical_.push_back({id, ancestor, Claim::kHierarchical});
    } else {
      const bool is_above_threshold = !preemption.borrow_within_cohort ||
                                      candidate.priority >= need.priority ||
                                      (preemption.max_priority_threshold &&
                                       candidate.priority > *preemption.max_priority_threshold);
      by_priority_.push_back(
          {id, ancestor,
           is_above_threshold ? Claim::kOnlyWithoutBorrowing : Claim::kAlsoWhileBorrowing});
    }
  }
}

// Those being evicted of all three lists first, then the others of all three.
void VictimSearch::OrderCandidates(const Need& need) {
  candidates_.clear();
  const auto is_evicted = [&](const Candidate& c) {
    return state_.workload(c.workload).reservation->is_evicted;
  };
  for (auto* list : {&hierarchical_, &by_priority_, &own_}) {
    // Those of one queue come in order.
    const auto of_other_queue = [&](const Candidate& c) {
      return state_.workload(c.workload).cluster_queue !=
             state_.workload(list->front().workload).cluster_queue;
    };
    if (std::ranges::any_of(*list, of_other_queue))
      SortByGivingWay(state_, need.queue, *list, &Candidate::workload);
    std::ranges::copy_if(*list, std::back_inserter(candidates_), is_evicted);
  }
  for (const auto* list : {&hierarchical_, &by_priority_, &own_})
    std::ranges::copy_if(*list, std::back_inserter(candidates_), std::not_fn(is_evicted));
}

// --- The search
// -----------------------------------------------------------------------------------

bool VictimSearch::TryWith(const Need& need, bool allow_borrowing, std::vector<Victim>& victims) {
  constexpr PreemptionReason kReasons[] = {
      PreemptionReason::kInClusterQueue, PreemptionReason::kInCohortReclamation,
      PreemptionReason::kInCohortReclamation, PreemptionReason::kInCohortReclaimWhileBorrowing};
  UsageTrial trial(state_.forest);
  trial_.clear();
  for (const Candidate& candidate : candidates_) {
    if (!IsStillValid(need, candidate, allow_borrowing)) continue;
    const Workload& workload = state_.workload(candidate.workload);
    state_.RemoveUsageOf(workload);
    trial_.push_back({candidate.workload, kReasons[static_cast<size_t>(candidate.claim)]});
    if (!Fits(state_.forest, need, allow_borrowing)) continue;
    GiveBack(state_, need, allow_borrowing, trial_);
    victims = trial_;
    return true;
  }
  return false;
}

// Earlier victims may have brought a queue, or a cohort on the way to it, back within its quota:
// then there is nothing more to take from it.
bool VictimSearch::IsStillValid(const Need& need, const Candidate& candidate,
                                bool allow_borrowing) const {
  const QuotaForest& forest = state_.forest;
  const NodeId queue = state_.workload(candidate.workload).cluster_queue;
  if (queue == need.queue) return true;
  if (allow_borrowing && candidate.claim == Claim::kOnlyWithoutBorrowing) return false;
  for (NodeId at = queue; at != candidate.common_ancestor; at = forest.node(at).parent) {
    if (IsWithinQuota(forest, at, need.columns)) return false;
  }
  return true;
}

}  // namespace berth::engine
