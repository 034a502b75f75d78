#pragma once

// The controller's Configuration file (config.kueue.x-k8s.io/v1beta2; v1beta1 is supported).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration_multikueue.h"
#include "api/config/configuration_resources.h"
#include "api/config/configuration_servers.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kConfigurationGroup = "config.kueue.x-k8s.io";
// Default namespace of the controller.
inline constexpr std::string_view kDefaultOwnNamespace = "kueue-system";

inline constexpr std::string_view kRequeueByEviction = "Eviction";
inline constexpr std::string_view kRequeueByCreation = "Creation";
inline constexpr std::string_view kRequeuingTimestamps[] = {kRequeueByCreation, kRequeueByEviction};

struct RequeuingSettings {
  std::optional<std::string> timestamp;  // one of kRequeuingTimestamps
  std::optional<int32_t> backoff_limit_count;
  std::optional<int32_t> backoff_base_seconds;
  std::optional<int32_t> backoff_max_seconds;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const RequeuingSettings&, const RequeuingSettings&) = default;
};

struct WaitForPodsReadySettings {
  bool previous_enable = false;
  base::Duration timeout;
  std::optional<bool> block_admission;
  std::optional<RequeuingSettings> requeuing_strategy;
  std::optional<base::Duration> recovery_timeout;  // 0: no check
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const WaitForPodsReadySettings&,
                         const WaitForPodsReadySettings&) = default;
};

// Deprecated in favour of managedJobsNamespaceSelector; both must match.
struct PodIntegrationSettings {
  std::optional<LabelSelector> namespace_selector;
  std::optional<LabelSelector> pod_selector;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodIntegrationSettings&, const PodIntegrationSettings&) = default;
};

struct IntegrationsSettings {
  // Absent differs from empty until defaults are applied: absent is reported as missing.
  std::optional<std::vector<std::string>> frameworks;
  std::vector<std::string> external_frameworks;
  std::optional<PodIntegrationSettings> pod_options;
  std::vector<std::string> label_keys_to_copy;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const IntegrationsSettings&, const IntegrationsSettings&) = default;
};

inline constexpr std::string_view kLessThanOrEqualToFinalShare = "LessThanOrEqualToFinalShare";
inline constexpr std::string_view kLessThanInitialShare = "LessThanInitialShare";

struct FairSharingSettings {
  bool previous_enable = false;
  std::vector<std::string> preemption_strategies;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FairSharingSettings&, const FairSharingSettings&) = default;
};

struct AdmissionFairSharingSettings {
  base::Duration usage_half_life_time;  // 0: past usage is ignored
  base::Duration usage_sampling_interval;
  base::FlatMap<double> resource_weights;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionFairSharingSettings&,
                         const AdmissionFairSharingSettings&) = default;
};

struct WorkloadRetentionSettings {
  std::optional<base::Duration> after_finished;
  std::optional<base::Duration> after_deactivated_by_kueue;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const WorkloadRetentionSettings&,
                         const WorkloadRetentionSettings&) = default;
};

struct ObjectRetentionSettings {
  std::optional<WorkloadRetentionSettings> workloads;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ObjectRetentionSettings&, const ObjectRetentionSettings&) = default;
};

struct Configuration {
  std::string namespace_;
  WebhookSettings webhook;
  std::optional<LeaderElectionSettings> leader_election;
  MetricsSettings metrics;
  HealthSettings health;
  std::string pprof_bind_address;
  std::optional<ControllerSettings> controller;
  std::optional<TlsSettings> tls;
  bool manage_jobs_without_queue_name = false;
  std::optional<LabelSelector> managed_jobs_namespace_selector;
  std::optional<InternalCertManagementSettings> internal_cert_management;
  std::optional<WaitForPodsReadySettings> wait_for_pods_ready;
  std::optional<ClientConnectionSettings> client_connection;
  std::optional<IntegrationsSettings> integrations;
  std::optional<MultiKueueSettings> multi_kueue;
  std::optional<FairSharingSettings> fair_sharing;
  std::optional<AdmissionFairSharingSettings> admission_fair_sharing;
  std::optional<ResourcesSettings> resources;
  base::FlatMap<bool> feature_gates;
  std::optional<ObjectRetentionSettings> object_retention_policies;
  std::optional<VisibilityServerSettings> visibility_server;
  schema::Json previous_queue_visibility;
  // Not in the file. Without waitForPodsReady in the file, v1beta1 does not wait for pods; v1beta2
  // waits with defaults.
  bool waits_for_pods_by_default = true;
  schema::Extra extra;

  static const schema::Struct& Description();
  static const schema::Kind& KindInfo();
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

// Applies defaults: those of the descriptions and those that depend on other fields.
// `own_namespace` is the namespace of the controller.
void ApplyConfigurationDefaults(Configuration& configuration,
                                std::string_view own_namespace = kDefaultOwnNamespace);

// Selects all namespaces but kube-system and the given one.
LabelSelector DefaultManagedJobsSelector(std::string_view own_namespace);

}  // namespace berth::api
