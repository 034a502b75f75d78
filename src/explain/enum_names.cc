#include "explain/enum_names.h"

#include <cstddef>

namespace berth::explain {
namespace {

template <class Enum, size_t N>
std::string_view Pick(const std::string_view (&names)[N], Enum value) {
  return names[static_cast<size_t>(value)];
}

}  // namespace

std::string_view EnumName(Absence absence) {
  static constexpr std::string_view kNames[] = {"None",
                                                "Finished",
                                                "Deactivated",
                                                "AdmissionGated",
                                                "OnHold",
                                                "WaitingForReplacementPods",
                                                "NoQueueName",
                                                "LocalQueueNotFound",
                                                "LocalQueueStopped",
                                                "ClusterQueueNotFound"};
  return Pick(kNames, absence);
}

std::string_view EnumName(engine::FlavorMode mode) {
  static constexpr std::string_view kNames[] = {"NoFit", "NoCandidates", "Preempt", "Reclaim",
                                                "Fit"};
  return Pick(kNames, mode);
}

std::string_view EnumName(engine::Mismatch mismatch) {
  static constexpr std::string_view kNames[] = {"UntoleratedTaint", "NodeAffinity",
                                                "MalformedNodeAffinity", "NotAllowed", "Topology"};
  return Pick(kNames, mismatch);
}

std::string_view EnumName(engine::NextStep next) {
  static constexpr std::string_view kNames[] = {
      "TriesNext",  "TriesNextRatherThanPreempt", "TriesNextRatherThanBorrow",
      "GoodEnough", "MalformedNodeAffinity",      "Last"};
  return Pick(kNames, next);
}

std::string_view EnumName(engine::PreemptionAttempt attempt) {
  static constexpr std::string_view kNames[] = {"NotNeeded", "CannotHelp", "NotWhileBorrowing",
                                                "Blocked", "Tried"};
  return Pick(kNames, attempt);
}

std::string_view EnumName(engine::CandidateStatus status) {
  static constexpr std::string_view kNames[] = {"Target",
                                                "Candidate",
                                                "OnlyWithinNominalQuota",
                                                "PolicyNever",
                                                "PriorityNotLower",
                                                "NotNewer",
                                                "OtherFlavor",
                                                "ClusterQueueWithinQuota",
                                                "CohortWithinQuota",
                                                "ClusterQueueInactive"};
  return Pick(kNames, status);
}

std::string_view EnumName(engine::PositionStatus status) {
  static constexpr std::string_view kNames[] = {"Head", "BehindOthers", "QuotaTaken", "Blocked",
                                                "Unknown"};
  return Pick(kNames, status);
}

std::string_view EnumName(engine::Obstacle obstacle) {
  static constexpr std::string_view kNames[] = {
      "Replaced", "ClusterQueueInactive", "CohortCycle", "NamespaceMismatch", "ClaimMissing",
      "Invalid",  "NotRequeued",          "BackingOff",  "PreemptionGated"};
  return Pick(kNames, obstacle);
}

std::string_view EnumName(engine::RemedyKind kind) {
  static constexpr std::string_view kNames[] = {"RaiseNominalQuota", "RaiseBorrowingLimit",
                                                "RaiseLendingLimit", "OneWorkloadFinishes",
                                                "WorkloadsFinish",   "FewerPods",
                                                "MatchFlavor",       "DropRequests",
                                                "DeclareRequests",   "ExcludeRequests",
                                                "RemoveBlocker",     "DropConstraints",
                                                "WiderLevel",        "PreferLevel",
                                                "WiderSliceLevel",   "SmallerSlices",
                                                "FreeRoom",          "AddNodes"};
  return Pick(kNames, kind);
}

std::string_view EnumName(engine::TopologyKind kind) {
  static constexpr std::string_view kNames[] = {"None", "Required", "Preferred", "Unconstrained"};
  return Pick(kNames, kind);
}

std::string_view EnumName(workload::NotCounted why) {
  static constexpr std::string_view kNames[] = {"ExcludedByConfiguration", "ExcludedByClusterQueue",
                                                "Replaced", "NotDeclared", "AdminAccess"};
  return Pick(kNames, why);
}

}  // namespace berth::explain
