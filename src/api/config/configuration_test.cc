#include "api/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/config/feature_gates.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Optional;

constexpr std::string_view kHead = R"({"apiVersion":"config.kueue.x-k8s.io/v1beta2",)"
                                   R"("kind":"Configuration")";
constexpr std::string_view kPreviousHead = R"({"apiVersion":"config.kueue.x-k8s.io/v1beta1",)"
                                           R"("kind":"Configuration")";

// Decodes a configuration strictly; `rest` begins with a comma or is empty.
Configuration Read(std::string_view head, std::string_view rest) {
  const std::string json = std::string(head).append(rest).append("}");
  auto configuration = schema::Decode<Configuration>(
      json, {.is_strict = true, .is_previous = head == kPreviousHead});
  EXPECT_TRUE(configuration) << schema::ToString(configuration.error().front());
  return configuration.value_or(Configuration());
}

Configuration ReadWithDefaults(std::string_view head, std::string_view rest) {
  Configuration configuration = Read(head, rest);
  ApplyConfigurationDefaults(configuration);
  return configuration;
}

TEST(ConfigurationDefaults, NameKueuesPortsLeaseAndFolders) {
  const Configuration c = ReadWithDefaults(kHead, "");
  EXPECT_EQ(c.namespace_, "kueue-system");
  EXPECT_EQ(c.webhook.port, 9443);
  EXPECT_EQ(c.webhook.cert_dir, "/tmp/k8s-webhook-server/serving-certs");
  EXPECT_EQ(c.metrics.bind_address, ":8443");
  EXPECT_TRUE(c.metrics.local_queue_metrics->enable);
  EXPECT_EQ(c.health.health_probe_bind_address, ":8081");
  EXPECT_EQ(c.leader_election->resource_name, "c1f6bfd2.kueue.x-k8s.io");
  EXPECT_EQ(c.leader_election->resource_lock, "leases");
  EXPECT_EQ(c.leader_election->leader_elect, true);
  EXPECT_EQ(c.leader_election->lease_duration, base::Duration::Seconds(15));
  EXPECT_EQ(c.client_connection->qps, 300);
  EXPECT_EQ(c.client_connection->burst, 500);
  EXPECT_EQ(c.visibility_server->bind_port, 8082);
}

TEST(ConfigurationDefaults, ManageBatchJobsOutsideSystemNamespaces) {
  Configuration c = Read(kHead, R"(,"integrations":{"frameworks":[]})");
  ApplyConfigurationDefaults(c, "berth");
  EXPECT_THAT(c.integrations->frameworks, Optional(ElementsAre("batch/job")));
  EXPECT_FALSE(c.manage_jobs_without_queue_name);
  ASSERT_EQ(c.managed_jobs_namespace_selector->match_expressions.size(), 1u);
  EXPECT_THAT(c.managed_jobs_namespace_selector->match_expressions[0].values,
              ElementsAre("kube-system", "berth"));
}

TEST(ConfigurationDefaults, WaitForPodsHalfAnHour) {
  const Configuration c = ReadWithDefaults(kHead, "");
  EXPECT_EQ(c.wait_for_pods_ready->timeout, base::Duration::Seconds(1800));
  EXPECT_EQ(c.wait_for_pods_ready->recovery_timeout, base::Duration::Seconds(1800));
  EXPECT_EQ(c.wait_for_pods_ready->block_admission, false);
  EXPECT_THAT(c.wait_for_pods_ready->requeuing_strategy,
              Optional(Field(&RequeuingSettings::timestamp, Optional(kRequeueByEviction))));
  EXPECT_EQ(c.wait_for_pods_ready->requeuing_strategy->backoff_base_seconds, 60);
  EXPECT_EQ(c.wait_for_pods_ready->requeuing_strategy->backoff_max_seconds, 3600);
  EXPECT_EQ(c.wait_for_pods_ready->requeuing_strategy->backoff_limit_count, std::nullopt);
}

TEST(ConfigurationDefaults, OfDependentFieldsFollowTheirInputs) {
  const Configuration c = ReadWithDefaults(
      kHead,
      R"(,"waitForPodsReady":{"timeout":"1m"},"internalCertManagement":{"enable":false},)"
      R"("multiKueue":{"dispatcherName":"kueue.x-k8s.io/multikueue-dispatcher-incremental"})");
  EXPECT_EQ(c.wait_for_pods_ready->recovery_timeout, base::Duration::Seconds(60));
  EXPECT_EQ(c.internal_cert_management->webhook_service_name, std::nullopt);
  EXPECT_EQ(c.multi_kueue->incremental_dispatcher_config->step_size, 3);
  EXPECT_EQ(ReadWithDefaults(kHead, "").internal_cert_management->webhook_secret_name,
            "kueue-webhook-server-cert");
  EXPECT_EQ(ReadWithDefaults(kHead, "").multi_kueue->incremental_dispatcher_config, std::nullopt);
}

TEST(ConfigurationDefaults, RetainInputsAndSampleUsageEveryFiveMinutes) {
  const Configuration c =
      ReadWithDefaults(kHead, R"(,"resources":{"transformations":[{"input":"a"}]},)"
                              R"("admissionFairSharing":{"usageHalfLifeTime":"0s"})");
  EXPECT_EQ(c.resources->transformations[0].strategy, kRetain);
  EXPECT_EQ(c.admission_fair_sharing->usage_sampling_interval, base::Duration::Seconds(300));
  EXPECT_EQ(c.admission_fair_sharing->usage_half_life_time, base::Duration());
}

