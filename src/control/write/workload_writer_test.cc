#include "control/write/workload_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// Time advances only when no task is due.
class SteppedExecutor final : public store::Executor {
 public:
  void Post(store::Task task) override { PostAfter({}, std::move(task)); }
  void PostAfter(base::Duration delay, store::Task task) override {
    tasks_.emplace(now_ + delay, std::move(task));
  }
  base::Time Now() const override { return now_; }

  void RunFor(base::Duration duration) {
    const base::Time end = now_ + duration;
    while (!tasks_.empty() && tasks_.begin()->first <= end) {
      auto task = tasks_.extract(tasks_.begin());
      now_ = task.key();
      task.mapped()();
    }
    now_ = end;
  }

 private:
  base::Time now_ = kNow;
  std::multimap<base::Time, store::Task> tasks_;
};

// Answers reads, and rejects writes with `refusal` if set.
class StubbornStore final : public store::Store {
 public:
  void Do(store::Call call, store::Executor& executor, store::Answer answer) override {
    const bool is_write = std::holds_alternative<store::Patch>(call);
    if (is_write) written_at.push_back(executor.Now());
    executor.Post([this, is_write, answer = std::move(answer)]() mutable {
      if (is_write && refusal) return answer(std::unexpected(*refusal));
      answer(store::Reply{.object = *store::Object::FromJson(object)});
    });
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }

  std::optional<store::Failure> refusal;
  std::string object;
  std::vector<base::Time> written_at;
};

class WorkloadWriterTest : public ::testing::Test {
 protected:
  WorkloadWriterTest() {
    store_.object = schema::Encode(workload_);
    writer_.OnWatchEvent("ns/w", workload_);
  }

  void WritePendingReason() {
    lifecycle::WorkloadPlan plan{.write = lifecycle::WorkloadPlan::Write::kStatus,
                                 .workload = workload_};
    plan.workload.status.conditions.push_back({.type = "QuotaReserved", .status = "False"});
    writer_.Write("ns/w", plan);
  }

  static WorkloadChange Reservation() {
    WorkloadChange change;
    change.kind = WorkloadChange::Kind::kReserve;
    change.workload = "ns/w";
    change.admission.cluster_queue = "q";
    return change;
  }
  void WriteReservation(std::string_view replaces = "") {
    WorkloadChange change = Reservation();
    if (!replaces.empty()) {
      change.follow_ups.emplace_back().kind = WorkloadChange::Kind::kReplace;
      change.follow_ups.back().workload = replaces;
    }
    writer_.Write(std::move(change));
  }

  void HoldQuota() {
    workload_.metadata.resource_version += "0";
    workload::MarkReserved(workload_, Reservation().admission, kNow);
    writer_.OnWatchEvent("ns/w", workload_);
  }

  SteppedExecutor executor_;
  StubbornStore store_;
  api::Workload workload_{
      .metadata = {.name = "w", .namespace_ = "ns", .uid = "u", .resource_version = "1"}};
  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  EventRecorder events_{store_, executor_, "here"};
  size_t failures_ = 0;
  size_t rejections_ = 0;
  WorkloadWriter writer_{
      store_, executor_, cluster_, events_,
      WorkloadWriter::Hooks{
          .on_state_changed =
              [this](std::string_view, const api::Workload* workload) {
                if (workload != nullptr) cluster_.Apply(*workload);
              },
          .on_failure = [this](std::string_view, const store::Failure&) { ++failures_; },
          .on_reservation_rejected = [this](std::string_view,
                                            const store::Failure&) { ++rejections_; }}};
};

TEST_F(WorkloadWriterTest, NothingIsDoneForAWhileAboutWhatWasRefused) {
  store_.refusal = store::Forbidden(store::ResourceOf<api::Workload>(), "w", "no permission");
  WritePendingReason();
  executor_.RunFor(base::Duration::Milliseconds(500));
  EXPECT_EQ(store_.written_at.size(), 1u);
  EXPECT_TRUE(writer_.IsBusy("ns/w"));  // so that nothing is planned for it
  executor_.RunFor(base::Duration::Seconds(10));
  EXPECT_FALSE(writer_.IsBusy("ns/w"));
  EXPECT_EQ(failures_, 1u);
}

