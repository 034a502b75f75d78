#pragma once

// The result of Engine::Explain as data: why a workload is pending. Text is generated elsewhere.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/explain/blocked_option.h"
#include "engine/explain/topology_room.h"
#include "engine/flavor/assignment.h"
#include "engine/flavor/undeclared_request.h"
#include "engine/ids.h"
#include "engine/preemption/targets.h"
#include "engine/spec.h"

namespace berth::engine {

// --- Flavor search -------------------------------------------------------------------------------

// One resource in one flavor that was tried.
struct ResourceFigures {
  ResourceId resource;
  FlavorMode mode = FlavorMode::kFit;
  WaitReason reason = WaitReason::kNone;
  int32_t borrowing_height = 0;  // 0: within the queue's nominal quota
  Amount requested;              // by the podsets of this search
  Amount assumed;                // by earlier podsets in the same flavor
  Amount nominal;                // of the queue
  Amount used;                   // by the queue
  Amount available;              // to the workload now, including its cohort; at least 0
  Amount borrowable;             // the part from the cohort; if it cannot borrow, as if it could
  Amount potential;              // available to the workload with no usage anywhere
  Amount shortfall;              // requested + assumed - available; at least 0
  // Constraints that prevented a fit or a preemption attempt.
  AdmissionConstraints blocked_by;
};

// The search's next step after a flavor.
enum class NextStep : uint8_t {
  kTryNext,                   // does not fit: try the next one
  kTryNextToAvoidPreemption,  // fits with preemption: whenCanPreempt says to try the next one
  kTryNextToAvoidBorrowing,   // fits with borrowing: whenCanBorrow says to try the next one
  kStop,                      // good enough: later flavors are not tried
  kStopAtInvalidAffinity,     // the pods' node affinity is invalid
  kLast,                      // it was the last one
};

struct FlavorStep {
  FlavorId flavor;
  bool is_tried = false;
  bool is_chosen = false;
  std::optional<Mismatch> mismatch;  // the flavor does not match the pods; no figures then
  FlavorMode mode = FlavorMode::kNoFit;
  WaitReason reason = WaitReason::kNone;
  NextStep next = NextStep::kTryNext;
  std::vector<ResourceFigures> resources;
};

// The flavors of one resource group, tried in order for podsets that share flavors.
struct FlavorSearch {
  std::vector<uint32_t> pod_sets;
  size_t group = 0;  // index in the queue's spec
  std::vector<FlavorStep> flavors;
};

// A podset, or a leader and its workers, in the topology of one flavor that matches them.
struct TopologySearch {
  std::vector<uint32_t> pod_sets;  // the workers first
  FlavorId flavor;
  bool is_chosen = false;   // by quota
  bool is_delayed = false;  // placed after its admission checks are ready; there is no room then
  TopologyRoom room;        // beside the earlier podsets of the workload
};

// --- Preemption ----------------------------------------------------------------------------------

enum class PreemptionAttempt : uint8_t {
  kNotNeeded,
  kCannotHelp,  // preemption cannot help: no flavor matches, or the request exceeds all quota
  kNotWhileBorrowing,  // needs to borrow, and the queue may not preempt while borrowing
  kBlocked,            // by its own constraint
  kTried,
};

// The status of a reserved workload as a candidate for the pending one.
enum class CandidateStatus : uint8_t {
  kTarget,             // to be preempted
  kCandidate,          // may be preempted, but that is not needed or not enough
  kOnlyWithinNominal,  // may be preempted only if the request stays within the queue's nominal
                       // quota
  kPolicyNever,        // the policy is Never
  kPriority,           // its priority is not low enough for the policy
  kNotNewer,           // equal priority, but not newer
  kOtherFlavor,        // uses none of the missing resources
  kQueueWithinQuota,   // its queue does not borrow the missing resources
  kCohortWithinQuota,  // a cohort above its queue does not borrow the missing resources
  kQueueInactive,
};

// Workloads of one queue with the same status.
struct CandidateGroup {
  CandidateStatus status = CandidateStatus::kCandidate;
  NodeId queue;
  size_t count = 0;
  std::vector<WorkloadId> first;  // at most kMostListed, in target order
};

struct PreemptionReport {
  PreemptionAttempt attempt = PreemptionAttempt::kNotNeeded;
  std::vector<FlavorResourceId> short_of;  // resources with missing quota
  std::vector<CandidateGroup> groups;
};

// --- Queue position ------------------------------------------------------------------------------

// The workload's position in its queue and the quota left when it is considered.
enum class PositionStatus : uint8_t {
  kHead,          // of its queue
  kBehindOthers,  // others are first and leave as much quota as there is now
  kQuotaTaken,    // would fit now, but the workloads ahead take the quota it needs
  kBlocked,       // StrictFIFO: a workload ahead does not fit and blocks all behind it
  kUnknown,       // too many are ahead to simulate
};

struct QueuePosition {
  size_t ahead_count = 0;
  size_t length = 0;              // all pending in the ClusterQueue, itself included
  std::vector<WorkloadId> ahead;  // at most kMostListed, in order
  bool is_inadmissible = false;   // not considered before its tree changes
  PositionStatus status = PositionStatus::kHead;
  WorkloadId blocked_by;
};

// Reasons not to consider the workload, regardless of quota.
enum class Obstacle : uint8_t {
  kReplaced,  // another slice of the same job took its place and its quota
  kQueueInactive,
  kCohortCycle,
  kNamespaceMismatch,
  kClaimMissing,
  kInvalid,
  kNotRequeued,  // condition Requeued is False
  kBackingOff,
  kPreemptionGate,  // its preemption targets are known, but it may not preempt yet
};

// --- Remedies ------------------------------------------------------------------------------------

enum class RemedyKind : uint8_t {
  kNominalQuota,     // of `node` raised
  kBorrowingLimit,   // of `node` raised
  kLendingLimit,     // of `node` raised
  kOneFinishes,      // any one of `workloads`
  kAllFinish,        // all `workloads`
  kFewerPods,        // `pod_set` with `pod_count` pods
  kMatchFlavor,      // pods that match `flavor`
  kDropRequests,     // of `resources`
  kDeclareRequests,  // `resources` with quota in the queue
  kExcludeRequests,  // of `resources` from quota
  kRemoveBlocker,    // the blocking one of `workloads` is removed
  kDropConstraints,  // of its own `constraints`; may require preemption
  // Of the topology; `topology` has the details.
  kWiderLevel,       // `pod_set` requires `level`
  kPreferLevel,      // `pod_set` prefers its level, and does not require it
  kWiderSliceLevel,  // each slice of `pod_set` is in one domain of `level`
  kSmallerSlices,    // `pod_set` has slices of `slice_size`
  kFreeRoom,         // `room` is freed in `flavor`
  kAddNodes,         // `node_count` nodes in `flavor`
};

// Room to be freed on one node, or in one domain of the lowest level.
struct FreedRoom {
  std::vector<std::string> path;
  int32_t pods = 0;              // of `pod_set`, beyond those that fit now
  std::vector<Request> amounts;  // beyond what is free now
};

struct TopologyChange {
  std::string level;
  int32_t slice_size = 0;
  std::vector<FreedRoom> room;  // all required, in the order of paths
  int32_t node_count = 0;
  std::string node_like;            // with the labels and capacity of this node
  std::vector<std::string> beside;  // the domain above that node; empty if it is at the top
};

struct QuotaRaise {
  FlavorId flavor;
  ResourceId resource;
  Amount from;
  Amount to;
};

// One change that would admit the workload with all its pods (except kFewerPods) when it is
// considered (for kDropConstraints, once its preemption targets are gone). Verified by a trial; no
// smaller change of its kind is enough.
struct Remedy {
  RemedyKind kind = RemedyKind::kNominalQuota;
  NodeId node;
  std::vector<QuotaRaise> raises;     // all required
  std::vector<WorkloadId> workloads;  // at most kMostListed for kOneFinishes, smallest first
  size_t workload_count = 0;          // number of workloads that are enough
  uint32_t pod_set = 0;
  int32_t pod_count = 0;
  FlavorId flavor;
  Mismatch mismatch = Mismatch::kUntoleratedTaint;
  std::vector<ResourceId> resources;
  AdmissionConstraints constraints = {};
  TopologyChange topology = {};
};

// --- The explanation -----------------------------------------------------------------------------

struct Explanation {
  static constexpr size_t kMostListed = 10;

