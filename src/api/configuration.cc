#include "api/configuration.h"

#include <utility>

namespace berth::api {

using schema::Member;

namespace {

constexpr base::Duration kFormerPodsReadyTimeout = base::Duration::Seconds(5 * 60);

// v1beta1 has switches where v1beta2 has presence.
void UpgradeFairSharing(std::optional<FairSharingSettings>& fair_sharing) {
  if (!fair_sharing) return;
  if (!std::exchange(fair_sharing->former_enable, false)) {
    fair_sharing.reset();
  } else if (fair_sharing->preemption_strategies.empty()) {
    fair_sharing->preemption_strategies = {std::string(kLessThanOrEqualToFinalShare),
                                           std::string(kLessThanInitialShare)};
  }
}

void UpgradeWaitForPodsReady(std::optional<WaitForPodsReadySettings>& wait) {
  if (!wait) return;
  if (!std::exchange(wait->former_enable, false)) {
    wait.reset();
    return;
  }
  if (wait->timeout == base::Duration()) wait->timeout = kFormerPodsReadyTimeout;
  if (!wait->block_admission) wait->block_admission = true;
}

void Upgrade(void* self) {
  auto& configuration = *static_cast<Configuration*>(self);
  UpgradeFairSharing(configuration.fair_sharing);
  UpgradeWaitForPodsReady(configuration.wait_for_pods_ready);
  configuration.waits_for_pods_by_default = configuration.wait_for_pods_ready.has_value();
  // The status field that it filled is gone; the visibility API took its place.
  configuration.former_queue_visibility = {};
}

}  // namespace

const schema::Struct& RequeuingSettings::Description() {
  using Self = RequeuingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::timestamp>("timestamp", "Queue again by time of Eviction or of Creation."),
      Member<&Self::backoff_limit_count>(
          "backoffLimitCount", "Tries before the workload is deactivated; absent: no end."),
      Member<&Self::backoff_base_seconds>("backoffBaseSeconds",
                                          "First pause; each further one doubles it."),
      Member<&Self::backoff_max_seconds>("backoffMaxSeconds", "Longest pause."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("RequeuingStrategy", "How evicted workloads queue again.", kFields);
  return kStruct;
}

const schema::Struct& WaitForPodsReadySettings::Description() {
  using Self = WaitForPodsReadySettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::former_enable>("enable", "Whether to wait at all.").Former(),
      Member<&Self::timeout>("timeout", "Time for all pods to be ready before eviction."),
      Member<&Self::block_admission>("blockAdmission",
                                     "Whether nothing is admitted while pods are not ready."),
      Member<&Self::requeuing_strategy>("requeuingStrategy", "How evicted workloads queue again."),
      Member<&Self::recovery_timeout>("recoveryTimeout",
                                      "Time to replace a pod that failed; 0 is no limit."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "WaitForPodsReady", "Evicts workloads whose pods do not get ready together.", kFields);
  return kStruct;
}

const schema::Struct& PodIntegrationSettings::Description() {
  using Self = PodIntegrationSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::namespace_selector>("namespaceSelector",
                                        "Deprecated: write managedJobsNamespaceSelector."),
      Member<&Self::pod_selector>("podSelector", "Which pods are managed."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("PodOptions", "Which pods are managed.", kFields);
  return kStruct;
}

const schema::Struct& IntegrationsSettings::Description() {
  using Self = IntegrationsSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::frameworks>("frameworks", "Kinds of jobs that are managed, such as batch/job."),
      Member<&Self::external_frameworks>(
          "externalFrameworks", "Kinds, as Kind.version.group, that other controllers manage."),
      Member<&Self::pod_options>("podOptions", "Deprecated: write managedJobsNamespaceSelector."),
      Member<&Self::label_keys_to_copy>("labelKeysToCopy",
                                        "Labels of a job that its Workload gets as well."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Integrations", "Which kinds of jobs are managed.", kFields);
  return kStruct;
}

const schema::Struct& FairSharingSettings::Description() {
  using Self = FairSharingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::former_enable>("enable", "Whether cohorts share fairly.").Former(),
      Member<&Self::preemption_strategies>("preemptionStrategies",
                                           "When a share may be taken back, tried in this order."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("FairSharing", "Fair sharing between queues of a cohort.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionFairSharingSettings::Description() {
  using Self = AdmissionFairSharingSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::usage_half_life_time>(
          "usageHalfLifeTime", "Time after which past usage counts half; 0: not at all."),
      Member<&Self::usage_sampling_interval>("usageSamplingInterval",
                                             "How often usage is added up.")
          .Default("\"5m\""),
      Member<&Self::resource_weights>("resourceWeights",
                                      "How much a resource counts; 1 where nothing is said."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "AdmissionFairSharing", "Fair sharing between LocalQueues by past usage.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadRetentionSettings::Description() {
  using Self = WorkloadRetentionSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::after_finished>("afterFinished",
                                    "Time after which finished Workloads go; absent: they stay."),
      Member<&Self::after_deactivated_by_kueue>(
          "afterDeactivatedByKueue",
          "Time after which deactivated Workloads and their jobs go; absent: they stay."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("WorkloadRetention", "When Workloads are deleted.", kFields);
  return kStruct;
}

const schema::Struct& ObjectRetentionSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ObjectRetentionSettings::workloads>("workloads", "When Workloads are deleted."),
  };
  static constexpr auto kStruct = schema::Describe<ObjectRetentionSettings>(
      "ObjectRetentionPolicies", "When objects are deleted.", kFields);
  return kStruct;
}

const schema::Struct& Configuration::Description() {
  using Self = Configuration;
  static constexpr schema::Field kFields[] = {
      Member<&Self::namespace_>("namespace", "Namespace that the controller runs in."),
      Member<&Self::webhook>("webhook", "Where the webhooks are served."),
      Member<&Self::leader_election>("leaderElection", "How replicas agree on a leader.")
          .Default("{}"),
      Member<&Self::metrics>("metrics", "Where and what metrics are served."),
      Member<&Self::health>("health", "Where probes are answered."),
      Member<&Self::pprof_bind_address>("pprofBindAddress",
                                        "Kueue's profiling port; read, without effect here."),
      Member<&Self::controller>("controller", "How reconcilers work."),
      Member<&Self::tls>("tls", "TLS of webhooks, metrics and visibility."),
      Member<&Self::manage_jobs_without_queue_name>(
          "manageJobsWithoutQueueName", "Whether jobs that name no queue are held back too."),
      Member<&Self::managed_jobs_namespace_selector>(
          "managedJobsNamespaceSelector",
          "Namespaces in which jobs that name no queue are managed."),
      Member<&Self::internal_cert_management>("internalCertManagement",
                                              "Where certificates come from.")
          .Default("{}"),
      Member<&Self::wait_for_pods_ready>("waitForPodsReady",
                                         "Evicts workloads whose pods do not get ready together."),
      Member<&Self::client_connection>("clientConnection", "How the API server is spoken to.")
          .Default("{}"),
      Member<&Self::integrations>("integrations", "Which kinds of jobs are managed.").Default("{}"),
      Member<&Self::multi_kueue>("multiKueue", "Dispatching to other clusters.").Default("{}"),
      Member<&Self::fair_sharing>("fairSharing", "Fair sharing between queues of a cohort."),
      Member<&Self::admission_fair_sharing>("admissionFairSharing",
                                            "Fair sharing between LocalQueues by past usage."),
      Member<&Self::resources>("resources", "Which requests count against quota."),
      Member<&Self::feature_gates>("featureGates", "Features that are turned on or off."),
      Member<&Self::object_retention_policies>("objectRetentionPolicies",
                                               "When objects are deleted."),
      Member<&Self::visibility_server>("visibilityServer", "Where pending workloads are listed.")
          .New()
          .Default("{}"),
      Member<&Self::former_queue_visibility>("queueVisibility",
                                             "Had pending workloads listed in status.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Configuration", "How the controller works.", kFields)
          .Upgrade(&Upgrade);
  return kStruct;
}

const schema::Kind& Configuration::KindInfo() {
  static constexpr std::string_view kFormerVersions[] = {"v1beta1"};
  static constexpr schema::Kind kKind{
      .group = kConfigurationGroup,
      .version = "v1beta2",
      .kind = "Configuration",
      .plural = "configurations",
      .structure = &Configuration::Description,
      .former_versions = kFormerVersions,
  };
  return kKind;
}

}  // namespace berth::api
