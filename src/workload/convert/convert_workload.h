#pragma once

// Converts Workloads to specs of the engine.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/topology_assignment.h"
#include "api/kueue/workload.h"
#include "api/meta/selector.h"
#include "engine/engine.h"
#include "engine/spec.h"
#include "workload/convert/convert_topology.h"
#include "workload/flavor_match.h"
#include "workload/requests/claims.h"
#include "workload/requests/limit_summary.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/resource_filter.h"
#include "workload/requests/resource_options.h"

namespace berth::workload {

// The options of the Configuration and its gates for single workloads. An immutable value.
struct WorkloadRules {
  std::shared_ptr<const ResourceOptions> resources;
  // waitForPodsReady.requeuingStrategy.timestamp is Eviction, as by default.
  bool orders_timeouts_by_eviction = true;
  bool sorts_by_priority_within_cohort = true;
  bool has_priority_boost = false;
  bool has_admission_gates = true;
  bool has_concurrent_admission = false;
  bool has_admission_constraints = false;
  api::SliceCuts topology_cuts = api::SliceCuts::kByPrefix;

  static WorkloadRules From(const api::Configuration& configuration,
                            const api::FeatureGates& gates);
};

// "namespace/name".
std::string NamespacedName(std::string_view namespace_name, std::string_view name);
std::string NamespacedName(const api::ObjectMeta& metadata);

// Whether the workload holds quota: QuotaReserved is True, it is active and not finished.
bool HoldsQuota(const api::Workload& workload);
// Whether the workload may be queued, by its own state alone: it has no quota, is active, not
// finished, not gated and not on hold.
bool MayWait(const api::Workload& workload, const WorkloadRules& rules);

// The priority, with its boost if that gate is on.
int64_t EffectivePriority(const api::Workload& workload, const WorkloadRules& rules);
// The time that orders workloads of equal priority: the creation (zero if absent), or the eviction
// that moved the workload to the end of the queue.
base::Time QueueOrderTime(const api::Workload& workload, const WorkloadRules& rules);
// The same of an eviction for this reason, or a preemption for it; nullopt if the workload keeps
// its place.
std::optional<base::Time> QueueOrderTimeAfter(std::string_view eviction_reason, base::Time at,
                                              const WorkloadRules& rules);
bool HasClosedPreemptionGate(const api::Workload& workload);
// The admission constraints of the workload's field and annotations; none while the gate is off.
engine::AdmissionConstraints ConstraintsOf(const api::Workload& workload,
                                           const WorkloadRules& rules);
// A check is in state Retry or Rejected.
bool HasFailedCheck(const api::Workload& workload);
// Namespaced name of the slice that this one replaces; "" if there is none.
std::string ReplacedSlice(const api::Workload& workload);

// A flavor of a ClusterQueue.
struct QueueFlavor {
  engine::FlavorId id;
  std::string_view name;
  const FlavorMatcher* matcher = nullptr;  // null: the flavor is missing
  TopologyFlavor topology = {};
};

// The inputs of a pending spec besides the workload. All pointers must outlive the call.
struct WaitingContext {
  engine::NodeId cluster_queue;
  const ResourceFilter* filter = nullptr;
  const ClaimStore* claims = nullptr;  // null: devices do not count
  const api::Selector* namespace_selector = nullptr;
  std::span<const QueueFlavor> flavors;  // of the queue, by id
  const api::Labels* namespace_labels = nullptr;
  const LimitSummary* limits = nullptr;  // of the workload's namespace
  const RuntimeOverheads* overheads = nullptr;
  std::string replaces_uid;           // see ReplacedSlice
  NodeMatchTable* matches = nullptr;  // null: without topology-aware scheduling
};

engine::PendingSpec ToPending(const api::Workload& workload, const WaitingContext& context,
                              const WorkloadRules& rules, engine::Engine& names);

// The usage in status.admission less that of reclaimable pods. Requests that the pods of a set
// share (PodSetTotals::shared, by pod set) are never reclaimed.
engine::ReservedSpec ToReserved(const api::Workload& workload, engine::NodeId cluster_queue,
                                const WorkloadRules& rules, engine::Engine& names,
                                const base::FlatMap<Requests>& shared = {});
// Adds the placement of a workload with quota, its requests, and whether it needs a second pass.
// Only with topology-aware scheduling.
void AddTopology(const api::Workload& workload, const WaitingContext& context,
                 engine::Engine& names, engine::ReservedSpec& spec);

}  // namespace berth::workload
