#pragma once

// Plans for a Workload that follow from its own state, its queues and the time: retention,
// back-offs, deactivation, restarted queues, admission checks, pending reasons and evictions. The
// scheduler decides about quota, and job_plan.h plans the job.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"
#include "base/time.h"
#include "lifecycle/event_record.h"
#include "lifecycle/lifecycle_policy.h"

namespace berth::lifecycle {

// Inputs to the plan of a Workload, besides the Workload.
struct WorkloadContext {
  const api::LocalQueue* local_queue = nullptr;      // null: there is none of this name
  const api::ClusterQueue* cluster_queue = nullptr;  // null: there is none of this name
  bool is_queue_active = true;                       // the ClusterQueue can admit
  std::string misconfiguration;  // why pods of it could not be created here, "" if they could
  // The priority to sync from the WorkloadPriorityClass; nullopt if no update is due, so that a
  // priority set by hand stays.
  std::optional<int32_t> class_priority;
};

struct WorkloadPlan {
  // The part to write; one per plan.
  enum class Write : uint8_t {
    kNothing,
    kStatus,    // the status as in `workload`
    kSpec,      // the spec as in `workload`
    kMetadata,  // the metadata as in `workload`
    kDelete,    // remove our finalizer, then delete
  };
  Write write = Write::kNothing;
  api::Workload workload;
  std::vector<EventRecord> events;       // recorded once written
  std::string reporter = {};             // of the Events; "" is the Workload's own controller
  std::optional<base::Time> requeue_at;  // plan again at this time at the latest
};

WorkloadPlan PlanWorkload(const api::Workload& workload, const WorkloadContext& context,
                          const LifecyclePolicy& policy, base::Time now);

}  // namespace berth::lifecycle
