#include "workload/requests/resource_transformations.h"

#include <gtest/gtest.h>

#include <vector>

#include "schema/decode.h"
#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Amounts;
using testing::Texts;
using testing::TextsOf;

ResourceTransformations Transformations(std::string_view json) {
  const std::string text = "{\"transformations\":" + std::string(json) + "}";
  return ResourceTransformations(
      schema::Decode<api::ResourcesSettings>(text, {.is_strict = true}).value().transformations);
}

TEST(Transformation, RetainsTheInputUnlessToldToReplaceIt) {
  const auto retained = Transformations(R"([{"input":"g","outputs":{"credit":"5"}}])");
  EXPECT_EQ(TextsOf(retained.Apply(Amounts({{"g", "2"}}))), (Texts{{"g", "2"}, {"credit", "10"}}));
  EXPECT_FALSE(retained.Replaces("g"));
  const auto replaced =
      Transformations(R"([{"input":"g","strategy":"Replace","outputs":{"credit":"5"}}])");
  EXPECT_EQ(TextsOf(replaced.Apply(Amounts({{"g", "2"}}))), (Texts{{"credit", "10"}}));
  EXPECT_TRUE(replaced.Replaces("g"));
}

TEST(Transformation, AppliesToRequestedInputsOnly) {
  const auto transformations = Transformations(R"([{"input":"g","outputs":{"credit":"5"}}])");
  EXPECT_FALSE(transformations.AppliesTo(Amounts({{"cpu", "1"}})));
  EXPECT_TRUE(transformations.AppliesTo(Amounts({{"cpu", "1"}, {"g", "0"}})));
}

TEST(Transformation, IsMultipliedByARequestIfThatIsThere) {
  const auto transformations = Transformations(
      R"([{"input":"memory","strategy":"Replace","multiplyBy":"g","outputs":{"x":"500m"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"g", "3"}, {"memory", "4"}}))),
            (Texts{{"g", "3"}, {"x", "6"}}));
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"memory", "4"}}))), (Texts{{"x", "2"}}));
}

TEST(Transformation, IsNotAppliedToOutputs) {
  const auto transformations = Transformations(
      R"([{"input":"a","strategy":"Replace","outputs":{"b":"1"}},
          {"input":"b","strategy":"Replace","outputs":{"c":"10"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "1"}, {"b", "2"}}))),
            (Texts{{"b", "1"}, {"c", "20"}}));
}

TEST(TransformationOutputs, AddUpWithEachOtherAndWithRequests) {
  const auto transformations =
      Transformations(R"([{"input":"a","outputs":{"x":"2"}},{"input":"b","outputs":{"x":"3"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "1"}, {"b", "1"}, {"x", "10"}}))),
            (Texts{{"a", "1"}, {"b", "1"}, {"x", "15"}}));
}

TEST(TransformationOutputs, OfTheInputsOwnNameDoubleIt) {
  const auto transformations = Transformations(R"([{"input":"a","outputs":{"a":"1"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "4"}}))), (Texts{{"a", "8"}}));
}

TEST(TransformationOutputs, MayReduceEachOtherButNoRequest) {
  const auto transformations = Transformations(
      R"([{"input":"a","outputs":{"x":"-5","y":"-5"}},{"input":"b","outputs":{"x":"8"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "1"}, {"b", "1"}, {"y", "2"}}))),
            (Texts{{"a", "1"}, {"b", "1"}, {"x", "3"}, {"y", "2"}}));
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "1"}}))),
            (Texts{{"a", "1"}, {"x", "0"}, {"y", "0"}}));
}

TEST(Transformations, OfOneInputAreThoseOfTheLastEntry) {
  const auto transformations =
      Transformations(R"([{"input":"a","outputs":{"x":"1"}},{"input":"a","outputs":{"y":"1"}}])");
  EXPECT_EQ(TextsOf(transformations.Apply(Amounts({{"a", "2"}}))), (Texts{{"a", "2"}, {"y", "2"}}));
}

}  // namespace
}  // namespace berth::workload
