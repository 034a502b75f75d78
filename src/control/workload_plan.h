#pragma once

// What is to be done about a Workload, as far as it follows from its own state, its queues and the
// time: retention, back-offs, deactivation, restarts of queues, admission checks, the reason why it
// waits, and the eviction of what may not run on. Quota is the scheduler's business, the job behind
// it that of job_plan.h.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/local_queue.h"
#include "api/workload.h"
#include "base/time.h"
#include "control/plan.h"
#include "workload/requeue_backoff.h"

namespace berth::control {

// What the Configuration says about the life of Workloads. A value, made once.
struct WorkloadPolicy {
  struct PodsReady {
    base::Duration timeout;
    std::optional<base::Duration> recovery_timeout;  // absent: no limit
    std::optional<int32_t> requeue_limit;            // absent: for ever
    workload::BackoffSettings backoff;
    bool blocks_admission = false;
  };
  std::optional<PodsReady> pods_ready;  // absent: nobody waits for pods
  std::optional<base::Duration> retain_finished;
  std::optional<base::Duration> retain_deactivated;
  bool finishes_orphans = true;
  bool has_admission_gates = true;
  bool states_pending_at_once = false;  // says that it waits before it was ever looked at

  static WorkloadPolicy From(const api::Configuration& configuration,
                             const api::FeatureGates& gates);
};

// What a Workload is seen against.
struct WorkloadSurroundings {
  const api::LocalQueue* local_queue = nullptr;      // null: there is none of this name
  const api::ClusterQueue* cluster_queue = nullptr;  // null: there is none of this name
  bool is_queue_active = true;                       // the ClusterQueue can admit
  std::string misfit;  // why pods of it could not be created here, "" if they could
  // The value of its WorkloadPriorityClass, as long as it is to be taken over. After that, the
  // priority may be set by hand.
  std::optional<int32_t> class_value;
};

struct WorkloadPlan {
  // What there is to write: at most one of these.
  enum class Write : uint8_t {
    kNothing,
    kStatus,    // the status as in `workload`
    kSpec,      // the spec as in `workload`
    kMetadata,  // the metadata as in `workload`
    kDelete,    // with our finalizer
  };
  Write write = Write::kNothing;
  api::Workload workload;
  std::vector<Note> notes;               // once it is written
  std::optional<base::Time> look_again;  // if nothing happens before
};

WorkloadPlan PlanWorkload(const api::Workload& workload, const WorkloadSurroundings& around,
                          const WorkloadPolicy& policy, base::Time now);

}  // namespace berth::control