  WorkloadId workload;
  NodeId cluster_queue;
  bool is_reserved = false;

  // For a reserved workload.
  bool is_evicted = false;
  std::vector<PodSetAssignment> held;

  // For a pending workload.
  std::vector<Obstacle> obstacles;
  QueuePosition position;
  std::vector<FlavorSearch> searches;
  std::vector<TopologySearch> topologies;
  bool is_placement_too_large = false;  // to be written, see placement_size.h
  std::vector<UndeclaredRequest> undeclared;
  PreemptionReport preemption;
  std::vector<PreemptionTarget> targets;
  // The decision of a cycle with this as the only head, obstacles aside, and the assignment if it
  // is kAdmitted or kPreempting, possibly with fewer pods.
  Outcome outcome = Outcome::kNoFit;
  std::vector<PodSetAssignment> offered;
  WaitReason reason = WaitReason::kNone;
  // Options that would admit it without its constraints.
  AdmissionConstraints constraints;
  std::vector<BlockedOption> blocked_options;
  // Changes that would admit it, obstacles aside. Some may be missing if the search hit its work
  // limit.
  std::vector<Remedy> remedies;
  bool are_remedies_complete = true;

  // Whether quota or preemption targets suffice, obstacles and workloads ahead aside.
  bool is_admissible() const {
    return outcome == Outcome::kAdmitted || outcome == Outcome::kPreempting;
  }
};

}  // namespace berth::engine
