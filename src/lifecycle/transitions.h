#pragma once

// When a Workload changes its state by itself, as functions of a few values: the pods-ready
// deadline, the back-off and its limit, the maximum execution time, drained queues. The controller
// derives the values from the conditions of Workloads (workload_plan.h), the simulator keeps them
// in its job records.

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "base/time.h"
#include "lifecycle/lifecycle_policy.h"
#include "workload/requeue_backoff.h"

namespace berth::lifecycle {

// The moment at which an admitted Workload is evicted unless its pods are ready.
struct PodsReadyDeadline {
  std::string_view cause;  // WaitForStart or WaitForRecovery
  base::Time at;
};

// `recovering_since`: since when pods that were ready are not; nullopt if they never were. Nullopt:
// there is no deadline.
std::optional<PodsReadyDeadline> DeadlineOfPods(const LifecyclePolicy& policy,
                                                base::Time admitted_at,
                                                std::optional<base::Time> recovering_since);

// status.requeueState of a Workload that missed its pods-ready deadline at `now`; nullopt if it has
// been requeued as often as the limit allows and is deactivated instead. The jitter of the back-off
// depends on the uid and the attempt only.
std::optional<workload::Requeue> RequeueAfterTimeout(const LifecyclePolicy::PodsReady& policy,
                                                     int32_t requeues,
                                                     std::optional<base::Time> requeue_at,
                                                     std::string_view uid, base::Time now);

// The moment at which a Workload is deactivated because of spec.maximumExecutionTimeSeconds. Time
// counts from admission; the seconds of earlier admissions count too.
base::Time EndOfExecution(int32_t limit_seconds, int32_t past_seconds, base::Time admitted_at);

// The reason for which an admitted Workload is evicted while a queue of it is drained: that of the
// LocalQueue first. "" if neither is. The queues may be null.
std::string_view DrainReason(const api::LocalQueue* local_queue,
                             const api::ClusterQueue* cluster_queue);

}  // namespace berth::lifecycle
