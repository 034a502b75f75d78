#include "control/event_recorder.h"

#include <gtest/gtest.h>

#include "control/testing/by_hand.h"

namespace berth::control {
namespace {

base::Duration Minutes(int64_t n) { return base::Duration::Seconds(60 * n); }

class EventRecorderTest : public ::testing::Test {
 protected:
  void Record(const std::string& uid, const std::string& message) {
    recorder_.Record({.kind = "Workload",
                      .namespace_ = "default",
                      .name = "w",
                      .uid = uid,
                      .api_version = "",
                      .resource_version = "",
                      .field_path = "",
                      .extra = {}},
                     "test",
                     {.about = Note::About::kWorkload,
                      .is_warning = false,
                      .reason = "Pending",
                      .message = message});
  }
  size_t told() const { return store_.calls.size(); }

  testing::StoreByHand store_;
  testing::ExecutorByHand executor_;
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

}  // namespace
}  // namespace berth::control
