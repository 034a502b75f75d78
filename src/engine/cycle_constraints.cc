// What the constraints of heads keep them from.

#include <algorithm>

#include "engine/cycle.h"

namespace berth::engine {

using quantity::Max;
using quantity::Min;

namespace {

constexpr AdmissionConstraints kNotPreempting{.cannot_preempt = true};
constexpr AdmissionConstraints kNotBorrowing{.cannot_borrow = true};
constexpr AdmissionConstraints kNeither{.cannot_preempt = true, .cannot_borrow = true};

AdmissionConstraints Without(AdmissionConstraints all, AdmissionConstraints dropped) {
  return {.cannot_preempt = all.cannot_preempt && !dropped.cannot_preempt,
          .cannot_borrow = all.cannot_borrow && !dropped.cannot_borrow};
}

// More than the queue could ever have.
bool IsTooLarge(const Entry& entry) {
  return entry.assignment.mode == AssignmentMode::kNoFit &&
         entry.assignment.no_fit_reason == WaitReason::kExceedsMaxQuota;
}

// One day the quota may be there.
bool MayFitLater(const Entry& entry) {
  return entry.assignment.mode != AssignmentMode::kNoFit ||
         entry.assignment.no_fit_reason == WaitReason::kWaitingForQuota;
}

}  // namespace

bool IsNominated(const Entry& entry) {
  return entry.assignment.mode == AssignmentMode::kFit ||
         (entry.assignment.mode == AssignmentMode::kPreempt && !entry.victims.empty());
}

void Cycle::FindForbiddenWays(Entry& entry) {
  entry.forbidden_ways.clear();
  const AdmissionConstraints own = state_.workload(entry.workload).constraints;
  if (own.cannot_preempt) TryWithout(kNotPreempting, entry);
  if (own.cannot_borrow) TryWithout(kNotBorrowing, entry);
  std::vector<ForbiddenWay>& ways = entry.forbidden_ways;
  if (own != kNeither || std::ranges::any_of(ways, &ForbiddenWay::is_open)) return;
  const size_t alone = ways.size();
  TryWithout(kNeither, entry);
  if (ways.size() == alone) return;
  // A way that is open says more than one that is not.
  if (ways.back().is_open) {
    std::erase_if(ways, [](const ForbiddenWay& way) { return !way.is_open; });
  } else if (alone > 0) {
    ways.pop_back();
  }
}

// Considers it once more, as if it had not the constraints in question.
void Cycle::TryWithout(AdmissionConstraints dropped, Entry& entry) {
  const AdmissionConstraints own = state_.workload(entry.workload).constraints;
  const ConstraintTrial trial(state_, entry.workload, Without(own, dropped));
  Entry& free = without_constraints_;
  free.workload = entry.workload;
  free.queue = entry.queue;
  free.is_traced = true;  // from the first flavor
  free.may_shrink = entry.may_shrink;
  free.may_preempt = entry.may_preempt;
  FindAssignment(free, nullptr);
  ForbiddenWay way{.forbidden_by = dropped,
                   .is_open = IsNominated(free) && FitsNow(free),
                   .borrowed = {},
                   .victims = {}};
  if (way.is_open) {
    if (dropped.cannot_borrow) way.borrowed = BorrowedBy(free);
    if (dropped.cannot_preempt) way.victims = free.victims;
    std::erase_if(way.victims, [&](const Victim& v) { return v.workload == free.replaced; });
  } else if (dropped.cannot_borrow && IsTooLarge(entry) && MayFitLater(free)) {
    way.borrowed = ExcessOf(free);
  } else {
    return;
  }
  entry.forbidden_ways.push_back(std::move(way));
}

// What of its usage would be beyond the queue's nominal quota, its victims gone.
std::vector<BorrowedAmount> Cycle::BorrowedBy(const Entry& entry) {
  UsageTrial trial(state_.forest);
  for (const Victim& victim : entry.victims) state_.RemoveUsageOf(state_.workload(victim.workload));
  const QuotaForest& forest = state_.forest;
  std::vector<BorrowedAmount> borrowed;
  for (const ColumnAmount& usage : entry.assignment.usage) {
    const Cell& cell = forest.cell(entry.queue, usage.column);
    const Amount over = Min(usage.amount, cell.usage + usage.amount - cell.nominal);
    if (over <= 0) continue;
    const PairId pair = forest.TreeOf(entry.queue).pairs[usage.column];
    borrowed.push_back({forest.FlavorOf(pair), forest.ResourceOf(pair), over});
  }
  return borrowed;
}

// What it asks for beyond the nominal quota, in the first flavor in which it may fit later. By
// itself, without what others use.
std::vector<BorrowedAmount> Cycle::ExcessOf(const Entry& entry) const {
  QuotaForest& forest = state_.forest;
  std::vector<BorrowedAmount> excess;
  const auto is_known = [&](const FlavorAttempt& attempt) {
    return std::ranges::any_of(excess, [&](const BorrowedAmount& b) {
      return b.resource == attempt.resource && b.flavor != attempt.flavor;
    });
  };
  for (const FlavorAttempt& attempt : entry.assignment.attempts) {
    const bool may_fit_later =
        attempt.mode != FlavorMode::kNoFit || attempt.reason == WaitReason::kWaitingForQuota;
    if (attempt.resource.is_none() || !may_fit_later || is_known(attempt)) continue;
    const Column column =
        forest.ColumnOf(entry.queue, forest.Pair(attempt.flavor, attempt.resource));
    const Amount over =
        attempt.assumed + attempt.requested - forest.cell(entry.queue, column).nominal;
    if (over <= 0) continue;
    const auto same = std::ranges::find(excess, attempt.resource, &BorrowedAmount::resource);
    if (same == excess.end()) {
      excess.push_back({attempt.flavor, attempt.resource, over});
    } else {
      same->amount = Max(same->amount, over);
    }
  }
  return excess;
}

}  // namespace berth::engine
