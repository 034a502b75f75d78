#include "control/report/pending_reason_debouncer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);
constexpr base::Time kSoon = kNow + base::Duration::Milliseconds(500);
constexpr base::Time kLater = kNow + base::Duration::Seconds(10);

WorkloadChange Wait(std::string workload, std::string reason, std::string message = "") {
  WorkloadChange wait;
  wait.workload = std::move(workload);
  wait.reason = std::move(reason);
  wait.message = std::move(message);
  return wait;
}

std::vector<std::string> Messages(const std::vector<WorkloadChange>& waits) {
  std::vector<std::string> messages;
  for (const WorkloadChange& wait : waits) messages.push_back(wait.message);
  return messages;
}

api::Condition Quota(std::string_view status) {
  api::Condition condition;
  condition.status = status;
  return condition;
}

TEST(MayDefer, APendingReasonMay) {
  const api::Condition waits = Quota("False");
  EXPECT_TRUE(MayDefer(Wait("ns/w", "WaitingForQuota"), &waits, true));
}

TEST(MayDefer, TheFirstReasonMayOnlyWithoutCapacity) {
  EXPECT_FALSE(MayDefer(Wait("ns/w", "WaitingForQuota"), nullptr, true));
  EXPECT_TRUE(MayDefer(Wait("ns/w", "WaitingForQuota"), nullptr, false));
}

TEST(MayDefer, OtherChangesMayNot) {
  const api::Condition waits = Quota("False"), reserved = Quota("True");
  EXPECT_FALSE(MayDefer(Wait("ns/w", "WaitingForQuota"), &reserved, false));
  WorkloadChange preempting = Wait("ns/w", "WaitingForPreemptedWorkloads");
  preempting.targets.emplace_back();
  EXPECT_FALSE(MayDefer(preempting, &waits, false));
  WorkloadChange reserve = Wait("ns/w", "");
  reserve.kind = WorkloadChange::Kind::kReserve;
  EXPECT_FALSE(MayDefer(reserve, &waits, false));
}

TEST(ReportedReason, OfAnotherGenerationIsEmpty) {
  api::Condition quota = Quota("False");
  quota.reason = "WaitingForQuota";
  quota.observed_generation = 1;
  EXPECT_EQ(ReportedReason(&quota, 1), "WaitingForQuota");
  EXPECT_EQ(ReportedReason(&quota, 2), "");
  EXPECT_EQ(ReportedReason(nullptr, 1), std::nullopt);
}

TEST(PendingReasonDebouncer, WritesAfterADelay) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/w", "WaitingForQuota", "2 missing"), "", kNow);
  EXPECT_THAT(waits.TakeDue(kNow), IsEmpty());
  EXPECT_LE(*waits.next(), kSoon);
  EXPECT_THAT(Messages(waits.TakeDue(kSoon)), ElementsAre("2 missing"));
  EXPECT_TRUE(waits.empty());
}

TEST(PendingReasonDebouncer, DropsReasonsOfWorkloadsAdmittedMeanwhile) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/w", "WaitingForQuota"), "", kNow);
  waits.Drop("ns/w");
  EXPECT_THAT(waits.TakeDue(kLater), IsEmpty());
  EXPECT_EQ(waits.next(), std::nullopt);
}

TEST(PendingReasonDebouncer, WritesTheLastReasonWhenTheFirstIsDue) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/w", "WaitingForQuota", "2 missing"), "", kNow);
  const base::Time due = *waits.next();
  waits.Hold(Wait("ns/w", "WaitingForQuota", "1 missing"), "", due - base::Duration{1'000});
  EXPECT_THAT(Messages(waits.TakeDue(due)), ElementsAre("1 missing"));
}

TEST(PendingReasonDebouncer, DefersUpdatesOfTheMessageLonger) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/w", "WaitingForQuota"), "WaitingForQuota", kNow);
  EXPECT_THAT(waits.TakeDue(kSoon), IsEmpty());
  waits.Hold(Wait("ns/w", "ExceedsMaxQuota", "never"), "WaitingForQuota", kSoon);
  EXPECT_THAT(Messages(waits.TakeDue(kSoon + base::Duration::Milliseconds(500))),
              ElementsAre("never"));
}

TEST(PendingReasonDebouncer, WritesAFirstReasonAtOnce) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/w", "WaitingForQuota", "2 missing"), std::nullopt, kNow);
  EXPECT_THAT(Messages(waits.TakeDue(kNow)), ElementsAre("2 missing"));
}

TEST(PendingReasonDebouncer, WritesInOrderOfDueTimeUpToTheCapacity) {
  PendingReasonDebouncer waits;
  waits.Hold(Wait("ns/b", "WaitingForQuota", "first"), std::nullopt, kNow);
  waits.Hold(Wait("ns/a", "WaitingForQuota", "second"), std::nullopt, kSoon);
  EXPECT_THAT(waits.TakeDue(kLater, 0), IsEmpty());
  EXPECT_THAT(Messages(waits.TakeDue(kLater, 1)), ElementsAre("first"));
  EXPECT_THAT(Messages(waits.TakeDue(kLater, 5)), ElementsAre("second"));
}

}  // namespace
}  // namespace berth::control
