#include "kube/election.h"

#include <algorithm>

namespace berth::kube {

bool Election::IsOurs() const { return seen_ && seen_->spec.holder_identity == settings_.identity; }

bool Election::IsFree(base::Time steady) const {
  if (!seen_ || seen_->spec.holder_identity.value_or("").empty()) return true;
  const int64_t seconds = seen_->spec.lease_duration_seconds.value_or(0);
  return seen_changed_ + base::Duration::Seconds(seconds) <= steady;
}

api::Lease Election::Taken(Moment now) const {
  api::Lease lease = seen_.value_or(api::Lease());
  lease.metadata.namespace_ = settings_.namespace_;
  lease.metadata.name = settings_.name;
  if (!IsOurs()) {
    lease.spec.lease_transitions = seen_ ? seen_->spec.lease_transitions.value_or(0) + 1 : 0;
    lease.spec.acquire_time = now.wall;
  }
  lease.spec.holder_identity = settings_.identity;
  lease.spec.lease_duration_seconds =
      static_cast<int32_t>(settings_.lease_duration.nanos / 1'000'000'000);
  lease.spec.renew_time = now.wall;
  return lease;
}

Election::Step Election::Next(Moment now) {
  if (now.steady < next_try_) return Wait{next_try_ - now.steady};
  if (!is_known_) return Read{};
  if (!IsOurs() && !IsFree(now.steady)) {
    is_known_ = false;  // look again after the wait: a watch may have missed something
    const base::Duration left =
        seen_changed_ + base::Duration::Seconds(seen_->spec.lease_duration_seconds.value_or(0)) -
        now.steady;
    next_try_ = now.steady + std::min(left, settings_.retry_period);
    return Wait{next_try_ - now.steady};
  }
  write_began_ = now.steady;
  return Write{Taken(now)};
}

void Election::OnSeen(const std::optional<api::Lease>& lease, Moment now) {
  const bool is_same =
      lease.has_value() == seen_.has_value() &&
      (!lease || lease->metadata.resource_version == seen_->metadata.resource_version);
  is_known_ = true;
  if (is_same) return;
  const bool is_renewed = !lease || !seen_ || !(lease->spec == seen_->spec);
  seen_ = lease;
  if (is_renewed) seen_changed_ = now.steady;
  if (!IsOurs() && IsFree(now.steady)) next_try_ = now.steady;
}

void Election::OnRead(store::Outcome<std::optional<api::Lease>> lease, Moment now) {
  if (lease) return OnSeen(*lease, now);
  next_try_ = now.steady + settings_.retry_period;
}

void Election::OnWritten(store::Outcome<api::Lease> lease, Moment now) {
  next_try_ = now.steady + settings_.retry_period;
  if (!lease) {
    is_known_ = false;
    // Somebody else was quicker: look at once who.
    if (lease.error().IsConflict() || lease.error().IsAlreadyExists()) next_try_ = now.steady;
    return;
  }
  OnSeen(std::move(*lease), now);
  // What was lost once is not taken up again: others may have led in between.
  if (HasLost(now.steady)) return;
  has_led_ = true;
  leads_until_ = write_began_ + settings_.renew_deadline;
}

void Election::LookAgain(Moment now) {
  is_known_ = false;
  next_try_ = now.steady;
}

std::optional<api::Lease> Election::Release(Moment now) const {
  if (!IsOurs()) return std::nullopt;
  api::Lease lease = *seen_;
  lease.spec.holder_identity = "";
  lease.spec.lease_duration_seconds = 1;
  lease.spec.acquire_time = now.wall;
  lease.spec.renew_time = now.wall;
  return lease;
}

}  // namespace berth::kube
