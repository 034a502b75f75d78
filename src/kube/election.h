#pragma once

// Which of several replicas acts: whoever holds a Lease. The rules are those of Kubernetes' own
// components, so that Berth and Kueue, which use the same Lease, never act together.
//
//   1. A lease that nobody holds, or that its holder has not renewed for as long as it says, may be
//      taken. How long ago it was renewed is measured by our own clock, from when we saw it change:
//      clocks of different machines need not agree.
//   2. The holder renews it every retry_period. If it could not for renew_deadline, which is
//      shorter than the lease lasts, it stops acting, before anybody else may begin, and does not
//      begin again.
//   3. Taking and renewing name the version that was seen, so of two who try only one succeeds.
//   4. A holder that goes gives the lease back, and the next takes it at once.
//
// No I/O, no clock: Elector drives it, tests drive it by hand.

#include <optional>
#include <string>
#include <variant>

#include "api/lease.h"
#include "base/time.h"
#include "store/failure.h"

namespace berth::kube {

struct ElectionSettings {
  std::string identity;  // of this process, like no other's
  std::string namespace_;
  std::string name;
  base::Duration lease_duration = base::Duration::Seconds(15);
  base::Duration renew_deadline = base::Duration::Seconds(10);
  base::Duration retry_period = base::Duration::Seconds(2);
};

class Election {
 public:
  // Now, by a clock that never goes back, and as the Lease tells it to people.
  struct Moment {
    base::Time steady;
    base::Time wall;
  };

  struct Read {};
  // To be created if it has no resource version, otherwise to be updated.
  struct Write {
    api::Lease lease;
  };
  struct Wait {
    base::Duration length;
  };
  using Step = std::variant<Read, Write, Wait>;

  explicit Election(ElectionSettings settings) : settings_(std::move(settings)) {}

  // What to do now. After a Wait, or something seen meanwhile, ask again; after a Read or a Write
  // tell what came of it.
  Step Next(Moment now);
  // The lease as it is; nullopt if there is none.
  void OnRead(store::Outcome<std::optional<api::Lease>> lease, Moment now);
  void OnWritten(store::Outcome<api::Lease> lease, Moment now);
  // It has changed, as a watch tells.
  void OnSeen(const std::optional<api::Lease>& lease, Moment now);

  // It may have changed: reads it next.
  void LookAgain(Moment now);

  // Until when we lead; the zero time if we do not. Only a renewal moves it.
  base::Time leads_until() const { return leads_until_; }
  bool IsLeading(base::Time steady) const { return steady < leads_until_; }
  // Whether we led and could not keep it.
  bool HasLost(base::Time steady) const { return has_led_ && !IsLeading(steady); }

  // What to write so that the next may begin; nullopt if the lease is not ours.
  std::optional<api::Lease> Release(Moment now) const;

 private:
  bool IsOurs() const;
  bool IsFree(base::Time steady) const;
  api::Lease Taken(Moment now) const;

  ElectionSettings settings_;
  bool is_known_ = false;  // whether `seen_` is what the server has, as far as we know
  std::optional<api::Lease> seen_;
  base::Time seen_changed_;  // when we first saw it as it is
  base::Time next_try_;
  base::Time write_began_;
  base::Time leads_until_;
  bool has_led_ = false;
};

}  // namespace berth::kube