TEST_F(WorkloadWriterTest, ADecisionThatIsRefusedIsTriedAgainAFewTimesAndGivenUp) {
  store_.refusal = store::Forbidden(store::ResourceOf<api::Workload>(), "w", "no permission");
  WorkloadChange wait;
  wait.workload = "ns/w";
  wait.reason = "WaitingForQuota";
  writer_.Write(std::move(wait));
  EXPECT_EQ(writer_.pending_reasons_in_flight(), 1u);
  executor_.RunFor(base::Duration::Seconds(60));
  EXPECT_GT(store_.written_at.size(), 2u);
  EXPECT_LT(store_.written_at.size(), 10u);
  EXPECT_FALSE(writer_.IsBusy("ns/w"));
  EXPECT_EQ(writer_.pending_reasons_in_flight(), 0u);
}

TEST_F(WorkloadWriterTest, AReservationIsGivenUpAtOnceIfItIsInvalidOrDenied) {
  for (const store::Failure& final :
       {store::Invalid(store::ResourceOf<api::Workload>(), "w", {}),
        store::MakeFailure(403, "Forbidden", "admission webhook \"x\" denied the request: no")}) {
    store_.refusal = final;
    store_.written_at.clear();
    rejections_ = 0;
    WriteReservation();
    executor_.RunFor(base::Duration::Seconds(1));
    EXPECT_EQ(store_.written_at.size(), 1u);
    EXPECT_EQ(rejections_, 1u);
    EXPECT_FALSE(writer_.IsBusy("ns/w"));
  }
}

TEST_F(WorkloadWriterTest, AReservationIsGivenUpAfterSomeTimeIfItIsForbidden) {
  store_.refusal = store::Forbidden(store::ResourceOf<api::Workload>(), "w", "no permission");
  WriteReservation();
  executor_.RunFor(base::Duration::Seconds(2));
  EXPECT_EQ(rejections_, 0u);
  executor_.RunFor(base::Duration::Seconds(10));
  EXPECT_EQ(rejections_, 1u);
  EXPECT_EQ(failures_, 1u);
}

TEST_F(WorkloadWriterTest, AReservationIsNotRejectedByAServerThatIsDown) {
  store_.refusal = store::MakeFailure(503, "ServiceUnavailable", "down");
  WriteReservation();
  executor_.RunFor(base::Duration::Seconds(60));
  EXPECT_FALSE(writer_.IsBusy("ns/w"));
  EXPECT_EQ(rejections_, 0u);
}

// The engine would decide the same at once, and the write would be denied again.
TEST_F(WorkloadWriterTest, APlacementThatIsDeniedIsTriedAgainAFewTimes) {
  store_.refusal =
      store::MakeFailure(403, "Forbidden", "admission webhook \"x\" denied the request: no");
  for (const auto kind : {WorkloadChange::Kind::kPlace, WorkloadChange::Kind::kEvict}) {
    store_.written_at.clear();
    HoldQuota();
    WorkloadChange change = Reservation();
    change.kind = kind;
    change.reason = "NodeFailures";
    change.admission.pod_set_assignments.push_back({.name = "main"});
    writer_.Write(std::move(change));
    executor_.RunFor(base::Duration::Milliseconds(500));
    EXPECT_EQ(store_.written_at.size(), 1u);
    EXPECT_TRUE(writer_.IsBusy("ns/w"));
    executor_.RunFor(base::Duration::Seconds(60));
    EXPECT_FALSE(writer_.IsBusy("ns/w"));
    EXPECT_LT(store_.written_at.size(), 10u);
  }
}

// A job keeps the quota of its slice if that of the next one is not reserved.
TEST_F(WorkloadWriterTest, FollowUpsAreWrittenOnlyAfterTheReservation) {
  store_.refusal = store::Invalid(store::ResourceOf<api::Workload>(), "w", {});
  WriteReservation(/*replaces=*/"ns/slice");
  EXPECT_FALSE(writer_.IsBusy("ns/slice"));
  executor_.RunFor(base::Duration::Seconds(1));
  EXPECT_FALSE(writer_.IsBusy("ns/slice"));
  EXPECT_EQ(store_.written_at.size(), 1u);
}

TEST_F(WorkloadWriterTest, ADecisionThatIsRefusedForAMomentIsWritten) {
  store_.refusal = store::Forbidden(store::ResourceOf<api::Workload>(), "w", "not yet");
  WorkloadChange wait;
  wait.workload = "ns/w";
  wait.reason = "WaitingForQuota";
  writer_.Write(std::move(wait));
  executor_.RunFor(base::Duration::Milliseconds(100));
  store_.refusal.reset();
  executor_.RunFor(base::Duration::Seconds(60));
  EXPECT_EQ(store_.written_at.size(), 2u);
  EXPECT_FALSE(writer_.IsBusy("ns/w"));
}

}  // namespace
}  // namespace berth::control
