#pragma once

// Workloads as the engine sees them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/cluster_queue.h"
#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/selector.h"
#include "api/workload.h"
#include "engine/engine.h"
#include "engine/spec.h"
#include "workload/claims.h"
#include "workload/flavor_match.h"
#include "workload/limit_summary.h"
#include "workload/pod_requests.h"
#include "workload/resource_filter.h"
#include "workload/resource_options.h"

namespace berth::workload {

// What the Configuration and its gates say about single workloads. A value, made once.
struct WorkloadRules {
  std::shared_ptr<const ResourceOptions> resources;
  // waitForPodsReady.requeuingStrategy.timestamp is Eviction, as by default.
  bool orders_timeouts_by_eviction = true;
  bool sorts_by_priority_within_cohort = true;
  bool has_priority_boost = false;
  bool has_admission_gates = true;
  bool has_concurrent_admission = false;
  bool has_admission_constraints = false;

  static WorkloadRules From(const api::Configuration& configuration,
                            const api::FeatureGates& gates);
};

// "namespace/name", the name of a workload or LocalQueue across namespaces.
std::string NamespacedName(std::string_view namespace_name, std::string_view name);
std::string NamespacedName(const api::ObjectMeta& metadata);

// Whether it holds quota: QuotaReserved is True, it is active and not finished.
bool HoldsQuota(const api::Workload& workload);
// Whether it may wait for quota, as far as it itself says: it holds none, is active, not finished,
// not gated, not on hold.
bool MayWait(const api::Workload& workload, const WorkloadRules& rules);

// The priority with its boost, where that gate is on.
int64_t EffectivePriority(const api::Workload& workload, const WorkloadRules& rules);
// The moment that decides its place among equal priorities: of its creation (the zero time if it is
// not said), or of an eviction that makes it start over.
base::Time QueueOrderTime(const api::Workload& workload, const WorkloadRules& rules);
bool HasClosedPreemptionGate(const api::Workload& workload);
// What must not be done to admit it, by its field and its annotations; nothing while the gate is
// off.
engine::AdmissionConstraints ConstraintsOf(const api::Workload& workload,
                                           const WorkloadRules& rules);
// A check says Retry or Rejected.
bool HasFailedCheck(const api::Workload& workload);
// "namespace/name" of the slice that this one replaces; "" if it replaces none.
std::string ReplacedSlice(const api::Workload& workload);

// A flavor of a ClusterQueue, ready to be matched.
struct QueueFlavor {
  engine::FlavorId id;
  std::string_view name;
  const FlavorMatcher* matcher = nullptr;  // null: there is no such flavor
};

// What a waiting workload is seen against. All that is pointed at must outlive the call.
struct WaitingContext {
  engine::NodeId cluster_queue;
  const ResourceFilter* filter = nullptr;
  const ClaimStore* claims = nullptr;  // null: devices do not count
  const api::Selector* namespace_selector = nullptr;
  std::span<const QueueFlavor> flavors;  // of the queue, by id
  const api::Labels* namespace_labels = nullptr;
  const LimitSummary* limits = nullptr;  // of the workload's namespace
  const RuntimeOverheads* overheads = nullptr;
  std::string replaces_uid;  // see ReplacedSlice
};

engine::PendingSpec ToPending(const api::Workload& workload, const WaitingContext& context,
                              const WorkloadRules& rules, engine::Engine& names);

// What status.admission says that it was given, less what pods that are reclaimable by now gave
// back. Of what the pods of a set share (PodSetTotals::shared, by pod set) nothing is given back.
engine::ReservedSpec ToReserved(const api::Workload& workload, engine::NodeId cluster_queue,
                                const WorkloadRules& rules, engine::Engine& names,
                                const base::FlatMap<Requests>& shared = {});

}  // namespace berth::workload
