#include "lifecycle/lifecycle_policy.h"

namespace berth::lifecycle {
namespace {

workload::BackoffSettings BackoffOf(const api::RequeuingSettings& requeuing) {
  workload::BackoffSettings backoff;
  backoff.base_seconds = requeuing.backoff_base_seconds.value_or(backoff.base_seconds);
  backoff.max_seconds = requeuing.backoff_max_seconds.value_or(backoff.max_seconds);
  return backoff;
}

LifecyclePolicy::PodsReady PodsReadyOf(const api::WaitForPodsReadySettings& settings) {
  LifecyclePolicy::PodsReady pods{.timeout = settings.timeout,
                                  .recovery_timeout = settings.recovery_timeout,
                                  .requeue_limit = std::nullopt,
                                  .backoff = {},
                                  .blocks_admission = settings.block_admission.value_or(false)};
  if (pods.recovery_timeout == base::Duration{}) pods.recovery_timeout.reset();
  if (const auto& requeuing = settings.requeuing_strategy) {
    pods.requeue_limit = requeuing->backoff_limit_count;
    pods.backoff = BackoffOf(*requeuing);
  }
  return pods;
}

}  // namespace

LifecyclePolicy LifecyclePolicy::From(const api::Configuration& configuration,
                                      const api::FeatureGates& gates) {
  LifecyclePolicy policy{
      .pods_ready = std::nullopt,
      .retain_finished = std::nullopt,
      .retain_deactivated = std::nullopt,
      .finishes_orphans = gates.IsOn(api::Gate::kFinishOrphanedWorkloads),
      .has_admission_gates = gates.IsOn(api::Gate::kAdmissionGatedBy),
      .states_pending_at_once = gates.IsOn(api::Gate::kUnadmittedWorkloadsExplicitStatus),
  };
  if (configuration.wait_for_pods_ready && !gates.IsOn(api::Gate::kDisableWaitForPodsReady))
    policy.pods_ready = PodsReadyOf(*configuration.wait_for_pods_ready);
  if (const auto& retention = configuration.object_retention_policies;
      retention && retention->workloads) {
    policy.retain_finished = retention->workloads->after_finished;
    policy.retain_deactivated = retention->workloads->after_deactivated_by_kueue;
  }
  return policy;
}

}  // namespace berth::lifecycle
