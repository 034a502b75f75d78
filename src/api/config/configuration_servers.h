#pragma once

// Server sections of the Configuration: listeners, the client of the API server, leader election.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

struct WebhookSettings {
  std::optional<int32_t> port;
  std::string host;
  std::string cert_dir;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const WebhookSettings&, const WebhookSettings&) = default;
};

struct LeaderElectionSettings {
  std::optional<bool> leader_elect;
  base::Duration lease_duration;
  base::Duration renew_deadline;
  base::Duration retry_period;
  std::string resource_lock;
  std::string resource_name;
  std::string resource_namespace;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LeaderElectionSettings&, const LeaderElectionSettings&) = default;
};

inline constexpr std::string_view kLabelSourceCohort = "Cohort";
inline constexpr std::string_view kLabelSourceLocalQueue = "LocalQueue";
inline constexpr std::string_view kLabelSourceClusterQueue = "ClusterQueue";
inline constexpr std::string_view kLabelSourceWorkload = "Workload";

// A label or annotation of an object, exported as label custom_<name> of its metrics.
struct CustomLabelSettings {
  std::string name;
  std::string source_label_key;
  std::string source_annotation_key;
  std::optional<std::string> source_kind;  // one of kLabelSource…; absent: ClusterQueue
  std::vector<std::string> tracked_values;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CustomLabelSettings&, const CustomLabelSettings&) = default;
};

struct LocalQueueMetricsSettings {
  bool enable = false;
  std::optional<LabelSelector> local_queue_selector;  // absent: all
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueMetricsSettings&,
                         const LocalQueueMetricsSettings&) = default;
};

struct MetricsSettings {
  std::string bind_address;
  bool enable_cluster_queue_resources = false;
  std::vector<CustomLabelSettings> custom_labels;
  std::optional<LocalQueueMetricsSettings> local_queue_metrics;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MetricsSettings&, const MetricsSettings&) = default;
};

struct HealthSettings {
  std::string health_probe_bind_address;
  std::string readiness_endpoint_name;
  std::string liveness_endpoint_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const HealthSettings&, const HealthSettings&) = default;
};

struct ControllerSettings {
  base::FlatMap<int32_t> group_kind_concurrency;
  std::optional<int64_t> cache_sync_timeout_nanos;  // a plain number in JSON
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ControllerSettings&, const ControllerSettings&) = default;
};

inline constexpr std::string_view kTls12 = "VersionTLS12";
inline constexpr std::string_view kTls13 = "VersionTLS13";

struct TlsSettings {
  std::string min_version;
  std::vector<std::string> cipher_suites;
  std::vector<int32_t> curve_preferences;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TlsSettings&, const TlsSettings&) = default;
};

struct InternalCertManagementSettings {
  std::optional<bool> enable;
  std::optional<std::string> webhook_service_name;
  std::optional<std::string> webhook_secret_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const InternalCertManagementSettings&,
                         const InternalCertManagementSettings&) = default;
};

struct ClientConnectionSettings {
  std::optional<double> qps;  // negative: no limit
  std::optional<int32_t> burst;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClientConnectionSettings&,
                         const ClientConnectionSettings&) = default;
};

struct VisibilityServerSettings {
  std::optional<std::string> bind_address;
  std::optional<int32_t> bind_port;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const VisibilityServerSettings&,
                         const VisibilityServerSettings&) = default;
};

}  // namespace berth::api

// Compiled once, in configuration_servers.cc.
extern template class std::vector<berth::api::CustomLabelSettings>;
