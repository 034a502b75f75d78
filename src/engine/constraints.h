#pragma once

// Admission constraints of a workload. While it is evaluated, the preemption policies of its queue
// count as Never (cannot_preempt) and the borrowing limits as 0 (cannot_borrow). A flavor that
// requires preemption or borrowing therefore does not fit, and the search continues with the next
// one; the quota set aside for the pending workload follows the same policies.
//
// Borrowing means using more than the ClusterQueue's nominal quota of a flavor and resource,
// whether the quota comes from a sibling or from a Cohort.
//
// Nothing else changes: the workload can be preempted and is ordered like any other.
// Nothing else changes, for it or for others. It can be preempted, and is ordered as any other.

#include "engine/quota/quota_forest.h"
#include "engine/spec.h"
#include "engine/state.h"

namespace berth::engine {

inline constexpr Preemption kNeverPreempts;

inline const Preemption& PreemptionFor(AdmissionConstraints constraints, const Queue& queue) {
  return constraints.cannot_preempt ? kNeverPreempts : queue.spec.preemption;
}

inline Amount BorrowingLimitFor(AdmissionConstraints constraints, const Cell& cell) {
  return constraints.cannot_borrow ? Amount(0) : cell.borrowing_limit;
}

// The most that the queue can have with no usage anywhere.
inline Amount PotentialFor(AdmissionConstraints constraints, const Cell& cell) {
  return constraints.cannot_borrow ? quantity::Min(cell.potential, cell.nominal) : cell.potential;
}

// The quota available to the queue; may be negative.
inline Amount AvailableTo(AdmissionConstraints constraints, const QuotaForest& forest, NodeId queue,
                          ColumnIndex column) {
  const Amount available = forest.Available(queue, column);
  if (!constraints.cannot_borrow) return available;
  const Cell& cell = forest.cell(queue, column);
  return quantity::Min(available, cell.nominal - cell.usage);
}

// Scoped replacement of a pending workload's constraints; restored on destruction.
class ConstraintTrial {
 public:
  ConstraintTrial(State& state, WorkloadId workload, AdmissionConstraints constraints)
      : state_(state), workload_(workload), before_(state.workload(workload).constraints) {
    state_.workload(workload_).constraints = constraints;
  }
  ~ConstraintTrial() { state_.workload(workload_).constraints = before_; }
  ConstraintTrial(const ConstraintTrial&) = delete;
  ConstraintTrial& operator=(const ConstraintTrial&) = delete;

 private:
  State& state_;
  WorkloadId workload_;
  AdmissionConstraints before_;
};

}  // namespace berth::engine
