#include "api/config/configuration.h"

#include <utility>

namespace berth::api {

using schema::Member;

namespace {

constexpr base::Duration kPreviousPodsReadyTimeout = base::Duration::Seconds(5 * 60);

// v1beta1 has switches where v1beta2 has presence.
void UpgradeFairSharing(std::optional<FairSharingSettings>& fair_sharing) {
  if (!fair_sharing) return;
  if (!std::exchange(fair_sharing->previous_enable, false)) {
    fair_sharing.reset();
  } else if (fair_sharing->preemption_strategies.empty()) {
    fair_sharing->preemption_strategies = {std::string(kLessThanOrEqualToFinalShare),
                                           std::string(kLessThanInitialShare)};
  }
}

void UpgradeWaitForPodsReady(std::optional<WaitForPodsReadySettings>& wait) {
  if (!wait) return;
  if (!std::exchange(wait->previous_enable, false)) {
    wait.reset();
    return;
  }
  if (wait->timeout == base::Duration()) wait->timeout = kPreviousPodsReadyTimeout;
  if (!wait->block_admission) wait->block_admission = true;
}

void Upgrade(void* self) {
  auto& configuration = *static_cast<Configuration*>(self);
  UpgradeFairSharing(configuration.fair_sharing);
  UpgradeWaitForPodsReady(configuration.wait_for_pods_ready);
  configuration.waits_for_pods_by_default = configuration.wait_for_pods_ready.has_value();
  // v1beta2 has no such status field; the visibility API replaces it.
  configuration.previous_queue_visibility = {};
}

}  // namespace

const schema::Struct& RequeuingSettings::Description() {
  using Self = RequeuingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::timestamp>(
          "timestamp", "Time by which evicted workloads are ordered: Eviction or Creation."),
      Member<&Self::backoff_limit_count>(
          "backoffLimitCount",
          "Number of requeues before the workload is deactivated. If absent, unlimited."),
      Member<&Self::backoff_base_seconds>(
          "backoffBaseSeconds", "First back-off in seconds. It doubles with each requeue."),
      Member<&Self::backoff_max_seconds>("backoffMaxSeconds", "Longest back-off in seconds."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "RequeuingStrategy", "RequeuingStrategy configures the requeuing of evicted workloads.",
      kFields);
  return kStruct;
}

const schema::Struct& WaitForPodsReadySettings::Description() {
  using Self = WaitForPodsReadySettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::previous_enable>("enable", "Whether the controller waits for pods to be ready.")
          .Previous(),
      Member<&Self::timeout>("timeout",
                             "Time until all pods must be ready before the workload is evicted."),
      Member<&Self::block_admission>(
          "blockAdmission",
          "Whether admission is blocked until the pods of all admitted workloads are ready."),
      Member<&Self::requeuing_strategy>("requeuingStrategy", "Requeuing of evicted workloads."),
      Member<&Self::recovery_timeout>("recoveryTimeout",
                                      "Time to replace a failed pod. 0 means no limit."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "WaitForPodsReady", "WaitForPodsReady evicts workloads whose pods are not ready in time.",
      kFields);
  return kStruct;
}

const schema::Struct& PodIntegrationSettings::Description() {
  using Self = PodIntegrationSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::namespace_selector>("namespaceSelector",
                                        "Deprecated: use managedJobsNamespaceSelector."),
      Member<&Self::pod_selector>("podSelector", "Label selector of the managed pods."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("PodOptions", "PodOptions selects the managed pods.", kFields);
  return kStruct;
}

const schema::Struct& IntegrationsSettings::Description() {
  using Self = IntegrationsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::frameworks>("frameworks", "Enabled integrations, such as batch/job."),
      Member<&Self::external_frameworks>(
          "externalFrameworks", "Kinds, as Kind.version.group, managed by external controllers."),
      Member<&Self::pod_options>("podOptions", "Deprecated: use managedJobsNamespaceSelector."),
      Member<&Self::label_keys_to_copy>("labelKeysToCopy",
                                        "Keys of labels copied from a job to its Workload."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "Integrations", "Integrations lists the managed kinds of jobs.", kFields);
  return kStruct;
}

const schema::Struct& FairSharingSettings::Description() {
  using Self = FairSharingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::previous_enable>("enable", "Whether fair sharing is enabled in cohorts.")
          .Previous(),
      Member<&Self::preemption_strategies>(
          "preemptionStrategies", "Preemption strategies in the order in which they are tried."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "FairSharing", "FairSharing configures fair sharing between the queues of a cohort.",
      kFields);
  return kStruct;
}

const schema::Struct& AdmissionFairSharingSettings::Description() {
  using Self = AdmissionFairSharingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::usage_half_life_time>(
          "usageHalfLifeTime", "Time after which past usage counts half. 0 ignores past usage."),
      Member<&Self::usage_sampling_interval>("usageSamplingInterval",
                                             "Interval at which usage is sampled.")
          .Default("\"5m\""),
      Member<&Self::resource_weights>("resourceWeights", "Weight of each resource. Defaults to 1."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "AdmissionFairSharing",
      "AdmissionFairSharing configures fair sharing between LocalQueues by past usage.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadRetentionSettings::Description() {
  using Self = WorkloadRetentionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::after_finished>(
          "afterFinished",
          "Time after which finished Workloads are deleted. If absent, they are kept."),
      Member<&Self::after_deactivated_by_kueue>("afterDeactivatedByKueue",
                                                "Time after which deactivated Workloads and their "
                                                "jobs are deleted. If absent, they are kept."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "WorkloadRetention", "WorkloadRetention configures the deletion of Workloads.", kFields);
  return kStruct;
}

const schema::Struct& ObjectRetentionSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ObjectRetentionSettings::workloads>("workloads", "Deletion of Workloads."),
  };
  static constexpr auto kStruct = schema::Describe<ObjectRetentionSettings>(
      "ObjectRetentionPolicies", "ObjectRetentionPolicies configures the deletion of objects.",
      kFields);
  return kStruct;
}

const schema::Struct& Configuration::Description() {
  using Self = Configuration;
  static constexpr schema::Field kFields[] = {
      Member<&Self::namespace_>("namespace", "Namespace of the controller."),
      Member<&Self::webhook>("webhook", "Webhook server."),
      Member<&Self::leader_election>("leaderElection", "Leader election between replicas.")
          .Default("{}"),
      Member<&Self::metrics>("metrics", "Metrics server."),
      Member<&Self::health>("health", "Health probes."),
      Member<&Self::pprof_bind_address>(
          "pprofBindAddress", "Address of Kueue's profiling endpoint. Accepted without effect."),
      Member<&Self::controller>("controller", "Options of the reconcilers."),
      Member<&Self::tls>("tls", "TLS options of webhooks, metrics and visibility."),
      Member<&Self::manage_jobs_without_queue_name>(
          "manageJobsWithoutQueueName", "Whether jobs without a queue name are managed."),
      Member<&Self::managed_jobs_namespace_selector>(
          "managedJobsNamespaceSelector",
          "Namespaces in which jobs without a queue name are managed."),
      Member<&Self::internal_cert_management>("internalCertManagement",
                                              "Management of certificates.")
          .Default("{}"),
      Member<&Self::wait_for_pods_ready>("waitForPodsReady",
                                         "Eviction of workloads whose pods are not ready in time."),
      Member<&Self::client_connection>("clientConnection", "Client of the API server.")
          .Default("{}"),
      Member<&Self::integrations>("integrations", "Managed kinds of jobs.").Default("{}"),
      Member<&Self::multi_kueue>("multiKueue",
                                 "Dispatching to worker clusters. Accepted without effect.")
          .Default("{}"),
      Member<&Self::fair_sharing>("fairSharing", "Fair sharing between the queues of a cohort."),
      Member<&Self::admission_fair_sharing>("admissionFairSharing",
                                            "Fair sharing between LocalQueues by past usage."),
      Member<&Self::resources>("resources", "Requests charged against quota."),
      Member<&Self::feature_gates>("featureGates", "Feature gates to enable or disable."),
      Member<&Self::object_retention_policies>("objectRetentionPolicies", "Deletion of objects."),
      Member<&Self::visibility_server>("visibilityServer",
                                       "Visibility server, which lists pending workloads.")
          .New()
          .Default("{}"),
      Member<&Self::previous_queue_visibility>(
          "queueVisibility", "Deprecated and without effect: use the visibility API.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Configuration", "Configuration configures the controller.", kFields)
          .Upgrade(&Upgrade);
  return kStruct;
}

const schema::Kind& Configuration::KindInfo() {
  static constexpr std::string_view kPreviousVersions[] = {"v1beta1"};
  static constexpr schema::Kind kKind{
      .group = kConfigurationGroup,
      .version = "v1beta2",
      .kind = "Configuration",
      .plural = "configurations",
      .structure = &Configuration::Description,
      .previous_versions = kPreviousVersions,
  };
  return kKind;
}

}  // namespace berth::api
