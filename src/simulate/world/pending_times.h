#pragma once

// How long jobs are pending, by the reason of the last decision.
//
// Jobs of a kind are equal, so the decision about one of them holds for all that are pending. Until
// the first decision, jobs wait behind others.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "engine/flavor/assignment.h"
#include "engine/ids.h"

namespace berth::simulate {

class PendingTimes {
 public:
  explicit PendingTimes(size_t kinds) : kinds_(kinds) {}

  // A job of the kind becomes pending in the queue (1), or is not any more (-1).
  void Count(uint32_t kind, engine::NodeId queue, int change, base::Time now);
  void Decide(uint32_t kind, engine::WaitReason reason, base::Time now);
  // Brings all times up to date.
  void Close(base::Time now);

  // Seconds, summed over jobs.
  using Key = std::pair<engine::NodeId, engine::WaitReason>;
  const std::map<Key, double>& seconds() const { return seconds_; }

 private:
  struct Pending {
    uint32_t count = 0;
    engine::NodeId queue;
    engine::WaitReason reason = engine::WaitReason::kPendingEvaluation;
    base::Time since;
  };
  void Accrue(Pending& pending, base::Time now);

  std::vector<Pending> kinds_;
  std::map<Key, double> seconds_;
};

}  // namespace berth::simulate
