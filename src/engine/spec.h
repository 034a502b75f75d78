#pragma once

// The engine's input: the parts of objects that decisions depend on, with names as ids. Plain data,
// built from API objects by the `workload` module and by hand in tests.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "engine/request.h"
#include "engine/topology/topology_spec.h"
#include "quantity/amount.h"

namespace berth::engine {

using quantity::Amount;

// --- Queues --------------------------------------------------------------------------------------

struct Quota {
  Amount nominal;
  Amount borrowing_limit = Amount::Unlimited();
  Amount lending_limit = Amount::Unlimited();

  friend bool operator==(const Quota&, const Quota&) = default;
};

struct FlavorQuotas {
  FlavorId flavor;
  std::vector<Quota> quotas;  // one per resource of the group, in its order

  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

// Resources that are assigned one flavor together, and the flavors in search order.
struct ResourceGroup {
  std::vector<ResourceId> resources;
  std::vector<FlavorQuotas> flavors;

  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};

enum class QueueingStrategy : uint8_t { kBestEffortFIFO, kStrictFIFO };

enum class PreemptionPolicy : uint8_t {
  kNever,
  kLowerPriority,
  kLowerOrNewerEqualPriority,
  kAny,
};

struct Preemption {
  PreemptionPolicy within_cluster_queue = PreemptionPolicy::kNever;
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::kNever;
  // borrowWithinCohort.policy is LowerPriority.
  bool borrow_within_cohort = false;
  std::optional<int32_t> max_priority_threshold;

  friend bool operator==(const Preemption&, const Preemption&) = default;
};

enum class FungibilityPreference : uint8_t { kBorrowingOverPreemption, kPreemptionOverBorrowing };

struct FlavorFungibility {
  bool try_next_when_can_borrow = false;  // whenCanBorrow: TryNextFlavor
  bool try_next_when_can_preempt = true;  // whenCanPreempt: TryNextFlavor
  FungibilityPreference preference = FungibilityPreference::kBorrowingOverPreemption;

  friend bool operator==(const FlavorFungibility&, const FlavorFungibility&) = default;
};

struct ClusterQueueSpec {
  std::string name;
  std::string cohort;  // "" for none
  std::vector<ResourceGroup> groups;
  QueueingStrategy strategy = QueueingStrategy::kBestEffortFIFO;
  Preemption preemption;
  FlavorFungibility fungibility;
  double fair_weight = 1;
  // Not stopped, with no missing references. An inactive queue has no head and its workloads are
  // not preempted, but its quota and usage count.
  bool is_active = true;
  // admissionMode: UsageBasedAdmissionFairSharing.
  bool orders_by_usage = false;
  // Whether the pod count is charged if a group has the resource `pods`.
  bool counts_pods = true;
  // Flavors whose pods are placed only after an admission check is ready; or those of all flavors,
  // in another cluster.
  std::vector<FlavorId> delayed_topology_flavors = {};
  bool delays_all_topologies = false;

  friend bool operator==(const ClusterQueueSpec&, const ClusterQueueSpec&) = default;
};

struct CohortSpec {
  std::string name;
  std::string parent;  // "" for none
  std::vector<ResourceGroup> groups;
  double fair_weight = 1;

  friend bool operator==(const CohortSpec&, const CohortSpec&) = default;
};

// --- Workloads -----------------------------------------------------------------------------------

// The amount for `count` pods of a request for `full` pods.
inline int64_t AmountFor(const Request& request, int32_t full, int32_t count) {
  if (full == 0 || full == count) return request.amount;
  const int64_t per_pod = (request.amount - request.shared) / full;
  return quantity::SaturatingAdd(quantity::SaturatingMul(per_pod, count), request.shared);
}

enum class Mismatch : uint8_t { kUntoleratedTaint, kNodeAffinity, kError, kNotAllowed, kTopology };

// A flavor that does not match the pods of a podset.
struct FlavorMismatch {
  FlavorId flavor;
  Mismatch why = Mismatch::kUntoleratedTaint;

  friend auto operator<=>(const FlavorMismatch&, const FlavorMismatch&) = default;
};

struct PodSetSpec {
  int32_t count = 0;       // pods that still need quota, without reclaimable ones
  int32_t full_count = 0;  // the count of the object's spec; start of the search for a smaller size
  std::optional<int32_t> min_count;
  int32_t group = 0;                       // podsets of one group share their flavors
  std::vector<Request> requests;           // for `count` pods
  std::vector<FlavorMismatch> mismatches;  // sorted by flavor

  friend bool operator==(const PodSetSpec&, const PodSetSpec&) = default;
};

// Equal for workloads of one ClusterQueue that are equivalent for scheduling.
struct EquivalenceKey {
  uint64_t high = 0;
  uint64_t low = 0;

  friend auto operator<=>(const EquivalenceKey&, const EquivalenceKey&) = default;
};

struct Shape {
  std::vector<PodSetSpec> pod_sets;
  int64_t priority = 0;  // including the boost, if its gate is on
  EquivalenceKey key;

  friend bool operator==(const Shape&, const Shape&) = default;
};

// Actions that must not be used to admit a workload (constraints.h). They do not affect the
// workload after admission.
struct AdmissionConstraints {
  bool cannot_preempt = false;
  bool cannot_borrow = false;

  bool any() const { return cannot_preempt || cannot_borrow; }
  friend bool operator==(const AdmissionConstraints&, const AdmissionConstraints&) = default;
};

struct PendingSpec {
  std::string uid;  // the last tie-break of every order
  LocalQueueId local_queue;
  NodeId cluster_queue;
  base::Time queue_order_time;  // creation, or eviction if that counts
  Shape shape;
  // Requeue back-off: not considered before this time.
  std::optional<base::Time> not_before;
  // Held until its owner requeues it (Requeued=False).
  bool is_held = false;
  // Its namespace is not selected by the ClusterQueue.
  bool has_namespace_mismatch = false;
  // Its own properties forbid admission: LimitRange, requests over limits, failed checks.
  bool is_invalid = false;
  // Its pods refer to a missing claim. It does not block workloads behind it.
  bool lacks_claim = false;
  bool has_closed_preemption_gate = false;
  // Also part of the shape's key: workloads with different constraints are never equivalent.
  AdmissionConstraints constraints = {};
  // The uid of the workload slice that this one replaces.
  std::string replaces_uid;
  // Absent if none of its podsets is placed in a topology. Also part of the shape's key.
  std::optional<WorkloadTopology> topology = {};
};

// The flavor and usage of one resource in a podset.
struct ResourceAssignment {
  ResourceId resource;
  FlavorId flavor;
  int64_t amount = 0;

  friend bool operator==(const ResourceAssignment&, const ResourceAssignment&) = default;
};

struct PodSetAssignment {
  int32_t count = 0;
  std::vector<ResourceAssignment> resources;
  std::vector<DomainPods> domains = {};  // in the order of level values
  bool has_delayed_topology = false;     // waits for admission checks

  friend bool operator==(const PodSetAssignment&, const PodSetAssignment&) = default;
};

// A workload that holds quota.
struct ReservedSpec {
  std::string uid;
  LocalQueueId local_queue;
  NodeId cluster_queue;
  base::Time queue_order_time;
  int64_t priority = 0;
  base::Time reserved_at;
  bool is_evicted = false;  // marked, but still holding quota
  std::vector<PodSetAssignment> pod_sets;
  std::optional<WorkloadTopology> topology = {};
  SecondPass second_pass = SecondPass::kNone;
  std::vector<std::string> failed_nodes = {};
};

}  // namespace berth::engine
