#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/admission.h"
#include "api/kueue/admission_check_state.h"
#include "api/kueue/pod_set.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "base/time.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kPriorityClassKind = "PriorityClass";
inline constexpr std::string_view kWorkloadPriorityClassKind = "WorkloadPriorityClass";
inline constexpr std::string_view kPriorityClassKinds[] = {kWorkloadPriorityClassKind,
                                                           kPriorityClassKind};

struct PriorityClassRef {
  std::string group;
  std::string kind;
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PriorityClassRef&, const PriorityClassRef&) = default;
};

struct PreemptionGate {
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PreemptionGate&, const PreemptionGate&) = default;
};

inline constexpr std::string_view kConstraintNever = "Never";
inline constexpr std::string_view kAdmissionConstraintValues[] = {kConstraintNever};

// Restrictions on the admission of a Workload. Absent: none.
struct AdmissionConstraints {
  std::optional<std::string> preemption;
  std::optional<std::string> borrowing;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionConstraints&, const AdmissionConstraints&) = default;
};

struct WorkloadSpec {
  std::vector<PodSet> pod_sets;
  std::optional<std::string> queue_name;
  std::optional<PriorityClassRef> priority_class_ref;
  std::optional<int32_t> priority;
  std::optional<bool> active;
  std::optional<int32_t> maximum_execution_time_seconds;
  std::vector<PreemptionGate> preemption_gates;
  std::optional<AdmissionConstraints> admission_constraints;
  std::string previous_priority_class_name;
  std::string previous_priority_class_source;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const WorkloadSpec&, const WorkloadSpec&) = default;
};

struct RequeueState {
  std::optional<int32_t> count;
  std::optional<base::Time> requeue_at;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const RequeueState&, const RequeueState&) = default;
};

struct ReclaimablePod {
  std::string name;
  int32_t count = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReclaimablePod&, const ReclaimablePod&) = default;
};

struct PodSetRequest {
  std::string name;
  base::FlatMap<quantity::Quantity> resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetRequest&, const PodSetRequest&) = default;
};

struct SchedulingStatsEviction {
  std::string reason;
  std::string underlying_cause;
  int32_t count = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const SchedulingStatsEviction&, const SchedulingStatsEviction&) = default;
};

struct SchedulingStats {
  std::vector<SchedulingStatsEviction> evictions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const SchedulingStats&, const SchedulingStats&) = default;
};

struct UnhealthyNode {
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const UnhealthyNode&, const UnhealthyNode&) = default;
};

inline constexpr std::string_view kGateClosed = "Closed";
inline constexpr std::string_view kGateOpen = "Open";
inline constexpr std::string_view kPreemptionGatePositions[] = {kGateClosed, kGateOpen};

struct PreemptionGateState {
  std::string name;
  std::string position;
  std::optional<base::Time> last_transition_time;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PreemptionGateState&, const PreemptionGateState&) = default;
};

struct WorkloadStatus {
  std::vector<Condition> conditions;
  std::optional<Admission> admission;
  std::optional<RequeueState> requeue_state;
  std::vector<ReclaimablePod> reclaimable_pods;
  std::vector<AdmissionCheckState> admission_checks;
  std::vector<PodSetRequest> resource_requests;
  std::optional<int32_t> accumulated_past_execution_time_seconds;
  std::optional<SchedulingStats> scheduling_stats;
  std::vector<std::string> nominated_cluster_names;
  std::optional<std::string> cluster_name;
  std::vector<UnhealthyNode> unhealthy_nodes;
  std::vector<PreemptionGateState> preemption_gates;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const WorkloadStatus&, const WorkloadStatus&) = default;
};

// The pods of a job that are admitted together, and the state of their admission.
struct Workload {
  ObjectMeta metadata;
  WorkloadSpec spec;
  WorkloadStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Workload&, const Workload&) = default;
};

// Whether the condition QuotaReserved is True.
bool HasQuotaReserved(const Workload& workload);

}  // namespace berth::api

// Compiled once, in workload.cc.
extern template class std::vector<berth::api::PodSetRequest>;
extern template class std::vector<berth::api::PreemptionGate>;
extern template class std::vector<berth::api::PreemptionGateState>;
extern template class std::vector<berth::api::ReclaimablePod>;
extern template class std::vector<berth::api::SchedulingStatsEviction>;
extern template class std::vector<berth::api::UnhealthyNode>;
