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

TEST_F(EventRecorderTest, CountsARepetitionInASeries) {
  Record("a", "no quota");
  AnswerAll();
  executor_.Advance(Minutes(1));
  Record("a", "no quota");
  ASSERT_EQ(told(), 2u);
  const auto& patch = std::get<store::Patch>(store_.calls[1]);
  EXPECT_THAT(std::get<store::Create>(store_.calls[0]).object, HasSubstr(patch.name));
  EXPECT_THAT(patch.body, HasSubstr("{\"series\":{\"count\":2,\"lastObservedTime\":\""));
}

TEST_F(EventRecorderTest, WritesFurtherRepetitionsWhenTheSeriesEnds) {
  Record("a", "no quota");
  AnswerAll();
  for (int i = 0; i < 5; ++i) {
    executor_.Advance(Minutes(5));
    Record("a", "no quota");
    AnswerAll();
  }
  EXPECT_EQ(told(), 2u);
  executor_.Advance(Minutes(13));
  ASSERT_EQ(told(), 3u);
  EXPECT_THAT(std::get<store::Patch>(store_.calls[2]).body, HasSubstr("\"count\":6"));
  AnswerAll();
  Record("a", "no quota");
  EXPECT_TRUE(std::holds_alternative<store::Create>(store_.calls.back()));
}

TEST_F(EventRecorderTest, WritesALongSeriesEveryHalfHour) {
  Record("a", "no quota");
  AnswerAll();
  for (int i = 0; i < 30; ++i) {
    executor_.Advance(Minutes(1));
    Record("a", "no quota");
    AnswerAll();
  }
  EXPECT_EQ(told(), 2u);
  for (int i = 0; i < 10; ++i) {
    executor_.Advance(Minutes(1));
    Record("a", "no quota");
    AnswerAll();
  }
  EXPECT_EQ(told(), 3u);
}

TEST_F(EventRecorderTest, CountsOnlyAfterTheEventIsCreated) {
  Record("a", "no quota");
  Record("a", "no quota");
  Record("a", "no quota");
  ASSERT_EQ(told(), 1u);
  store_.Answer(store::Reply());
  ASSERT_EQ(told(), 2u);
  EXPECT_THAT(std::get<store::Patch>(store_.calls[1]).body, HasSubstr("\"count\":3"));
}

TEST_F(EventRecorderTest, IsCreatedAgainAfterAWhile) {
  Record("a", "no quota");
  AnswerAll();
  executor_.Advance(Minutes(7));
  Record("a", "no quota");
  ASSERT_EQ(told(), 2u);
  EXPECT_TRUE(std::holds_alternative<store::Create>(store_.calls[1]));
}

TEST_F(EventRecorderTest, TellsWhatIsNewOrOfAnotherObject) {
  Record("a", "no quota");
  Record("a", "no flavor");
  Record("b", "no quota");
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
