#include "simulate/world/pending_times.h"

namespace berth::simulate {

void PendingTimes::Accrue(Pending& pending, base::Time now) {
  if (now <= pending.since) return;
  if (pending.count > 0)
    seconds_[{pending.queue, pending.reason}] += pending.count * (now - pending.since).seconds();
  pending.since = now;
}

void PendingTimes::Count(uint32_t kind, engine::NodeId queue, int change, base::Time now) {
  Pending& pending = kinds_[kind];
  Accrue(pending, now);
  pending.queue = queue;
  pending.count = static_cast<uint32_t>(static_cast<int>(pending.count) + change);
  if (pending.count == 0) pending.reason = engine::WaitReason::kPendingEvaluation;
}

void PendingTimes::Decide(uint32_t kind, engine::WaitReason reason, base::Time now) {
  if (kinds_[kind].reason == reason || reason == engine::WaitReason::kNone) return;
  Accrue(kinds_[kind], now);
  kinds_[kind].reason = reason;
}

void PendingTimes::Close(base::Time now) {
  for (Pending& pending : kinds_) Accrue(pending, now);
}

}  // namespace berth::simulate
