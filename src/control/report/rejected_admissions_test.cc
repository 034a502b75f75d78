#include "control/report/rejected_admissions.h"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

TEST(RejectedAdmissions, PausesDoubleUpToFiveMinutes) {
  RejectedAdmissions rejected;
  std::vector<double> pauses;
  for (int i = 0; i < 9; ++i) pauses.push_back((rejected.Add("a", "no", kNow) - kNow).seconds());
  EXPECT_EQ(pauses, (std::vector<double>{5, 10, 20, 40, 80, 160, 300, 300, 300}));
}

TEST(RejectedAdmissions, AnAdmissionEndsThem) {
  RejectedAdmissions rejected;
  rejected.Add("a", "no", kNow);
  rejected.Add("a", "still no", kNow);
  EXPECT_EQ(rejected.WhyRejected("a"), "still no");
  rejected.Remove("a");
  EXPECT_EQ(rejected.WhyRejected("a"), "");
  EXPECT_EQ(rejected.Add("a", "no", kNow) - kNow, base::Duration::Seconds(5));
}

TEST(RejectedAdmissions, TheNextAttemptIsTheEarliestThatIsStillToCome) {
  RejectedAdmissions rejected;
  EXPECT_FALSE(rejected.NextAttempt(kNow));
  const base::Time first = rejected.Add("a", "no", kNow);
  const base::Time second = rejected.Add("b", "no", kNow + base::Duration::Seconds(1));
  EXPECT_EQ(rejected.NextAttempt(kNow), first);
  EXPECT_EQ(rejected.NextAttempt(first), second);
  EXPECT_FALSE(rejected.NextAttempt(second));
}

}  // namespace
}  // namespace berth::control
