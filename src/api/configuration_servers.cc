#include "api/configuration_servers.h"

namespace berth::api {

using schema::Member;

const schema::Struct& WebhookSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WebhookSettings::port>("port", "Port that the webhooks listen on.").Default("9443"),
      Member<&WebhookSettings::host>("host", "Address that the webhooks listen on; empty is all."),
      Member<&WebhookSettings::cert_dir>("certDir", "Folder with tls.crt and tls.key.")
          .Default("\"/tmp/k8s-webhook-server/serving-certs\""),
  };
  static constexpr auto kStruct =
      schema::Describe<WebhookSettings>("Webhook", "Where the webhooks are served.", kFields);
  return kStruct;
}

const schema::Struct& LeaderElectionSettings::Description() {
  using Self = LeaderElectionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::leader_elect>("leaderElect", "Whether replicas agree on one that acts.")
          .Default("true"),
      Member<&Self::lease_duration>("leaseDuration", "How long a lease holds that is not renewed.")
          .Default("\"15s\""),
      Member<&Self::renew_deadline>("renewDeadline",
                                    "How long the leader tries to renew before it stops.")
          .Default("\"10s\""),
      Member<&Self::retry_period>("retryPeriod", "Time between two tries.").Default("\"2s\""),
      Member<&Self::resource_lock>("resourceLock", "Kind of object that is the lease.")
          .Default("\"leases\""),
      Member<&Self::resource_name>("resourceName", "Name of the lease.")
          .Default("\"c1f6bfd2.kueue.x-k8s.io\""),
      Member<&Self::resource_namespace>("resourceNamespace",
                                        "Namespace of the lease; empty is the own one."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("LeaderElection", "How replicas agree on a leader.", kFields);
  return kStruct;
}

const schema::Struct& CustomLabelSettings::Description() {
  using Self = CustomLabelSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "What follows custom_ in the name of the metric's label."),
      Member<&Self::source_label_key>("sourceLabelKey",
                                      "Label that is copied; `name` if neither key is given."),
      Member<&Self::source_annotation_key>("sourceAnnotationKey", "Annotation that is copied."),
      Member<&Self::source_kind>("sourceKind",
                                 "Cohort, LocalQueue, ClusterQueue (the default) or Workload.")
          .New(),
      Member<&Self::tracked_values>("trackedValues",
                                    "Values that are shown; others appear as one; empty is any.")
          .New(),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("CustomLabel", "A label or annotation that metrics show.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueMetricsSettings::Description() {
  using Self = LocalQueueMetricsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::enable>("enable", "Whether LocalQueues have metrics."),
      Member<&Self::local_queue_selector>("localQueueSelector",
                                          "Which LocalQueues; absent is all."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("LocalQueueMetrics", "Metrics of LocalQueues.", kFields);
  return kStruct;
}

const schema::Struct& MetricsSettings::Description() {
  using Self = MetricsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::bind_address>("bindAddress", "Address and port of the metrics; \"0\" is none.")
          .Default("\":8443\""),
      Member<&Self::enable_cluster_queue_resources>(
          "enableClusterQueueResources", "Whether quota and usage of ClusterQueues are metrics."),
      Member<&Self::custom_labels>("customLabels",
                                   "Labels of objects that metrics show, up to 20."),
      Member<&Self::local_queue_metrics>("localQueueMetrics", "Metrics of LocalQueues.")
          .Default(R"({"enable":true})"),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Metrics", "Where and what metrics are served.", kFields);
  return kStruct;
}

const schema::Struct& HealthSettings::Description() {
  using Self = HealthSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::health_probe_bind_address>("healthProbeBindAddress",
                                               "Address and port of the probes; \"0\" is none.")
          .Default("\":8081\""),
      Member<&Self::readiness_endpoint_name>("readinessEndpointName",
                                             "Path of the readiness probe; readyz if empty."),
      Member<&Self::liveness_endpoint_name>("livenessEndpointName",
                                            "Path of the liveness probe; healthz if empty."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Health", "Where probes are answered.", kFields);
  return kStruct;
}

const schema::Struct& ControllerSettings::Description() {
  using Self = ControllerSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::group_kind_concurrency>(
          "groupKindConcurrency",
          "How many objects of a kind, as Kind.group, are handled at once."),
      Member<&Self::cache_sync_timeout_nanos>(
          "cacheSyncTimeout", "How long the first listing of objects may take, in nanoseconds."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Controller", "How reconcilers work.", kFields);
  return kStruct;
}

const schema::Struct& TlsSettings::Description() {
  using Self = TlsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::min_version>("minVersion", "VersionTLS12 (the default) or VersionTLS13."),
      Member<&Self::cipher_suites>("cipherSuites",
                                   "Cipher suites for TLS 1.2; empty is a safe set."),
      Member<&Self::curve_preferences>("curvePreferences",
                                       "IANA numbers of key exchange groups; empty is a safe set."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("TLS", "TLS of webhooks, metrics and visibility.", kFields);
  return kStruct;
}

const schema::Struct& InternalCertManagementSettings::Description() {
  using Self = InternalCertManagementSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::enable>("enable", "Whether certificates are made and renewed here.")
          .Default("true"),
      Member<&Self::webhook_service_name>("webhookServiceName",
                                          "Service that the certificate is for."),
      Member<&Self::webhook_secret_name>("webhookSecretName", "Secret that keeps the certificate."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("InternalCertManagement", "Where certificates come from.", kFields);
  return kStruct;
}

const schema::Struct& ClientConnectionSettings::Description() {
  using Self = ClientConnectionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::qps>("qps", "Requests to the API server in a second; negative is no limit.")
          .Default("300"),
      Member<&Self::burst>("burst", "Requests that may exceed qps for a moment.").Default("500"),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("ClientConnection", "How the API server is spoken to.", kFields);
  return kStruct;
}

const schema::Struct& VisibilityServerSettings::Description() {
  using Self = VisibilityServerSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::bind_address>("bindAddress",
                                  "IP address of the visibility API; absent is all."),
      Member<&Self::bind_port>("bindPort", "Port of the visibility API.").Default("8082"),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("VisibilityServer", "Where pending workloads are listed.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CustomLabelSettings>;
