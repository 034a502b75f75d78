#pragma once

// What a workload's constraints mean while it is considered: everything goes as if its queue's
// preemption policies were Never (cannot_preempt) and its borrowing limits 0 (cannot_borrow). So a
// flavor in which it would have to preempt or borrow does not do, and the search goes on; what it
// would keep reserved for itself while it waits is what the queue would keep under such policies.
//
// Borrowing is what takes the ClusterQueue beyond its own nominal quota of a flavor and resource,
// wherever that quota would come from: of a sibling, or of a Cohort's own.
//
// Nothing else changes, for it or for others. It can be preempted, and is ordered as any other.

#include "engine/quota_forest.h"
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

// What the queue could ever have.
inline Amount PotentialFor(AdmissionConstraints constraints, const Cell& cell) {
  return constraints.cannot_borrow ? quantity::Min(cell.potential, cell.nominal) : cell.potential;
}

// What the queue has available; may be negative.
inline Amount AvailableTo(AdmissionConstraints constraints, const QuotaForest& forest, NodeId queue,
                          Column column) {
  const Amount available = forest.Available(queue, column);
  if (!constraints.cannot_borrow) return available;
  const Cell& cell = forest.cell(queue, column);
  return quantity::Min(available, cell.nominal - cell.usage);
}

// Other constraints of a waiting workload, for as long as this lives.
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
