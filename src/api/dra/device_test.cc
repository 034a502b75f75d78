#include "api/dra/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/dra/resource_slice.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "schema/validate.h"

namespace berth::api {
namespace {

using ::testing::HasSubstr;

std::expected<ResourceSlice, schema::Problems> Read(std::string_view version,
                                                    std::string_view device) {
  const std::string json =
      R"({"apiVersion":"resource.k8s.io/)" + std::string(version) +
      R"(","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d","nodeName":"n",
          "pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[)" +
      std::string(device) + "]}}";
  return schema::Decode<ResourceSlice>(json, {.is_strict = true, .is_previous = version != "v1"});
}

constexpr std::string_view kToday =
    R"({"name":"gpu-0","attributes":{"model":{"string":"A100"}},"capacity":{"memory":{"value":"40Gi"}},
        "consumesCounters":[{"counterSet":"c","counters":{"memory":{"value":"1"}}}],
        "taints":[{"key":"k","effect":"NoSchedule"}]})";
constexpr std::string_view kBasic =
    R"({"name":"gpu-0","basic":{"attributes":{"model":{"string":"A100"}},
        "capacity":{"memory":{"value":"40Gi"}},
        "consumesCounters":[{"counterSet":"c","counters":{"memory":{"value":"1"}}}],
        "taints":[{"key":"k","effect":"NoSchedule"}]}})";
constexpr std::string_view kPlainCapacity =
    R"({"name":"gpu-0","basic":{"attributes":{"model":{"string":"A100"}},
        "capacity":{"memory":"40Gi"},
        "consumesCounters":[{"counterSet":"c","counters":{"memory":{"value":"1"}}}],
        "taints":[{"key":"k","effect":"NoSchedule"}]}})";

TEST(Device, IsConvertedToV1FromAnyVersion) {
  const auto slice = Read("v1", kToday);
  ASSERT_TRUE(slice) << schema::ToString(slice.error().at(0));
  EXPECT_EQ(slice->spec.devices.at(0).capacity.Find("memory")->value.ToString(), "40Gi");
  EXPECT_EQ(Read("v1beta2", kToday), slice);
  EXPECT_EQ(Read("v1beta1", kBasic), slice);
  EXPECT_EQ(Read("v1alpha3", kPlainCapacity), slice);
}

TEST(Device, KeepsCarriedFieldsOnUpgrade) {
  const auto slice = Read("v1beta1", kBasic);
  ASSERT_TRUE(slice) << schema::ToString(slice.error().at(0));
  EXPECT_THAT(schema::Encode(*slice), HasSubstr(R"("taints":[{"key":"k","effect":"NoSchedule"}])"));
}

TEST(Device, RejectsBasicInV1) {
  const auto slice = Read("v1", kBasic);
  ASSERT_FALSE(slice);
  EXPECT_EQ(slice.error().at(0).field, "spec.devices[0].basic");
}

TEST(Device, ReportsAnInvalidCapacityOfAPreviousVersion) {
  const auto slice =
      Read("v1beta1", R"({"name":"gpu-0","basic":{"capacity":{"a":"1Gi","b":{"value":"much"}}}})");
  ASSERT_TRUE(slice) << schema::ToString(slice.error().at(0));
  const schema::Problems problems = schema::Validate(*slice);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "spec.devices[0]");
  EXPECT_THAT(problems[0].message, HasSubstr("capacity"));
}

}  // namespace
}  // namespace berth::api
