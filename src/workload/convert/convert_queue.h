#pragma once

// Converts ClusterQueues, Cohorts and LocalQueues to specs of the engine.

#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "engine/engine.h"
#include "engine/spec.h"

namespace berth::workload {

// The state of objects that a ClusterQueue refers to, which decides whether the queue is active.
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

// The reason of the condition Active=False of a ClusterQueue, the first that applies; "" if it is
// active.
std::string_view InactiveReason(const api::ClusterQueueSpec& spec, const QueueReferences& refers);

// Whether a ClusterQueue or LocalQueue is stopped.
bool IsStopped(const std::optional<std::string>& stop_policy);

engine::ClusterQueueSpec ToEngine(const api::ClusterQueue& queue, bool is_active,
                                  engine::Engine& names);
// Adds the flavors whose pods are placed after an admission check: those of checks for
// ProvisioningRequests, and all of a queue whose jobs run in another cluster.
void AddDelayedTopologies(const api::ClusterQueueSpec& spec, const QueueReferences& refers,
                          engine::Engine& names, engine::ClusterQueueSpec& out);
engine::CohortSpec ToEngine(const api::Cohort& cohort, engine::Engine& names);

// 1 by default.
double FairWeight(const std::optional<api::FairSharing>& fair_sharing);

// The consumption in the status of a LocalQueue.
std::vector<engine::ConsumedResource> ConsumedResources(const api::LocalQueueStatus& status,
                                                        engine::Engine& names);

}  // namespace berth::workload
