#include "engine/victims.h"

#include <algorithm>

#include "engine/candidates.h"
#include "engine/constraints.h"
#include "engine/fair_victims.h"

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
    : state_(state),
      fair_(std::make_unique<FairVictimSearch>(state)),
      candidates_(std::make_unique<Candidates>(state)) {}
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

void VictimSearch::FindByPriority(const Need& need, std::vector<Victim>& victims) {
  candidates_->Collect(need);
  const bool may_borrow = state_.queue(need.queue).spec.preemption.borrow_within_cohort;
  if (!candidates_->has_any_elsewhere() || NeedsAdvantage(state_, need)) {
    TryWith(need, true, victims);
  } else if (!may_borrow && !candidates_->has_hierarchical()) {
    TryWith(need, false, victims) || TryWith(need, true, victims);
  } else {
    TryWith(need, true, victims) || TryWith(need, false, victims);
  }
}

bool VictimSearch::TryWith(const Need& need, bool allow_borrowing, std::vector<Victim>& victims) {
  constexpr PreemptionReason kReasons[] = {
      PreemptionReason::kInClusterQueue, PreemptionReason::kInCohortReclamation,
      PreemptionReason::kInCohortReclamation, PreemptionReason::kInCohortReclaimWhileBorrowing};
  UsageTrial trial(state_.forest);
  trial_.clear();
  candidates_->Rewind(allow_borrowing);
  for (Candidate candidate; candidates_->Next(candidate);) {
    state_.RemoveUsageOf(state_.workload(candidate.workload));
    trial_.push_back({candidate.workload, kReasons[static_cast<size_t>(candidate.claim)]});
    if (!Fits(state_.forest, need, allow_borrowing)) continue;
    GiveBack(state_, need, allow_borrowing, trial_);
    victims = trial_;
    return true;
  }
  return false;
}

}  // namespace berth::engine
