#include "webhook_server/certificate_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::webhook_server {
namespace {

using ::testing::HasSubstr;

const base::Time kNow = *base::ParseTime("2026-01-02T12:00:00Z");
constexpr base::Duration kDay = base::Duration::Seconds(86'400);

class CertificatePlanTest : public ::testing::Test {
 protected:
  CertificatePlan Plan(const SecretFiles& files, base::Time now = kNow) {
    auto plan = PlanCertificates(files, names_, now);
    EXPECT_TRUE(plan);
    return plan ? *plan : CertificatePlan();
  }

  std::vector<std::string> names_{ServiceName("kueue-webhook-service", "kueue-system")};
};

TEST_F(CertificatePlanTest, IssuesCertificatesOnce) {
  const CertificatePlan first = Plan({});
  ASSERT_TRUE(first.files);
  const CertificatePlan second = Plan(*first.files);
  EXPECT_FALSE(second.files) << "other replicas use the same";
  EXPECT_EQ(second.credentials.server, first.credentials.server);
}

TEST_F(CertificatePlanTest, RenewsTheServingCertificateUnderTheSameCa) {
  const CertificatePlan first = Plan({});
  const CertificatePlan later = Plan(*first.files, kNow + base::Duration{kDay.nanos * 340});
  ASSERT_TRUE(later.files);
  EXPECT_EQ(later.credentials.authority, first.credentials.authority)
      << "who trusts it need not be told anything";
  EXPECT_NE(later.credentials.server, first.credentials.server);
}

TEST_F(CertificatePlanTest, ReplacesDamagedCertificatesAndThoseOfOtherNames) {
  SecretFiles files = *Plan({}).files;
  files["tls.key"] = "x";
  EXPECT_TRUE(Plan(files).files);
  files = *Plan({}).files;
  names_ = {ServiceName("other", "kueue-system")};
  EXPECT_TRUE(Plan(files).files);
}

TEST_F(CertificatePlanTest, SetsTheCaBundleOfCallersOfTheService) {
  const auto configuration = *json::Parse(
      R"({"webhooks":[{"name":"a","clientConfig":{"service":{"name":"s"}}},
                      {"name":"b","clientConfig":{"service":{"name":"other"}}}]})");
  const auto changed = WithAuthority(configuration, "s", "CA");
  ASSERT_TRUE(changed);
  EXPECT_EQ(json::Print(*changed),
            R"({"webhooks":[{"name":"a","clientConfig":{"service":{"name":"s"},)"
            R"("caBundle":"Q0E="}},{"name":"b","clientConfig":{"service":{"name":"other"}}}]})");
  EXPECT_FALSE(WithAuthority(*changed, "s", "CA")) << "nothing is written twice";
  const auto definition = *json::Parse(
      R"({"spec":{"conversion":{"webhook":{"clientConfig":{"service":{"name":"s"}}}}}})");
  EXPECT_THAT(json::Print(*WithAuthority(definition, "s", "CA")), HasSubstr("Q0E="));
}

}  // namespace
}  // namespace berth::webhook_server
