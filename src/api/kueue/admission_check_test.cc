#include "api/kueue/admission_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/provisioning_request_config.h"
#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

TEST(AdmissionCheckController, IsGivenAndStays) {
  const std::string_view a = R"({"spec":{"controllerName":"example.com/a"}})";
  const std::string_view b = R"({"spec":{"controllerName":"example.com/b"}})";
  EXPECT_THAT(Faults<AdmissionCheck>(a, a), IsEmpty());
  EXPECT_THAT(Faults<AdmissionCheck>(b, a), ElementsAre("spec.controllerName: FieldValueInvalid"));
  EXPECT_THAT(Faults<AdmissionCheck>(R"({"spec":{"controllerName":""}})"),
              ElementsAre("spec.controllerName: FieldValueInvalid"));
}

TEST(AdmissionCheckParameters, AreWellFormed) {
  const auto with = [](std::string_view group, std::string_view kind, std::string_view name) {
    return Faults<AdmissionCheck>(R"({"spec":{"controllerName":"c","parameters":{"apiGroup":")" +
                                  std::string(group) + R"(","kind":")" + std::string(kind) +
                                  R"(","name":")" + std::string(name) + R"("}}})");
  };
  EXPECT_THAT(with("kueue.x-k8s.io", "ProvisioningRequestConfig", "a"), IsEmpty());
  EXPECT_THAT(with("Kueue", "A b", "a.b"),
              ElementsAre("spec.parameters.apiGroup: FieldValueInvalid",
                          "spec.parameters.kind: FieldValueInvalid",
                          "spec.parameters.name: FieldValueInvalid"));
}

TEST(ProvisioningRetries, HaveDefaults) {
  const auto config = testing::Stored<ProvisioningRequestConfig>(
      R"({"spec":{"provisioningClassName":"c","retryStrategy":{"backoffLimitCount":0}}})");
  EXPECT_EQ(config.spec.retry_strategy->backoff_limit_count, 0);
  EXPECT_EQ(config.spec.retry_strategy->backoff_base_seconds, 60);
  EXPECT_EQ(config.spec.retry_strategy->backoff_max_seconds, 1800);
  const auto empty = testing::Stored<ProvisioningRequestConfig>(R"({"spec":{}})");
  EXPECT_EQ(empty.spec.retry_strategy->backoff_limit_count, 3);
}

TEST(ProvisioningRequestConfigs, HaveBoundedParametersAndDistinctResources) {
  const auto with = [](std::string_view fields) {
    return Faults<ProvisioningRequestConfig>(R"({"spec":{"provisioningClassName":"c",)" +
                                             std::string(fields) + "}}");
  };
  EXPECT_THAT(with(R"("parameters":{"a":")" + std::string(255, 'x') + "\"}"), IsEmpty());
  EXPECT_THAT(with(R"("parameters":{"a":")" + std::string(256, 'x') + "\"}"),
              ElementsAre("spec.parameters.a: FieldValueTooLong"));
  EXPECT_THAT(with(R"("managedResources":["cpu","cpu"])"),
              ElementsAre("spec.managedResources[1]: FieldValueDuplicate"));
  EXPECT_THAT(with(R"("podSetMergePolicy":"All")"),
              ElementsAre("spec.podSetMergePolicy: FieldValueNotSupported"));
}

}  // namespace
}  // namespace berth::api
