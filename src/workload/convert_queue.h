#pragma once

// ClusterQueues, Cohorts and LocalQueues as the engine sees them.

#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/local_queue.h"
#include "engine/engine.h"
#include "engine/spec.h"

namespace berth::workload {

// What a ClusterQueue refers to, as far as it matters to whether the queue can admit.
class QueueReferences {
 public:
  virtual ~QueueReferences() = default;

  enum class State : uint8_t { kMissing, kInactive, kActive };
  virtual State FlavorState(
      std::string_view flavor) const = 0;  // kInactive: its topology is missing
  virtual State CheckState(std::string_view check) const = 0;
  // "" if there is no such check.
  virtual std::string_view CheckController(std::string_view check) const = 0;
};

// Why a ClusterQueue admits nothing now: the reason of its condition Active=False, the first that
// applies. "" if it is active.
std::string_view InactiveReason(const api::ClusterQueueSpec& spec, const QueueReferences& refers);

// Whether a queue is stopped, be it a ClusterQueue or a LocalQueue.
bool IsStopped(const std::optional<std::string>& stop_policy);

engine::ClusterQueueSpec ToEngine(const api::ClusterQueue& queue, bool is_active,
                                  engine::Engine& names);
engine::CohortSpec ToEngine(const api::Cohort& cohort, engine::Engine& names);

// 1 where nothing is said.
double FairWeight(const std::optional<api::FairSharing>& fair_sharing);

// What a LocalQueue consumed, as its status says.
std::vector<engine::ConsumedResource> ConsumedResources(const api::LocalQueueStatus& status,
                                                        engine::Engine& names);

}  // namespace berth::workload
