#include "api/dra/device_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

std::string Claim(std::string_view version, std::string_view request) {
  return R"({"apiVersion":"resource.k8s.io/)" + std::string(version) +
         R"(","kind":"ResourceClaim","metadata":{"name":"c"},"spec":{"devices":{"requests":[)" +
         std::string(request) + "]}}}";
}

ResourceClaim Read(std::string_view version, std::string_view request) {
  const auto claim = schema::Decode<ResourceClaim>(
      Claim(version, request), {.is_strict = true, .is_previous = version != "v1"});
  EXPECT_TRUE(claim) << version << ": " << schema::ToString(claim.error().at(0));
  return claim.value_or(ResourceClaim{});
}

constexpr std::string_view kNested =
    R"({"name":"gpu","exactly":{"deviceClassName":"big","selectors":[{"cel":{"expression":"e"}}],
        "allocationMode":"ExactCount","count":2,"adminAccess":true,
        "tolerations":[{"key":"k","operator":"Exists"}],"capacity":{"requests":{"memory":"1Gi"}}}})";
constexpr std::string_view kFlat =
    R"({"name":"gpu","deviceClassName":"big","selectors":[{"cel":{"expression":"e"}}],
        "allocationMode":"ExactCount","count":2,"adminAccess":true,
        "tolerations":[{"key":"k","operator":"Exists"}],"capacity":{"requests":{"memory":"1Gi"}}})";

TEST(DeviceRequest, IsConvertedToV1FromAnyVersion) {
  const ResourceClaim claim = Read("v1", kNested);
  EXPECT_EQ(claim.spec.devices.requests.at(0).exactly->count, 2);
  EXPECT_EQ(Read("v1beta2", kNested), claim);
  EXPECT_EQ(Read("v1beta1", kFlat), claim);
  EXPECT_EQ(Read("v1alpha3", kFlat), claim);
}

TEST(DeviceRequest, IsEncodedAsV1) {
  const std::string json = schema::Encode(Read("v1beta1", kFlat));
  EXPECT_THAT(json, HasSubstr(R"("apiVersion":"resource.k8s.io/v1")"));
  EXPECT_THAT(json, HasSubstr(R"({"name":"gpu","exactly":{"deviceClassName":"big")"));
}

TEST(DeviceRequest, KeepsAlternativesOfTheFlatVersions) {
  const ResourceClaim claim = Read("v1beta1", R"({"name":"gpu","deviceClassName":"",
      "firstAvailable":[{"name":"a","deviceClassName":"big"},{"name":"b","deviceClassName":"s"}]})");
  const DeviceRequest& request = claim.spec.devices.requests.at(0);
  EXPECT_FALSE(request.exactly);
  EXPECT_THAT(request.first_available, ElementsAre(Field(&DeviceSubRequest::name, "a"),
                                                   Field(&DeviceSubRequest::name, "b")));
}

TEST(DeviceRequest, RejectsFlatFieldsInV1) {
  const auto claim = schema::Decode<ResourceClaim>(Claim("v1", kFlat), {.is_strict = true});
  ASSERT_FALSE(claim);
  EXPECT_EQ(claim.error().at(0).type, schema::ProblemType::kUnknownField);
  EXPECT_EQ(claim.error().at(0).field, "spec.devices.requests[0].deviceClassName");
}

TEST(DeviceRequest, OfATemplateIsUpgradedToo) {
  const auto claim_template = schema::Decode<ResourceClaimTemplate>(
      R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaimTemplate",
          "metadata":{"name":"t"},
          "spec":{"spec":{"devices":{"requests":[{"name":"gpu","deviceClassName":"big"}]}}}})",
      {.is_strict = true, .is_previous = true});
  ASSERT_TRUE(claim_template) << schema::ToString(claim_template.error().at(0));
  EXPECT_EQ(claim_template->spec.spec.devices.requests.at(0).exactly->device_class_name, "big");
}

TEST(DeviceClass, IsTheSameInAllVersions) {
  for (const char* version : {"v1", "v1beta2", "v1beta1", "v1alpha3"}) {
    const auto device_class = schema::Decode<DeviceClass>(
        R"({"apiVersion":"resource.k8s.io/)" + std::string(version) +
            R"(","kind":"DeviceClass","metadata":{"name":"c"},
                "spec":{"selectors":[{"cel":{"expression":"e"}}]}})",
        {.is_strict = true, .is_previous = std::string_view(version) != "v1"});
    ASSERT_TRUE(device_class) << version;
    EXPECT_EQ(device_class->spec.selectors.at(0).cel->expression, "e");
  }
}

}  // namespace
}  // namespace berth::api
