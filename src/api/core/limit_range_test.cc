#include "api/core/limit_range.h"

#include <gtest/gtest.h>

#include "schema/decode.h"

namespace berth::api {
namespace {

LimitRangeItem DefaultedItem(std::string_view json) {
  LimitRangeSpec spec{.limits = {schema::Decode<LimitRangeItem>(json, {}).value()}, .extra = {}};
  ApplyDependentDefaults(spec);
  return spec.limits.front();
}

TEST(LimitRangeItemDefaults, AreTheMaximumForLimitsAndTheLimitForRequests) {
  const LimitRangeItem item = DefaultedItem(R"({"type": "Container", "max": {"cpu": "2"}})");
  EXPECT_EQ(item.default_, item.max);
  EXPECT_EQ(item.default_request, item.max);
}

TEST(LimitRangeItemDefaults, OfRequestsAreTheMinimumWithoutALimit) {
  const LimitRangeItem item = DefaultedItem(R"({"type": "Container", "min": {"cpu": "1"}})");
  EXPECT_EQ(item.default_.size(), 0u);
  EXPECT_EQ(item.default_request, item.min);
}

TEST(LimitRangeItemDefaults, KeepWhatIsSet) {
  const LimitRangeItem item = DefaultedItem(
      R"({"type": "Container", "max": {"cpu": "8"}, "default": {"cpu": "4"}, "defaultRequest": {"cpu": "2"}})");
  EXPECT_EQ(item.default_.Find("cpu")->ToString(), "4");
  EXPECT_EQ(item.default_request.Find("cpu")->ToString(), "2");
}

TEST(LimitRangeItemDefaults, AreForContainersOnly) {
  const LimitRangeItem item = DefaultedItem(R"({"type": "Pod", "max": {"cpu": "2"}})");
  EXPECT_EQ(item.default_.size(), 0u);
}

}  // namespace
}  // namespace berth::api
