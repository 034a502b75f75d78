#pragma once

// Leader election with a Lease. The rules are those of the Kubernetes components, so that Berth and
// Kueue, which share the Lease, never lead at the same time.
//
//   1. A lease may be acquired if it has no holder or has expired: not renewed for its duration.
//      The age of a renewal is measured with the local clock from when the change was observed, so
//      clock skew between machines does not matter.
//   2. The leader renews every retry_period. If it fails to for renew_deadline, which is shorter
//      than the lease duration, it stops leading before another replica may start, and never leads
//      again.
//   3. Acquiring and renewing use the observed resource version, so that only one of two succeeds.
//   4. On shutdown the leader releases the lease, and the next replica acquires it at once.
//
// No I/O, no clock: Elector drives it, tests drive it by hand.

#include <optional>
#include <string>
#include <variant>

#include "api/core/lease.h"
#include "base/time.h"
#include "store/failure.h"

namespace berth::kube {

struct ElectionSettings {
  std::string identity;  // unique to this process
  std::string namespace_;
  std::string name;
  base::Duration lease_duration = base::Duration::Seconds(15);
  base::Duration renew_deadline = base::Duration::Seconds(10);
  base::Duration retry_period = base::Duration::Seconds(2);
};

class Election {
 public:
  // The current time: monotonic for the rules, wall clock for the fields of the Lease.
  struct Moment {
    base::Time steady;
    base::Time wall;
  };

  struct Read {};
  // A create if the lease has no resource version, otherwise an update.
  struct Write {
    api::Lease lease;
  };
  struct Wait {
    base::Duration length;
  };
  using Step = std::variant<Read, Write, Wait>;

  explicit Election(ElectionSettings settings) : settings_(std::move(settings)) {}

  // The next step. Call again after a Wait or an observed change; report the result of a Read or a
  // Write.
  Step Next(Moment now);
  // The current lease; nullopt if there is none.
  void OnRead(store::Outcome<std::optional<api::Lease>> lease, Moment now);
  void OnWritten(store::Outcome<api::Lease> lease, Moment now);
  // A watch observed a change.
  void OnObserved(const std::optional<api::Lease>& lease, Moment now);

  // The lease may have changed: the next step reads it.
  void Invalidate(Moment now);

  // The end of our leadership unless renewed; the zero time if we do not lead.
  base::Time leads_until() const { return leads_until_; }
  bool IsLeading(base::Time steady) const { return steady < leads_until_; }
  // Whether we led and lost the lease.
  bool HasLost(base::Time steady) const { return has_led_ && !IsLeading(steady); }

  // The released lease to write; nullopt if the lease is not ours.
  std::optional<api::Lease> Release(Moment now) const;

 private:
  bool IsOurs() const;
  bool IsAvailable(base::Time steady) const;
  api::Lease Acquired(Moment now) const;

  ElectionSettings settings_;
  bool is_fresh_ = false;  // whether `observed_` needs no read before a write
  std::optional<api::Lease> observed_;
  base::Time observed_at_;  // when `observed_` last changed
  base::Time next_try_;
  base::Time write_started_;
  base::Time leads_until_;
  bool has_led_ = false;
};

}  // namespace berth::kube
