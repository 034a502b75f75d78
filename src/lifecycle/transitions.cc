#include "lifecycle/transitions.h"

#include "api/kueue/stop_policy.h"
#include "api/kueue/well_known.h"
#include "base/fnv.h"

namespace berth::lifecycle {
namespace {

namespace reason = api::reason;

// In [0, 1): FNV-1a of uid and attempt.
double BackoffJitter(std::string_view uid, uint32_t attempt) {
  const uint64_t hash = base::FnvMix(base::Fnv1a(uid), attempt);
  return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

}  // namespace

std::optional<PodsReadyDeadline> DeadlineOfPods(const LifecyclePolicy& policy,
                                                base::Time admitted_at,
                                                std::optional<base::Time> recovering_since) {
  if (!policy.pods_ready) return std::nullopt;
  if (!recovering_since)
    return PodsReadyDeadline{reason::kWaitForStart, admitted_at + policy.pods_ready->timeout};
  if (!policy.pods_ready->recovery_timeout) return std::nullopt;
  return PodsReadyDeadline{reason::kWaitForRecovery,
                           *recovering_since + *policy.pods_ready->recovery_timeout};
}

std::optional<workload::Requeue> RequeueAfterTimeout(const LifecyclePolicy::PodsReady& policy,
                                                     int32_t requeues,
                                                     std::optional<base::Time> requeue_at,
                                                     std::string_view uid, base::Time now) {
  if (policy.requeue_limit && requeues >= *policy.requeue_limit) return std::nullopt;
  return workload::NextRequeue(policy.backoff, requeues, requeue_at, now,
                               BackoffJitter(uid, static_cast<uint32_t>(requeues) + 1));
}

base::Time EndOfExecution(int32_t limit_seconds, int32_t past_seconds, base::Time admitted_at) {
  return admitted_at + base::Duration::Seconds(int64_t{limit_seconds} - past_seconds);
}

std::string_view DrainReason(const api::LocalQueue* local_queue,
                             const api::ClusterQueue* cluster_queue) {
  const auto is_drained = [](const auto* queue) {
    return queue != nullptr && queue->spec.stop_policy == api::kStopPolicyHoldAndDrain;
  };
  if (is_drained(local_queue)) return reason::kLocalQueueStopped;
  if (is_drained(cluster_queue)) return reason::kClusterQueueStopped;
  return {};
}

}  // namespace berth::lifecycle
