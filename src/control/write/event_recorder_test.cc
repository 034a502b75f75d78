#include "control/write/event_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/testing/manual_store.h"

namespace berth::control {
namespace {

using ::testing::HasSubstr;

base::Duration Minutes(int64_t n) { return base::Duration::Seconds(60 * n); }

class EventRecorderTest : public ::testing::Test {
 protected:
  void Record(const std::string& uid, const std::string& message) {
    recorder_.Record({.kind = "Workload",
                      .namespace_ = "default",
                      .name = uid,
                      .uid = uid,
                      .api_version = "",
                      .resource_version = "",
                      .field_path = "",
                      .extra = {}},
                     "test",
                     {.about = lifecycle::EventRecord::About::kWorkload,
                      .is_warning = false,
                      .reason = "Pending",
                      .message = message});
  }
  void RecordOf(int count) {
    for (int i = 0; i < count; ++i) Record("w" + std::to_string(i), "no quota");
  }
  void AnswerAll() {
    while (store_.under_way() > 0) store_.Answer(store::Reply());
  }
  size_t told() const { return store_.calls.size(); }

  testing::ManualStore store_;
  testing::ManualExecutor executor_;
  EventRecorder recorder_{store_, executor_, "one"};
};

TEST_F(EventRecorderTest, TellsTheSameAgainOnlyAfterAWhile) {
  Record("a", "no quota");
  Record("a", "no quota");
  EXPECT_EQ(told(), 1u);
  executor_.Advance(Minutes(5));
  Record("a", "no quota");
  EXPECT_EQ(told(), 1u);
  executor_.Advance(Minutes(2));
  Record("a", "no quota");
  EXPECT_EQ(told(), 2u);
}

TEST_F(EventRecorderTest, TellsWhatIsNewOrOfAnotherObject) {
  Record("a", "no quota");
  Record("a", "no flavor");
  Record("b", "no quota");
  EXPECT_EQ(told(), 3u);
}

TEST_F(EventRecorderTest, CountsTheWhileFromTheLastTime) {
  Record("a", "no quota");
  executor_.Advance(Minutes(4));
  Record("a", "no flavor");
  executor_.Advance(Minutes(4));
  Record("b", "no quota");
  Record("a", "no flavor");
  EXPECT_EQ(told(), 3u);
}

TEST_F(EventRecorderTest, HasOnlyFewUnderWaySoThatDecisionsGoFirst) {
  RecordOf(1000);
  EXPECT_LE(store_.under_way(), 10u);
  EXPECT_FALSE(recorder_.is_idle());
}

TEST_F(EventRecorderTest, WritesTheRestInTheirOrderAsAnswersCome) {
  RecordOf(100);
  AnswerAll();
  EXPECT_TRUE(recorder_.is_idle());
  ASSERT_EQ(told(), 100u);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_THAT(std::get<store::Create>(store_.calls[i]).object,
                HasSubstr("\"w" + std::to_string(i) + "\""));
}

TEST_F(EventRecorderTest, DropsEventsBeforeTheyFillTheMemory) {
  RecordOf(60'000);
  AnswerAll();
  EXPECT_GE(told(), 50'000u);
  EXPECT_LT(told(), 60'000u);
}

}  // namespace
}  // namespace berth::control
