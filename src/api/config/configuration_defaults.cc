// Defaults that depend on other fields; the others are in the descriptions.

#include <string>

#include "api/config/configuration.h"
#include "api/kueue/well_known.h"
#include "schema/defaults.h"

namespace berth::api {
namespace {

constexpr base::Duration kPodsReadyTimeout = base::Duration::Seconds(30 * 60);

template <class T, class V>
void SetIfAbsent(std::optional<T>& field, V value) {
  if (!field) field = T(value);
}

void ApplyRequeuingDefaults(RequeuingSettings& requeuing) {
  SetIfAbsent(requeuing.timestamp, kRequeueByEviction);
  SetIfAbsent(requeuing.backoff_base_seconds, 60);
  SetIfAbsent(requeuing.backoff_max_seconds, 3600);
}

void ApplyWaitDefaults(Configuration& configuration) {
  if (!configuration.wait_for_pods_ready && configuration.waits_for_pods_by_default) {
    configuration.wait_for_pods_ready.emplace();
  }
  if (!configuration.wait_for_pods_ready) return;
  WaitForPodsReadySettings& wait = *configuration.wait_for_pods_ready;
  if (wait.timeout == base::Duration()) wait.timeout = kPodsReadyTimeout;
  SetIfAbsent(wait.block_admission, false);
  SetIfAbsent(wait.recovery_timeout, wait.timeout);
  if (!wait.requeuing_strategy) wait.requeuing_strategy.emplace();
  ApplyRequeuingDefaults(*wait.requeuing_strategy);
}

void ApplyCertificateDefaults(InternalCertManagementSettings& certificates) {
  if (!certificates.enable.value_or(true)) return;
  SetIfAbsent(certificates.webhook_service_name, "kueue-webhook-service");
  SetIfAbsent(certificates.webhook_secret_name, "kueue-webhook-server-cert");
}

void ApplyDispatcherDefaults(MultiKueueSettings& multi_kueue) {
  if (multi_kueue.dispatcher_name != kDispatcherIncremental) return;
  if (!multi_kueue.incremental_dispatcher_config) {
    multi_kueue.incremental_dispatcher_config.emplace();
  }
  SetIfAbsent(multi_kueue.incremental_dispatcher_config->step_size, 3);
}

}  // namespace

LabelSelector DefaultManagedJobsSelector(std::string_view own_namespace) {
  LabelSelector selector;
  selector.match_expressions.push_back(
      {.key = std::string(kNamespaceNameLabel),
       .op = std::string(kSelectorNotIn),
       .values = {std::string(kSystemNamespace), std::string(own_namespace)},
       .extra = {}});
  return selector;
}

void ApplyConfigurationDefaults(Configuration& configuration, std::string_view own_namespace) {
  schema::ApplyDefaults(configuration);
  if (configuration.namespace_.empty()) configuration.namespace_ = own_namespace;
  ApplyWaitDefaults(configuration);
  ApplyCertificateDefaults(*configuration.internal_cert_management);
  ApplyDispatcherDefaults(*configuration.multi_kueue);
  auto& frameworks = configuration.integrations->frameworks;
  if (!frameworks || frameworks->empty()) frameworks = {"batch/job"};
  if (!configuration.managed_jobs_namespace_selector) {
    configuration.managed_jobs_namespace_selector =
        DefaultManagedJobsSelector(configuration.namespace_);
  }
}

}  // namespace berth::api
