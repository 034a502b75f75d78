#pragma once

// What goes into the engine: the parts of the objects that decisions depend on, with names turned
// into ids. Plain data, made by the `workload` module from API objects and by tests by hand.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "quantity/amount.h"

namespace berth::engine {

using quantity::Amount;

// --- Queues -------------------------------------------------------------------------------------

struct Quota {
  Amount nominal;
  Amount borrowing_limit = Amount::Unlimited();
  Amount lending_limit = Amount::Unlimited();

  friend bool operator==(const Quota&, const Quota&) = default;
};

struct FlavorQuotas {
  FlavorId flavor;
  std::vector<Quota> quotas;  // one for each resource of the group, in its order

  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

// Resources that come from one flavor together, and the flavors in the order they are tried.
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
  // Not stopped, nothing it refers to is missing. An inactive queue gets no head and is no
  // candidate for preemption, but its quota and usage count.
  bool is_active = true;
  // admissionMode: UsageBasedAdmissionFairSharing.
  bool orders_by_usage = false;
  // Whether the number of pods is charged where a group has the resource `pods`.
  bool counts_pods = true;

  friend bool operator==(const ClusterQueueSpec&, const ClusterQueueSpec&) = default;
};

struct CohortSpec {
  std::string name;
  std::string parent;  // "" for none
  std::vector<ResourceGroup> groups;
  double fair_weight = 1;

  friend bool operator==(const CohortSpec&, const CohortSpec&) = default;
};

// --- Workloads ----------------------------------------------------------------------------------

// An amount of one resource, in the resource's own unit (milli for cpu).
struct Request {
  ResourceId resource;
  int64_t amount = 0;
  // The part of it that all pods share, and that fewer pods need as well.
  int64_t shared = 0;

  friend auto operator<=>(const Request&, const Request&) = default;
};

// What is asked for `full` pods, for another number of them.
inline int64_t AmountFor(const Request& request, int32_t full, int32_t count) {
  if (full == 0 || full == count) return request.amount;
  const int64_t per_pod = (request.amount - request.shared) / full;
  return quantity::SaturatingAdd(quantity::SaturatingMul(per_pod, count), request.shared);
}

enum class Mismatch : uint8_t { kUntoleratedTaint, kNodeAffinity, kError, kNotAllowed };

// A flavor that does not suit the pods of a podset, and why.
struct FlavorMismatch {
  FlavorId flavor;
  Mismatch why = Mismatch::kUntoleratedTaint;

  friend auto operator<=>(const FlavorMismatch&, const FlavorMismatch&) = default;
};

struct PodSetSpec {
  int32_t count = 0;       // pods that still need quota: reclaimable ones are taken off
  int32_t full_count = 0;  // as in the object's spec; where the search for a smaller size begins
  std::optional<int32_t> min_count;
  int32_t group = 0;                       // podsets of one group share their flavors
  std::vector<Request> requests;           // for `count` pods
  std::vector<FlavorMismatch> mismatches;  // sorted by flavor

  friend bool operator==(const PodSetSpec&, const PodSetSpec&) = default;
};

// What makes two workloads of one ClusterQueue equal for scheduling.
struct EquivalenceKey {
  uint64_t high = 0;
  uint64_t low = 0;

  friend auto operator<=>(const EquivalenceKey&, const EquivalenceKey&) = default;
};

struct Shape {
  std::vector<PodSetSpec> pod_sets;
  int64_t priority = 0;  // with its boost, where that gate is on
  EquivalenceKey key;

  friend bool operator==(const Shape&, const Shape&) = default;
};

// What must not be done to admit a workload; constraints.h says what that means. It says nothing
// about what becomes of the workload afterwards.
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
  base::Time queue_order_time;  // creation, or eviction where that counts
  Shape shape;
  // Not before this moment: requeue back-off.
  std::optional<base::Time> not_before;
  // Held back until its owner says otherwise (Requeued=False).
  bool is_held = false;
  // Its namespace is not selected by the ClusterQueue.
  bool has_namespace_mismatch = false;
  // Something about it alone forbids admission: LimitRange, requests over limits, failed checks.
  bool is_invalid = false;
  // Its pods name a claim that does not exist. It keeps nobody waiting behind it.
  bool lacks_claim = false;
  bool has_closed_preemption_gate = false;
  // Part of the shape's key too: workloads that differ in them never stand for each other.
  AdmissionConstraints constraints = {};
  // The uid of the workload slice that this one replaces.
  std::string replaces_uid;
};

// The flavor of one resource in a podset, and how much of it is used.
struct ResourceAssignment {
  ResourceId resource;
  FlavorId flavor;
  int64_t amount = 0;

  friend bool operator==(const ResourceAssignment&, const ResourceAssignment&) = default;
};

struct PodSetAssignment {
  int32_t count = 0;
  std::vector<ResourceAssignment> resources;

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
  bool is_evicted = false;  // marked, but its quota is not free yet
  std::vector<PodSetAssignment> pod_sets;
};

}  // namespace berth::engine
