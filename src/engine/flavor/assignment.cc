#include "engine/flavor/assignment.h"

namespace berth::engine {

void Assignment::Clear(size_t pod_set_count) {
  mode = AssignmentMode::kNoFit;
  no_fit_reason = WaitReason::kNone;
  shortage.reset();
  is_placement_too_large = false;
  borrowing_height = 0;
  if (pod_sets.size() != pod_set_count) pod_sets.resize(pod_set_count);
  for (AssignedPodSet& pod_set : pod_sets) {
    pod_set.count = 0;
    pod_set.is_assigned = false;
    pod_set.resources.clear();
  }
  usage.clear();
  placements.clear();
  attempts.clear();
}

void AddTo(std::vector<ColumnAmount>& amounts, ColumnIndex column, Amount amount) {
  for (ColumnAmount& entry : amounts) {
    if (entry.column == column) {
      entry.amount += amount;
      return;
    }
  }
  amounts.push_back({column, amount});
}

Amount AmountIn(const std::vector<ColumnAmount>& amounts, ColumnIndex column) {
  for (const ColumnAmount& entry : amounts) {
    if (entry.column == column) return entry.amount;
  }
  return Amount(0);
}

}  // namespace berth::engine
