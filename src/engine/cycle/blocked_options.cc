// Options that the constraints of heads block.

#include <algorithm>

#include "engine/cycle/nominator.h"
#include "engine/topology/state_trial.h"

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

// More than the queue can ever have.
bool IsTooLarge(const Entry& entry) {
  return entry.assignment.mode == AssignmentMode::kNoFit &&
         entry.assignment.no_fit_reason == WaitReason::kExceedsMaxQuota;
}

// The quota may become available later.
bool MayFitLater(const Entry& entry) {
  return entry.assignment.mode != AssignmentMode::kNoFit ||
         entry.assignment.no_fit_reason == WaitReason::kWaitingForQuota;
}

}  // namespace

void Nominator::FindBlockedOptions(Entry& entry) {
  entry.blocked_options.clear();
  const AdmissionConstraints own = state_.workload(entry.workload).constraints;
  if (own.cannot_preempt) TryWithout(kNotPreempting, entry);
  if (own.cannot_borrow) TryWithout(kNotBorrowing, entry);
  std::vector<BlockedOption>& options = entry.blocked_options;
  if (own != kNeither || std::ranges::any_of(options, &BlockedOption::is_available)) return;
  const size_t alone = options.size();
  TryWithout(kNeither, entry);
  if (options.size() == alone) return;
  // An open option is more useful than one without room.
  if (options.back().is_available) {
    std::erase_if(options, [](const BlockedOption& option) { return !option.is_available; });
  } else if (alone > 0) {
    options.pop_back();
  }
}

// Considers the entry again without the given constraints.
void Nominator::TryWithout(AdmissionConstraints dropped, Entry& entry) {
  const AdmissionConstraints own = state_.workload(entry.workload).constraints;
  const ConstraintTrial trial(state_, entry.workload, Without(own, dropped));
  Entry& free = without_constraints_;
  free.workload = entry.workload;
  free.queue = entry.queue;
  free.is_traced = true;  // search from the first flavor
  free.may_shrink = entry.may_shrink;
  free.may_preempt = entry.may_preempt;
  Nominate(free);
  BlockedOption option{.blocked_by = dropped,
                       .is_available = IsNominated(free) && Fits(free),
                       .borrowed = {},
                       .targets = {}};
  if (option.is_available) {
    if (dropped.cannot_borrow) option.borrowed = BorrowedBy(free);
    if (dropped.cannot_preempt) option.targets = free.targets;
    std::erase_if(option.targets,
                  [&](const PreemptionTarget& v) { return v.workload == free.replaced; });
  } else if (dropped.cannot_borrow && IsTooLarge(entry) && MayFitLater(free)) {
    option.borrowed = ExcessOf(free);
  } else {
    return;
  }
  entry.blocked_options.push_back(std::move(option));
}

// Usage beyond the queue's nominal quota, with its preemption targets removed. A replaced slice
// stays: the assignment is what the new slice needs beyond it.
std::vector<BorrowedAmount> Nominator::BorrowedBy(const Entry& entry) {
  StateTrial trial(state_);
  for (const PreemptionTarget& target : entry.targets)
    if (target.workload != entry.replaced) state_.RemoveUsageOf(state_.workload(target.workload));
  const QuotaForest& forest = state_.forest;
  std::vector<BorrowedAmount> borrowed;
  for (const ColumnAmount& usage : entry.assignment.usage) {
    const Cell& cell = forest.cell(entry.queue, usage.column);
    const Amount over = Min(usage.amount, cell.usage + usage.amount - cell.nominal);
    if (over <= 0) continue;
    const FlavorResourceId flavor_resource =
        forest.TreeOf(entry.queue).flavor_resources[usage.column];
    borrowed.push_back(
        {forest.FlavorOf(flavor_resource), forest.ResourceOf(flavor_resource), over});
  }
  return borrowed;
}

Amount Nominator::HeldBy(WorkloadId slice, const FlavorAttempt& attempt) const {
  Amount held(0);
  if (slice.is_none()) return held;
  for (const ResourceAssignment& part : state_.workload(slice).reservation->resources)
    if (part.resource == attempt.resource && part.flavor == attempt.flavor)
      held = held + Amount(part.amount);
  return held;
}

// Requests beyond the nominal quota in the first flavor in which it may fit later, ignoring the
// usage of others, but with what the replaced slice holds: a slice requests what it needs beyond.
std::vector<BorrowedAmount> Nominator::ExcessOf(const Entry& entry) const {
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
    const ColumnIndex column =
        forest.ColumnOf(entry.queue, forest.FlavorResource(attempt.flavor, attempt.resource));
    const Amount over = HeldBy(entry.replaced, attempt) + attempt.assumed + attempt.requested -
                        forest.cell(entry.queue, column).nominal;
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
