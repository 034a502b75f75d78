#include "api/config/configuration_servers.h"

namespace berth::api {

using schema::Member;

const schema::Struct& WebhookSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WebhookSettings::port>("port", "Port of the webhook server.").Default("9443"),
      Member<&WebhookSettings::host>("host",
                                     "Address of the webhook server. Empty means all addresses."),
      Member<&WebhookSettings::cert_dir>("certDir", "Directory with tls.crt and tls.key.")
          .Default("\"/tmp/k8s-webhook-server/serving-certs\""),
  };
  static constexpr auto kStruct = schema::Describe<WebhookSettings>(
      "Webhook", "Webhook configures the webhook server.", kFields);
  return kStruct;
}

const schema::Struct& LeaderElectionSettings::Description() {
  using Self = LeaderElectionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::leader_elect>("leaderElect", "Whether replicas elect a leader.")
          .Default("true"),
      Member<&Self::lease_duration>("leaseDuration", "Validity of a lease that is not renewed.")
          .Default("\"15s\""),
      Member<&Self::renew_deadline>(
          "renewDeadline", "Time for which the leader tries to renew the lease before it stops.")
          .Default("\"10s\""),
      Member<&Self::retry_period>("retryPeriod", "Interval between attempts.").Default("\"2s\""),
      Member<&Self::resource_lock>("resourceLock", "Kind of the lock object.")
          .Default("\"leases\""),
      Member<&Self::resource_name>("resourceName", "Name of the lease.")
          .Default("\"c1f6bfd2.kueue.x-k8s.io\""),
      Member<&Self::resource_namespace>(
          "resourceNamespace",
          "Namespace of the lease. Empty means the namespace of the controller."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "LeaderElection", "LeaderElection configures leader election between replicas.", kFields);
  return kStruct;
}

const schema::Struct& CustomLabelSettings::Description() {
  using Self = CustomLabelSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "Name of the metric label after the prefix custom_."),
      Member<&Self::source_label_key>(
          "sourceLabelKey", "Key of the copied label. Defaults to name if neither key is set."),
      Member<&Self::source_annotation_key>("sourceAnnotationKey", "Key of the copied annotation."),
      Member<&Self::source_kind>("sourceKind",
                                 "Cohort, LocalQueue, ClusterQueue (the default) or Workload.")
          .New(),
      Member<&Self::tracked_values>(
          "trackedValues",
          "Values reported by name; others share one series. Empty means any value.")
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "CustomLabel", "CustomLabel adds a label or annotation of an object to its metrics.",
      kFields);
  return kStruct;
}

const schema::Struct& LocalQueueMetricsSettings::Description() {
  using Self = LocalQueueMetricsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::enable>("enable", "Whether LocalQueues have metrics."),
      Member<&Self::local_queue_selector>("localQueueSelector",
                                          "Label selector of the LocalQueues. If absent, all."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "LocalQueueMetrics", "LocalQueueMetrics configures the metrics of LocalQueues.", kFields);
  return kStruct;
}

const schema::Struct& MetricsSettings::Description() {
  using Self = MetricsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::bind_address>("bindAddress",
                                  "Address and port of the metrics server. \"0\" disables it.")
          .Default("\":8443\""),
      Member<&Self::enable_cluster_queue_resources>(
          "enableClusterQueueResources", "Whether quota and usage of ClusterQueues are exported."),
      Member<&Self::custom_labels>("customLabels",
                                   "Labels of objects added to their metrics, 20 at most."),
      Member<&Self::local_queue_metrics>("localQueueMetrics", "Metrics of LocalQueues.")
          .Default(R"({"enable":true})"),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Metrics", "Metrics configures the metrics server.", kFields);
  return kStruct;
}

const schema::Struct& HealthSettings::Description() {
  using Self = HealthSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::health_probe_bind_address>(
          "healthProbeBindAddress", "Address and port of the probes. \"0\" disables them.")
          .Default("\":8081\""),
      Member<&Self::readiness_endpoint_name>("readinessEndpointName",
                                             "Path of the readiness probe. Defaults to readyz."),
      Member<&Self::liveness_endpoint_name>("livenessEndpointName",
                                            "Path of the liveness probe. Defaults to healthz."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Health", "Health configures the probes.", kFields);
  return kStruct;
}

const schema::Struct& ControllerSettings::Description() {
  using Self = ControllerSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::group_kind_concurrency>(
          "groupKindConcurrency", "Number of concurrent reconciliations by kind, as Kind.group."),
      Member<&Self::cache_sync_timeout_nanos>(
          "cacheSyncTimeout", "Limit of the initial cache synchronization, in nanoseconds."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Controller", "Controller configures the reconcilers.", kFields);
  return kStruct;
}

const schema::Struct& TlsSettings::Description() {
  using Self = TlsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::min_version>("minVersion", "VersionTLS12 (the default) or VersionTLS13."),
      Member<&Self::cipher_suites>("cipherSuites",
                                   "Cipher suites of TLS 1.2. Empty means a secure default."),
      Member<&Self::curve_preferences>(
          "curvePreferences", "IANA numbers of key exchange groups. Empty means a secure default."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "TLS", "TLS configures the TLS of webhooks, metrics and visibility.", kFields);
  return kStruct;
}

const schema::Struct& InternalCertManagementSettings::Description() {
  using Self = InternalCertManagementSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::enable>("enable", "Whether the controller issues and renews certificates.")
          .Default("true"),
      Member<&Self::webhook_service_name>("webhookServiceName",
                                          "Service named in the certificate."),
      Member<&Self::webhook_secret_name>("webhookSecretName",
                                         "Secret that stores the certificate."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "InternalCertManagement", "InternalCertManagement configures the management of certificates.",
      kFields);
  return kStruct;
}

const schema::Struct& ClientConnectionSettings::Description() {
  using Self = ClientConnectionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::qps>("qps", "Requests to the API server per second. Negative means no limit.")
          .Default("300"),
      Member<&Self::burst>("burst", "Requests allowed above qps in a burst.").Default("500"),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "ClientConnection", "ClientConnection configures the client of the API server.", kFields);
  return kStruct;
}

const schema::Struct& VisibilityServerSettings::Description() {
  using Self = VisibilityServerSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::bind_address>("bindAddress",
                                  "IP address of the visibility server. If absent, all addresses."),
      Member<&Self::bind_port>("bindPort", "Port of the visibility server.").Default("8082"),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "VisibilityServer", "VisibilityServer configures the server that lists pending workloads.",
      kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CustomLabelSettings>;
