#include "kube/election.h"

#include <algorithm>

namespace berth::kube {

bool Election::IsOurs() const {
  return observed_ && observed_->spec.holder_identity == settings_.identity;
}

bool Election::IsAvailable(base::Time steady) const {
  if (!observed_ || observed_->spec.holder_identity.value_or("").empty()) return true;
  const int64_t seconds = observed_->spec.lease_duration_seconds.value_or(0);
  return observed_at_ + base::Duration::Seconds(seconds) <= steady;
}

api::Lease Election::Acquired(Moment now) const {
  api::Lease lease = observed_.value_or(api::Lease());
  lease.metadata.namespace_ = settings_.namespace_;
  lease.metadata.name = settings_.name;
  if (!IsOurs()) {
    lease.spec.lease_transitions =
        observed_ ? observed_->spec.lease_transitions.value_or(0) + 1 : 0;
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
  if (!is_fresh_) return Read{};
  if (!IsOurs() && !IsAvailable(now.steady)) {
    is_fresh_ = false;  // read again after the wait: a watch may have missed a change
    const base::Duration left =
        observed_at_ + base::Duration::Seconds(observed_->spec.lease_duration_seconds.value_or(0)) -
        now.steady;
    next_try_ = now.steady + std::min(left, settings_.retry_period);
    return Wait{next_try_ - now.steady};
  }
  write_started_ = now.steady;
  return Write{Acquired(now)};
}

void Election::OnObserved(const std::optional<api::Lease>& lease, Moment now) {
  const bool is_same =
      lease.has_value() == observed_.has_value() &&
      (!lease || lease->metadata.resource_version == observed_->metadata.resource_version);
  is_fresh_ = true;
  if (is_same) return;
  const bool is_renewed = !lease || !observed_ || !(lease->spec == observed_->spec);
  observed_ = lease;
  if (is_renewed) observed_at_ = now.steady;
  if (!IsOurs() && IsAvailable(now.steady)) next_try_ = now.steady;
}

void Election::OnRead(store::Outcome<std::optional<api::Lease>> lease, Moment now) {
  if (lease) return OnObserved(*lease, now);
  next_try_ = now.steady + settings_.retry_period;
}

void Election::OnWritten(store::Outcome<api::Lease> lease, Moment now) {
  next_try_ = now.steady + settings_.retry_period;
  if (!lease) {
    is_fresh_ = false;
    // Another replica was faster: read its lease at once.
    if (lease.error().IsConflict() || lease.error().IsAlreadyExists()) next_try_ = now.steady;
    return;
  }
  OnObserved(std::move(*lease), now);
  // Lost leadership is final: another replica may have led in between.
  if (HasLost(now.steady)) return;
  has_led_ = true;
  leads_until_ = write_started_ + settings_.renew_deadline;
}

void Election::Invalidate(Moment now) {
  is_fresh_ = false;
  next_try_ = now.steady;
}

std::optional<api::Lease> Election::Release(Moment now) const {
  if (!IsOurs()) return std::nullopt;
  api::Lease lease = *observed_;
  lease.spec.holder_identity = "";
  lease.spec.lease_duration_seconds = 1;
  lease.spec.acquire_time = now.wall;
  lease.spec.renew_time = now.wall;
  return lease;
}

}  // namespace berth::kube