TEST(ConfigurationDefaults, OmitDisabledSections) {
  const Configuration c = ReadWithDefaults(kHead, "");
  EXPECT_FALSE(c.fair_sharing || c.admission_fair_sharing || c.resources || c.tls ||
               c.object_retention_policies);
}

TEST(V1Beta1Configuration, SwitchesBecomePresence) {
  const Configuration off = ReadWithDefaults(
      kPreviousHead,
      R"(,"fairSharing":{"enable":false,"preemptionStrategies":["LessThanInitialShare"]},)"
      R"("waitForPodsReady":{"enable":false,"timeout":"1m"})");
  EXPECT_FALSE(off.fair_sharing);
  EXPECT_FALSE(off.wait_for_pods_ready);
  const Configuration on = ReadWithDefaults(
      kPreviousHead, R"(,"fairSharing":{"enable":true},"waitForPodsReady":{"enable":true})");
  EXPECT_THAT(on.fair_sharing->preemption_strategies,
              ElementsAre(kLessThanOrEqualToFinalShare, kLessThanInitialShare));
  EXPECT_EQ(on.wait_for_pods_ready->timeout, base::Duration::Seconds(300));
  EXPECT_EQ(on.wait_for_pods_ready->block_admission, true);
}

TEST(V1Beta1Configuration, WaitsForPodsOnlyIfConfigured) {
  EXPECT_FALSE(ReadWithDefaults(kPreviousHead, "").wait_for_pods_ready);
}

TEST(V1Beta1Configuration, IsEncodedAsV1Beta2) {
  const Configuration c =
      Read(kPreviousHead,
           R"(,"fairSharing":{"enable":true},"queueVisibility":{"updateIntervalSeconds":5})");
  EXPECT_EQ(schema::Encode(c), std::string(kHead) +
                                   R"(,"fairSharing":{"preemptionStrategies":)"
                                   R"(["LessThanOrEqualToFinalShare","LessThanInitialShare"]}})");
}

TEST(V1Beta1Configuration, RejectsFieldsOfV1Beta2) {
  const std::string json = std::string(kPreviousHead) + R"(,"visibilityServer":{}})";
  const auto decoded =
      schema::Decode<Configuration>(json, {.is_strict = true, .is_previous = true});
  ASSERT_FALSE(decoded);
  EXPECT_THAT(schema::ToString(decoded.error().front()), ::testing::HasSubstr("visibilityServer"));
}

TEST(PodOptions, AreStillReadInBothVersions) {
  for (std::string_view head : {kHead, kPreviousHead}) {
    const Configuration c = Read(
        head, R"(,"integrations":{"podOptions":{"namespaceSelector":{"matchLabels":{"a":"1"}}}})");
    EXPECT_EQ(c.integrations->pod_options->namespace_selector->match_labels.size(), 1u);
  }
}

struct QuotaCheckCase {
  std::string_view resources;
  std::vector<Gate> on;
  std::vector<Gate> off;
  bool is_only_declared;
};

// KEP-7513 rules 1, 2 and 4.
TEST(QuotaCheck, NeedsItsGateAndKueuesFieldNeedsKueues) {
  const QuotaCheckCase cases[] = {
      {R"({"quotaCheck":"OnlyDeclared"})", {}, {}, false},
      {R"({"quotaCheck":"OnlyDeclared"})", {Gate::kQuotaCheck}, {}, true},
      {R"({"quotaCheck":"All"})", {Gate::kQuotaCheck}, {}, false},
      {R"({})", {Gate::kQuotaCheck}, {}, false},
      {R"({"quotaCheckStrategy":"IgnoreUndeclared"})", {}, {}, true},
      {R"({"quotaCheckStrategy":"IgnoreUndeclared"})", {Gate::kQuotaCheck}, {}, true},
      {R"({"quotaCheckStrategy":"BlockUndeclared"})", {}, {}, false},
      {R"({"quotaCheckStrategy":"IgnoreUndeclared"})",
       {Gate::kQuotaCheck},
       {Gate::kQuotaCheckStrategy},
       false},
  };
  for (const QuotaCheckCase& c : cases) {
    FeatureGates gates;
    for (Gate gate : c.on) gates.Set(gate, true);
    for (Gate gate : c.off) gates.Set(gate, false);
    EXPECT_EQ(ChecksOnlyDeclared(schema::Decode<ResourcesSettings>(c.resources).value(), gates),
              c.is_only_declared)
        << c.resources;
  }
  EXPECT_FALSE(ChecksOnlyDeclared(std::nullopt, {}));
}

TEST(Configuration, SurvivesARoundTrip) {
  const Configuration c = ReadWithDefaults(
      kHead,
      R"(,"controller":{"groupKindConcurrency":{"Job.batch":5},"cacheSyncTimeout":120000000000},)"
      R"("resources":{"quotaCheck":"OnlyDeclared","excludeResourcePrefixes":["x.com"],)"
      R"("transformations":[{"input":"a","outputs":{"b":"500m"}}]},)"
      R"("featureGates":{"QuotaCheck":true},"clientConnection":{"qps":50.5})");
  EXPECT_EQ(schema::Decode<Configuration>(schema::Encode(c), {.is_strict = true}), c);
}

}  // namespace
}  // namespace berth::api
