#pragma once

#include <vector>

#include "engine/ids.h"
#include "engine/preemption/targets.h"
#include "engine/spec.h"

namespace berth::engine {

// Usage of a resource beyond the queue's nominal quota.
struct BorrowedAmount {
  FlavorId flavor;
  ResourceId resource;
  Amount amount;

  friend bool operator==(const BorrowedAmount&, const BorrowedAmount&) = default;
};

// An option that would admit a pending workload without some of its constraints; the detail of
// kAdmissionConstrained. There is one for each constraint that blocks admission by itself, or else
// one for both together.
struct BlockedOption {
  AdmissionConstraints blocked_by;
  // There is room now, or preemption would make room. Otherwise there is no room for any workload,
  // but with these constraints there can never be: the request exceeds the nominal quota.
  bool is_available = true;
  std::vector<BorrowedAmount> borrowed;   // blocked by cannot_borrow
  std::vector<PreemptionTarget> targets;  // blocked by cannot_preempt
};

}  // namespace berth::engine
