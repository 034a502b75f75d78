#pragma once

#include <cstdint>
#include <optional>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/time.h"
#include "workload/requeue_backoff.h"

namespace berth::lifecycle {

// The settings of the Configuration and the feature gates that rule the life of Workloads. A value,
// derived once.
struct LifecyclePolicy {
  struct PodsReady {
    base::Duration timeout;
    std::optional<base::Duration> recovery_timeout;  // absent: no limit
    std::optional<int32_t> requeue_limit;            // absent: no limit
    workload::BackoffSettings backoff;
    bool blocks_admission = false;
  };
  std::optional<PodsReady> pods_ready;  // absent: pods have no deadline
  std::optional<base::Duration> retain_finished;
  std::optional<base::Duration> retain_deactivated;
  bool finishes_orphans = true;
  bool has_admission_gates = true;
  bool states_pending_at_once =
      false;  // reports PendingEvaluation before the first scheduling cycle

  static LifecyclePolicy From(const api::Configuration& configuration,
                              const api::FeatureGates& gates);
};

}  // namespace berth::lifecycle
