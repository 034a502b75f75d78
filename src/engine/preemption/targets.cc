#include "engine/preemption/targets.h"

#include <algorithm>

#include "engine/constraints.h"
#include "engine/preemption/candidates.h"
#include "engine/preemption/domain_targets.h"
#include "engine/preemption/fair_targets.h"
#include "engine/topology/state_trial.h"

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

bool UsesAny(const State& state, const Workload& workload, std::span<const ColumnIndex> columns) {
  for (const FlavorResourceUsage& usage : workload.reservation->usage) {
    const ColumnIndex column = state.forest.ColumnOf(workload.cluster_queue, usage.flavor_resource);
    if (std::ranges::find(columns, column) != columns.end()) return true;
  }
  return false;
}

bool IsWithinQuota(const QuotaForest& forest, NodeId node, std::span<const ColumnIndex> columns) {
  return std::ranges::none_of(columns, [&](ColumnIndex c) { return forest.IsBorrowing(node, c); });
}

bool FitsQuota(const QuotaForest& forest, const Need& need, bool allow_borrowing) {
  for (const ColumnAmount& request : need.requests) {
    if (!allow_borrowing && forest.IsBorrowingWith(need.queue, request.column, request.amount))
      return false;
    const Amount available = AvailableTo(need.constraints, forest, need.queue, request.column);
    if (request.amount > Max(Amount(0), available)) return false;
  }
  return true;
}

bool Fits(const QuotaForest& forest, const Need& need, bool allow_borrowing) {
  return FitsQuota(forest, need, allow_borrowing) &&
         (need.placement == nullptr || need.placement->HasPlace());
}

void RestoreUnneeded(State& state, const Need& need, bool allow_borrowing,
                     std::vector<PreemptionTarget>& targets) {
  for (size_t i = targets.size() - 1; i-- > 0;) {
    const Workload& candidate = state.workload(targets[i].workload);
    state.AddUsageOf(candidate);
    if (Fits(state.forest, need, allow_borrowing)) {
      targets[i] = targets.back();
      targets.pop_back();
    } else {
      state.RemoveUsageOf(candidate);
    }
  }
}

TargetSearch::TargetSearch(State& state)
    : state_(state),
      fair_(std::make_unique<FairTargetSearch>(state)),
      candidates_(std::make_unique<Candidates>(state)),
      domains_(std::make_unique<DomainTargetSearch>(state, *candidates_)) {}
TargetSearch::~TargetSearch() = default;

void TargetSearch::Find(const Need& need, std::vector<PreemptionTarget>& targets) {
  targets.clear();
  if (need.constraints.cannot_preempt) return;
  if (state_.options.fair_sharing) {
    fair_->Find(need, targets);
  } else {
    FindByPriority(need, targets);
  }
}

void TargetSearch::FindByPriority(const Need& need, std::vector<PreemptionTarget>& targets) {
  candidates_->Collect(need);
  const bool may_borrow = state_.queue(need.queue).spec.preemption.borrow_within_cohort;
  if (!candidates_->has_any_elsewhere() || NeedsAdvantage(state_, need)) {
    TryWith(need, true, targets);
  } else if (!may_borrow && !candidates_->has_hierarchical()) {
    TryWith(need, false, targets) || TryWith(need, true, targets);
  } else {
    TryWith(need, true, targets) || TryWith(need, false, targets);
  }
}

bool TargetSearch::TryWith(const Need& need, bool allow_borrowing,
                           std::vector<PreemptionTarget>& targets) {
  if (state_.options.tas_preempt_fewest_in_domain && domains_->Find(need, allow_borrowing, targets))
    return true;
  StateTrial trial(state_);
  trial_.clear();
  candidates_->Rewind(allow_borrowing);
  for (Candidate candidate; candidates_->Next(candidate);) {
    state_.RemoveUsageOf(state_.workload(candidate.workload));
    trial_.push_back({candidate.workload, ReasonOf(candidate.claim)});
    if (!Fits(state_.forest, need, allow_borrowing)) continue;
    RestoreUnneeded(state_, need, allow_borrowing, trial_);
    targets = trial_;
    return true;
  }
  return false;
}

}  // namespace berth::engine
