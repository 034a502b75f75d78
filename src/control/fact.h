#pragma once

// What happened, for those who only look on: metrics, and whoever else counts. Plain data that is
// good during the call; what it means for this or that number is not known here.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/workload.h"
#include "base/time.h"
#include "engine/engine.h"
#include "schema/describe.h"
#include "store/json.h"

namespace berth::workload {
class EngineFeed;
}

namespace berth::control {

struct WorkloadChange;

// A cycle that looked at somebody.
struct CycleFact {
  struct Recomputation {
    std::string cluster_queue;
    engine::Outcome outcome;
  };

  size_t heads = 0;
  bool has_admitted = false;
  base::Duration took;
  // Heads that had found victims, and then others took what they needed; by ClusterQueue.
  std::map<std::string, int> skipped_preemptions;
  // Heads whose victims others had taken, with what became of them then.
  std::vector<Recomputation> recomputations;
};

// A Workload is in another state than before.
struct WorkloadStep {
  const api::Workload* before = nullptr;
  const api::Workload* after = nullptr;
  bool is_ours = false;  // this process wrote it
  const WorkloadChange* decision =
      nullptr;  // that it wrote down; null if it was none of the engine
  base::Time now;
};

// A Workload was made for a job.
struct WorkloadMade {
  std::string_view job_kind;
  base::Time job_created_at;
  int64_t job_generation = 0;
  const api::Workload* workload = nullptr;
};
WorkloadMade MadeFor(const store::json::value& job, std::string_view kind,
                     const api::Workload& workload);

// The gate of a pod was opened.
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

using Fact = std::variant<CycleFact, WorkloadStep, WorkloadMade, PodReleased, QueueGone>;

// Called on the thread of the controllers, with what is known at that moment.
using Observe = std::function<void(const Fact&, const workload::EngineFeed&)>;

}  // namespace berth::control
