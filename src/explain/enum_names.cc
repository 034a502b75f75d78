#include "explain/enum_names.h"

#include <cstddef>

namespace berth::explain {
namespace {

template <class Enum, size_t N>
std::string_view Pick(const std::string_view (&words)[N], Enum value) {
  return words[static_cast<size_t>(value)];
}

}  // namespace

std::string_view WordFor(Absence absence) {
  static constexpr std::string_view kWords[] = {"None",
                                                "Finished",
                                                "Deactivated",
                                                "AdmissionGated",
                                                "OnHold",
                                                "WaitingForReplacementPods",
                                                "NoQueueName",
                                                "LocalQueueNotFound",
                                                "LocalQueueStopped",
                                                "ClusterQueueNotFound"};
  return Pick(kWords, absence);
}

std::string_view WordFor(engine::FlavorMode mode) {
  static constexpr std::string_view kWords[] = {"NoFit", "NoCandidates", "Preempt", "Reclaim",
                                                "Fit"};
  return Pick(kWords, mode);
}

std::string_view WordFor(engine::Mismatch mismatch) {
  static constexpr std::string_view kWords[] = {"UntoleratedTaint", "NodeAffinity",
                                                "MalformedNodeAffinity", "NotAllowed", "Topology"};
  return Pick(kWords, mismatch);
}

std::string_view WordFor(engine::NextStep next) {
  static constexpr std::string_view kWords[] = {
      "TriesNext",  "TriesNextRatherThanPreempt", "TriesNextRatherThanBorrow",
      "GoodEnough", "MalformedNodeAffinity",      "Last"};
  return Pick(kWords, next);
}

std::string_view WordFor(engine::PreemptionAttempt attempt) {
  static constexpr std::string_view kWords[] = {"NotNeeded", "Pointless", "NotWhileBorrowing",
                                                "Forbidden", "Tried"};
  return Pick(kWords, attempt);
}

std::string_view WordFor(engine::CandidateStatus standing) {
  static constexpr std::string_view kWords[] = {"Victim",
                                                "Candidate",
                                                "OnlyWithinNominalQuota",
                                                "PolicyNever",
                                                "PriorityNotLower",
                                                "NotNewer",
                                                "OtherFlavor",
                                                "ClusterQueueWithinQuota",
                                                "CohortWithinQuota",
                                                "ClusterQueueInactive"};
  return Pick(kWords, standing);
}

std::string_view WordFor(engine::Turn turn) {
  static constexpr std::string_view kWords[] = {"Next", "AfterOthers", "TooLate", "Blocked",
                                                "Unknown"};
  return Pick(kWords, turn);
}

std::string_view WordFor(engine::Obstacle obstacle) {
  static constexpr std::string_view kWords[] = {"Replaced",       "ClusterQueueInactive",
                                                "CohortCycle",    "NamespaceMismatch",
                                                "ClaimMissing",   "Invalid",
                                                "Held",           "BackingOff",
                                                "PreemptionGated"};
  return Pick(kWords, obstacle);
}

std::string_view WordFor(engine::RemedyKind kind) {
  static constexpr std::string_view kWords[] = {"RaiseNominalQuota",  "RaiseBorrowingLimit",
                                                "RaiseLendingLimit",  "OneWorkloadFinishes",
                                                "WorkloadsFinish",    "FewerPods",
                                                "SuitFlavor",         "DropRequests",
                                                "DeclareRequests",    "ExcludeRequests",
                                                "WorkloadLeavesLine", "DropConstraints",
                                                "WiderLevel",         "PreferLevel",
                                                "WiderSliceLevel",    "SmallerSlices",
                                                "FreeRoom",           "AddNodes"};
  return Pick(kWords, kind);
}

std::string_view WordFor(engine::TopologyKind kind) {
  static constexpr std::string_view kWords[] = {"None", "Required", "Preferred", "Unconstrained"};
  return Pick(kWords, kind);
}

std::string_view WordFor(workload::NotCounted why) {
  static constexpr std::string_view kWords[] = {"ExcludedByConfiguration", "ExcludedByClusterQueue",
                                                "Replaced", "NotDeclared", "AdminAccess"};
  return Pick(kWords, why);
}

}  // namespace berth::explain
