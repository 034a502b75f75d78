#pragma once

#include <vector>

#include "engine/ids.h"
#include "engine/spec.h"
#include "engine/victims.h"

namespace berth::engine {

// What a queue would use of a resource beyond its own nominal quota.
struct BorrowedAmount {
  FlavorId flavor;
  ResourceId resource;
  Amount amount;

  friend bool operator==(const BorrowedAmount&, const BorrowedAmount&) = default;
};

// A way in which a waiting workload could be admitted if it had not some of its constraints: what
// the reason kAdmissionConstrained is made of. There is one for each constraint that is alone in
// the way, or else one for both together.
struct ForbiddenWay {
  AdmissionConstraints forbidden_by;
  // There is room now, or its victims would make some. Otherwise there is none for anybody, but
  // with these constraints there can never be any: it asks for more than the nominal quota.
  bool is_open = true;
  std::vector<BorrowedAmount> borrowed;  // what cannot_borrow forbids
  std::vector<Victim> victims;           // what cannot_preempt forbids
};

}  // namespace berth::engine
