#include "kube/election.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using base::Duration;
using base::Time;

// A server with one Lease, and two replicas.
class ElectionTest : public ::testing::Test {
 protected:
  Election::Moment Now() const { return {.steady = now_, .wall = now_}; }
  void Pass(Duration duration) { now_ = now_ + duration; }

  static ElectionSettings SettingsOf(const std::string& identity) {
    return {.identity = identity, .namespace_ = "kueue-system", .name = "lease"};
  }

  // Runs the steps of a replica until it waits; returns the length of the wait.
  Duration Go(Election& replica) {
    while (true) {
      const Election::Step step = replica.Next(Now());
      if (const auto* wait = std::get_if<Election::Wait>(&step)) return wait->length;
      if (std::holds_alternative<Election::Read>(step)) {
        replica.OnRead(Reach(lease_), Now());
      } else {
        replica.OnWritten(Store(std::get<Election::Write>(step).lease), Now());
      }
    }
  }

  template <class T>
  store::Outcome<T> Reach(T answer) const {
    if (is_down_) return std::unexpected(store::Unreachable("down"));
    return answer;
  }

  store::Outcome<api::Lease> Store(api::Lease lease) {
    if (is_down_) return std::unexpected(store::Unreachable("down"));
    const std::string current = lease_ ? lease_->metadata.resource_version : "";
    if (lease.metadata.resource_version != current)
      return std::unexpected(store::Conflict({}, "lease", "it was modified"));
    lease.metadata.resource_version = std::to_string(++version_);
    lease_ = lease;
    return lease;
  }

  std::string Holder() const { return lease_ ? *lease_->spec.holder_identity : ""; }

  Time now_ = Time::FromSeconds(1000);
  std::optional<api::Lease> lease_;
  int version_ = 0;
  bool is_down_ = false;
  Election a_{SettingsOf("a")};
  Election b_{SettingsOf("b")};
};

TEST_F(ElectionTest, TheFirstReplicaAcquiresTheLease) {
  Go(a_);
  Go(b_);
  EXPECT_TRUE(a_.IsLeading(now_));
  EXPECT_FALSE(b_.IsLeading(now_));
  EXPECT_EQ(lease_->spec.lease_duration_seconds, 15);
  EXPECT_EQ(lease_->spec.lease_transitions, 0);
}

TEST_F(ElectionTest, ALeaderThatRenewsKeepsTheLease) {
  for (int i = 0; i < 60; ++i) {
    Go(a_);
    Go(b_);
    Pass(Duration::Seconds(2));
    EXPECT_TRUE(a_.IsLeading(now_)) << i;
    EXPECT_FALSE(b_.IsLeading(now_)) << i;
  }
}

TEST_F(ElectionTest, AnExpiredLeaseIsTakenOver) {
  Go(a_);
  Go(b_);
  Pass(Duration::Seconds(14));
  Go(b_);
  EXPECT_EQ(Holder(), "a");
  EXPECT_FALSE(a_.IsLeading(now_)) << "it stopped at its renew deadline";
  Pass(Duration::Seconds(1));
  Go(b_);
  EXPECT_TRUE(b_.IsLeading(now_));
  EXPECT_EQ(lease_->spec.lease_transitions, 1);
}

TEST_F(ElectionTest, ExpiryIsMeasuredByTheLocalClock) {
  Go(a_);
  lease_->spec.renew_time = Time::FromSeconds(0);  // by a skewed clock
  lease_->metadata.resource_version = std::to_string(++version_);
  Go(b_);
  EXPECT_EQ(Holder(), "a");
}

TEST_F(ElectionTest, TwoReplicasNeverLeadAtOnce) {
  Go(a_);
  for (int i = 0; i < 400; ++i) {
    Pass(Duration::Milliseconds(100));
    if (i < 50) Go(a_);  // then it hangs
    Go(b_);
    EXPECT_FALSE(a_.IsLeading(now_) && b_.IsLeading(now_)) << i;
  }
  EXPECT_TRUE(b_.IsLeading(now_));
  Go(a_);
  EXPECT_FALSE(a_.IsLeading(now_));
  EXPECT_TRUE(a_.HasLost(now_));
}

TEST_F(ElectionTest, ALeaderThatCannotRenewStopsAtItsDeadline) {
  Go(a_);
  is_down_ = true;
  for (int i = 0; i < 4; ++i) {
    Pass(Duration::Seconds(2));
    Go(a_);
  }
  EXPECT_TRUE(a_.IsLeading(now_)) << "the deadline has not passed";
  Pass(Duration::Seconds(2));
  EXPECT_FALSE(a_.IsLeading(now_));
  is_down_ = false;
  Go(a_);
  EXPECT_TRUE(a_.HasLost(now_)) << "lost leadership is final";
}

TEST_F(ElectionTest, ALeaderSurvivesAShortOutage) {
  Go(a_);
  is_down_ = true;
  Pass(Duration::Seconds(4));
  Go(a_);
  is_down_ = false;
  Pass(Duration::Seconds(2));
  Go(a_);
  Pass(Duration::Seconds(9));
  EXPECT_TRUE(a_.IsLeading(now_));
}

TEST_F(ElectionTest, AReleasedLeaseIsTakenAtOnce) {
  Go(a_);
  Go(b_);
  const auto released = a_.Release(Now());
  ASSERT_TRUE(released);
  ASSERT_TRUE(Store(*released));
  Pass(Duration::Milliseconds(10));
  b_.OnObserved(lease_, Now());
  Go(b_);
  EXPECT_TRUE(b_.IsLeading(now_));
}

TEST_F(ElectionTest, OnlyTheHolderReleasesTheLease) {
  Go(a_);
  Go(b_);
  EXPECT_FALSE(b_.Release(Now()));
  EXPECT_TRUE(a_.Release(Now()));
}

TEST_F(ElectionTest, AFollowerPollsEveryRetryPeriodUntilTheLeaseExpires) {
  Go(a_);
  EXPECT_EQ(Go(b_), Duration::Seconds(2));
  Pass(Duration::Seconds(14));
  EXPECT_EQ(Go(b_), Duration::Seconds(1)) << "the lease has one second left";
}

}  // namespace
}  // namespace berth::kube
