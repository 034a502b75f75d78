#pragma once

// Controller events for observers such as metrics. Pointers are valid only during the callback.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "engine/engine.h"
#include "json/json.h"
#include "schema/describe.h"

namespace berth::workload {
class ClusterState;
}

namespace berth::control {

struct WorkloadChange;

// A scheduling cycle with at least one head.
struct CycleCompleted {
  struct Recomputation {
    std::string cluster_queue;
    engine::Outcome outcome;
  };

  size_t heads = 0;
  bool has_admitted = false;
  base::Duration took;
  // By ClusterQueue, the heads with preemption targets that were skipped because another head of
  // the cycle took the quota or the targets.
  std::map<std::string, int> skipped_preemptions;
  // Heads whose preemption targets another head had taken, with the outcome of the second attempt.
  std::vector<Recomputation> recomputations;
};

// A Workload changed its state.
struct WorkloadTransition {
  const api::Workload* before = nullptr;
  const api::Workload* after = nullptr;
  bool is_ours = false;                      // this process wrote it
  const WorkloadChange* decision = nullptr;  // of the engine, if it was written with this; or null
  base::Time now;
};

// A Workload was created for a job.
struct WorkloadCreated {
  std::string_view job_kind;
  base::Time job_created_at;
  int64_t job_generation = 0;
  const api::Workload* workload = nullptr;
};
WorkloadCreated MadeFor(const json::value& job, std::string_view kind,
                        const api::Workload& workload);

// The scheduling gate of a pod was removed.
struct PodReleased {
  const api::Workload* workload = nullptr;
  std::string_view gate;
  bool is_of_group = false;
  base::Time now;
};

// A ClusterQueue, LocalQueue or Cohort was deleted.
struct QueueGone {
  const schema::Kind* kind = nullptr;
  std::string_view namespace_;
  std::string_view name;
};

using ControllerEvent =
    std::variant<CycleCompleted, WorkloadTransition, WorkloadCreated, PodReleased, QueueGone>;

// Called on the thread of the controllers, with the state of the cluster at that moment.
using Observe = std::function<void(const ControllerEvent&, const workload::ClusterState&)>;

}  // namespace berth::control
