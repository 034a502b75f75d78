#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/fair_sharing.h"
#include "api/kueue/resource_group.h"
#include "api/kueue/stop_policy.h"
#include "api/meta/meta.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kStrictFifo = "StrictFIFO";
inline constexpr std::string_view kBestEffortFifo = "BestEffortFIFO";
inline constexpr std::string_view kQueueingStrategies[] = {kStrictFifo, kBestEffortFifo};

// Whether flavor assignment may stop at a flavor that requires borrowing or preemption.
inline constexpr std::string_view kMayStopSearch = "MayStopSearch";
inline constexpr std::string_view kTryNextFlavor = "TryNextFlavor";
inline constexpr std::string_view kFlavorFungibilityPolicies[] = {kMayStopSearch, kTryNextFlavor};

inline constexpr std::string_view kBorrowingOverPreemption = "BorrowingOverPreemption";
inline constexpr std::string_view kPreemptionOverBorrowing = "PreemptionOverBorrowing";
inline constexpr std::string_view kFlavorFungibilityPreferences[] = {kBorrowingOverPreemption,
                                                                     kPreemptionOverBorrowing};

struct FlavorFungibility {
  std::optional<std::string> when_can_borrow;
  std::optional<std::string> when_can_preempt;
  std::optional<std::string> preference;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FlavorFungibility&, const FlavorFungibility&) = default;
};

inline constexpr std::string_view kPreemptNever = "Never";
inline constexpr std::string_view kPreemptLowerPriority = "LowerPriority";
inline constexpr std::string_view kPreemptLowerOrNewerEqualPriority = "LowerOrNewerEqualPriority";
inline constexpr std::string_view kPreemptAny = "Any";
inline constexpr std::string_view kReclaimWithinCohortPolicies[] = {
    kPreemptNever, kPreemptLowerPriority, kPreemptAny};
inline constexpr std::string_view kBorrowWithinCohortPolicies[] = {kPreemptNever,
                                                                   kPreemptLowerPriority};
inline constexpr std::string_view kWithinClusterQueuePolicies[] = {
    kPreemptNever, kPreemptLowerPriority, kPreemptLowerOrNewerEqualPriority};

struct BorrowWithinCohort {
  std::optional<std::string> policy;
  std::optional<int32_t> max_priority_threshold;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const BorrowWithinCohort&, const BorrowWithinCohort&) = default;
};

struct ClusterQueuePreemption {
  std::optional<std::string> reclaim_within_cohort;
  std::optional<BorrowWithinCohort> borrow_within_cohort;
  std::optional<std::string> within_cluster_queue;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterQueuePreemption&, const ClusterQueuePreemption&) = default;
};

struct AdmissionCheckStrategyRule {
  std::string name;
  std::vector<std::string> on_flavors;  // empty: all
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheckStrategyRule&,
                         const AdmissionCheckStrategyRule&) = default;
};

struct AdmissionChecksStrategy {
  std::vector<AdmissionCheckStrategyRule> admission_checks;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionChecksStrategy&, const AdmissionChecksStrategy&) = default;
};

inline constexpr std::string_view kTryPreferredFlavors = "TryPreferredFlavors";
inline constexpr std::string_view kRetainFirstAdmission = "RetainFirstAdmission";
inline constexpr std::string_view kMigrationModes[] = {kTryPreferredFlavors, kRetainFirstAdmission};

struct MigrationConstraints {
  std::optional<std::string> last_acceptable_flavor_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const MigrationConstraints&, const MigrationConstraints&) = default;
};

struct ConcurrentAdmissionMigration {
  std::string mode;
  std::optional<MigrationConstraints> constraints;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ConcurrentAdmissionMigration&,
                         const ConcurrentAdmissionMigration&) = default;
};

struct ConcurrentAdmissionPolicy {
  ConcurrentAdmissionMigration migration;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ConcurrentAdmissionPolicy&,
                         const ConcurrentAdmissionPolicy&) = default;
};

struct ClusterQueueSpec {
  std::vector<ResourceGroup> resource_groups;
  std::optional<std::string> cohort_name;
  std::optional<std::string> queueing_strategy;
  std::optional<LabelSelector> namespace_selector;  // absent: no namespace
  std::optional<FlavorFungibility> flavor_fungibility;
  std::optional<ClusterQueuePreemption> preemption;
  std::optional<AdmissionChecksStrategy> admission_checks_strategy;
  std::optional<std::string> stop_policy;
  std::optional<FairSharing> fair_sharing;
  std::optional<AdmissionScope> admission_scope;
  std::optional<ConcurrentAdmissionPolicy> concurrent_admission_policy;
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<std::string> previous_admission_checks;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterQueueSpec&, const ClusterQueueSpec&) = default;
};

struct ResourceUsage {
  std::string name;
  std::optional<quantity::Quantity> total;
  std::optional<quantity::Quantity> borrowed;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceUsage&, const ResourceUsage&) = default;
};

struct FlavorUsage {
  std::string name;
  std::vector<ResourceUsage> resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FlavorUsage&, const FlavorUsage&) = default;
};

struct ClusterQueueStatus {
  std::vector<Condition> conditions;
  std::vector<FlavorUsage> flavors_reservation;
  std::vector<FlavorUsage> flavors_usage;
  std::optional<int32_t> pending_workloads;
  std::optional<int32_t> reserving_workloads;
  std::optional<int32_t> admitted_workloads;
  std::optional<FairSharingStatus> fair_sharing;
  schema::Json previous_pending_workloads_status;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ClusterQueueStatus&, const ClusterQueueStatus&) = default;
};

// A pool of quota, the policies for its use and the namespaces that may use it.
struct ClusterQueue {
  ObjectMeta metadata;
  ClusterQueueSpec spec;
  ClusterQueueStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

}  // namespace berth::api

// Compiled once, in cluster_queue.cc.
extern template class std::vector<berth::api::AdmissionCheckStrategyRule>;
extern template class std::vector<berth::api::FlavorUsage>;
extern template class std::vector<berth::api::ResourceUsage>;
