#include "control/write/workload_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "schema/encode.h"

namespace berth::control {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

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
    const auto* patch = std::get_if<store::Patch>(&call);
    const bool is_write = patch != nullptr;
    if (is_write) written_at.push_back(executor.Now());
    if (is_write) written.push_back(patch->name);
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
  std::vector<std::string> written;  // names
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

  SteppedExecutor executor_;
  StubbornStore store_;
  api::Workload workload_{
      .metadata = {.name = "w", .namespace_ = "ns", .uid = "u", .resource_version = "1"}};
  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  EventRecorder events_{store_, executor_, "here"};
  size_t failures_ = 0;
  WorkloadWriter writer_{
      store_, executor_, cluster_, events_,
      WorkloadWriter::Hooks{
          .on_state_changed =
              [this](std::string_view, const api::Workload* workload) {
                if (workload != nullptr) cluster_.Apply(*workload);
              },
          .on_failure = [this](std::string_view, const store::Failure&) { ++failures_; }}};
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

// --- Slices
// ---------------------------------------------------------------------------------------

class ReplacedSliceTest : public WorkloadWriterTest {
 protected:
  ReplacedSliceTest() {
    for (const char* name : {"new", "old"}) {
      api::Workload slice = workload_;
      slice.metadata.name = name;
      writer_.OnWatchEvent("ns/" + std::string(name), slice);
    }
  }

  void Replace() {
    WorkloadChange reserve;
    reserve.kind = WorkloadChange::Kind::kReserve;
    reserve.workload = "ns/new";
    writer_.Write(std::move(reserve));
    WorkloadChange replace;
    replace.kind = WorkloadChange::Kind::kReplace;
    replace.workload = "ns/old";
    replace.after = "ns/new";
    writer_.Write(std::move(replace));
  }
};

TEST_F(ReplacedSliceTest, IsFinishedAfterTheOtherHasQuota) {
  Replace();
  EXPECT_THAT(store_.written, ElementsAre("new"));
  executor_.RunFor(base::Duration::Seconds(1));
  EXPECT_THAT(store_.written, ElementsAre("new", "old"));
}

TEST_F(ReplacedSliceTest, StaysIfTheOtherCannotBeWritten) {
  store_.refusal = store::Forbidden(store::ResourceOf<api::Workload>(), "new", "no permission");
  Replace();
  executor_.RunFor(base::Duration::Seconds(60));
  EXPECT_THAT(store_.written, Not(Contains("old")));
  EXPECT_TRUE(writer_.is_idle());
}

}  // namespace
}  // namespace berth::control
