#include "base/error.h"

#include "gtest/gtest.h"

namespace berth::base {
namespace {

TEST(PlaceText, ShowsAsMuchAsIsKnown) {
  EXPECT_EQ(ToString(Place{.file = "jobs.yaml", .line = 12, .column = 7}), "jobs.yaml:12:7");
  EXPECT_EQ(ToString(Place{.file = "jobs.yaml", .line = 12}), "jobs.yaml:12");
  EXPECT_EQ(ToString(Place{.file = "jobs.yaml"}), "jobs.yaml");
  EXPECT_EQ(ToString(Place{.line = 12}), "line 12");
  EXPECT_EQ(ToString(Place{.line = 12, .column = 7}), "line 12:7");
  EXPECT_EQ(ToString(Place{}), "");
}

TEST(ErrorText, PutsThePlaceFirstAndTheHintLast) {
  const Place place{.file = "jobs.yaml", .line = 3};
  EXPECT_EQ(ToString(Error{"unknown field", "did you mean \"spec\"?", place}),
            "jobs.yaml:3: unknown field (did you mean \"spec\"?)");
  EXPECT_EQ(ToString(Error{"unknown field", "", place}), "jobs.yaml:3: unknown field");
  EXPECT_EQ(ToString(Error{"unknown field", "", {}}), "unknown field");
}

TEST(ErrorValue, TravelsInAResult) {
  const Result<int> failed = Fail("no such queue", "create it first");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error(), (Error{"no such queue", "create it first", {}}));
  EXPECT_EQ(Result<int>(7).value(), 7);
}

}  // namespace
}  // namespace berth::base
