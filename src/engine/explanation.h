#pragma once

// Why a workload waits, as data: what Engine::Explain answers. Text is made of it elsewhere.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/assignment.h"
#include "engine/engine.h"
#include "engine/forbidden_way.h"
#include "engine/ids.h"
#include "engine/spec.h"
#include "engine/victims.h"

namespace berth::engine {

// --- The search for flavors ---------------------------------------------------------------------

// One resource in one flavor that was tried.
struct ResourceFigures {
  ResourceId resource;
  FlavorMode mode = FlavorMode::kFit;
  WaitReason reason = WaitReason::kNone;
  int32_t borrowing_height = 0;  // 0: within the queue's own quota
  Amount requested;              // by the podsets of this search
  Amount assumed;                // by podsets before them, of the same flavor
  Amount nominal;                // of the queue
  Amount used;                   // by the queue
  Amount available;  // to the workload now, of the queue's own quota and its cohort; at least 0
  Amount
      borrowable;  // the part of it that is not the queue's own; if it cannot borrow, what would be
  Amount potential;  // available to the workload if nobody used anything
  Amount shortfall;  // requested and assumed, less available; at least 0
  // Constraints without which there would have been enough, or preemption would have been tried.
  AdmissionConstraints barred_by;
};

// What the search did after a flavor.
enum class NextStep : uint8_t {
  kGoesOn,              // it does not do, so the next one is tried
  kGoesOnToNotPreempt,  // it would do with preemption: whenCanPreempt says to try the next
  kGoesOnToNotBorrow,   // it would do with borrowing: whenCanBorrow says to try the next
  kStops,               // good enough: flavors behind it are not tried
  kStopsAtBadAffinity,  // the pods' node affinity cannot be understood
  kEnds,                // it was the last
};

struct FlavorStep {
  FlavorId flavor;
  bool is_tried = false;
  bool is_chosen = false;
  std::optional<Mismatch> mismatch;  // the flavor does not suit the pods; no figures then
  FlavorMode mode = FlavorMode::kNoFit;
  WaitReason reason = WaitReason::kNone;
  NextStep next = NextStep::kGoesOn;
  std::vector<ResourceFigures> resources;
};

// The flavors of one resource group of the queue, tried in order for podsets that share flavors.
struct FlavorSearch {
  std::vector<uint32_t> pod_sets;
  size_t group = 0;  // in the queue's spec
  std::vector<FlavorStep> flavors;
};

// A request that no resource group of the queue covers.
struct UndeclaredRequest {
  uint32_t pod_set = 0;
  ResourceId resource;
  int64_t amount = 0;
};

// --- Preemption ---------------------------------------------------------------------------------

enum class PreemptionAttempt : uint8_t {
  kNotNeeded,
  kPointless,          // nobody's quota would help: no flavor suits, or it exceeds all there is
  kNotWhileBorrowing,  // it needs more than the queue's own, and the queue may not preempt for that
  kForbidden,          // by its own constraint
  kTried,
};

// What a workload that holds quota is to the one that waits.
enum class CandidateStanding : uint8_t {
  kVictim,             // is to be preempted
  kCandidate,          // may be preempted, but that is not needed or not enough
  kOnlyWithinNominal,  // may be preempted only if the request stays within the queue's own quota
  kPolicyNever,        // the queue never preempts there
  kPriority,           // its priority is not low enough for the policy
  kNotNewer,           // equal priority, but it is not newer
  kOtherFlavor,        // uses nothing of what is short
  kQueueWithinQuota,   // its queue does not borrow what is short
  kCohortWithinQuota,  // a cohort above its queue does not borrow what is short
  kQueueInactive,
};

// Workloads of one queue that are the same to the one that waits.
struct CandidateGroup {
  CandidateStanding standing = CandidateStanding::kCandidate;
  NodeId queue;
  size_t count = 0;
  std::vector<WorkloadId> first;  // at most kMostListed, in the order in which they would give way
};

struct PreemptionReport {
  PreemptionAttempt attempt = PreemptionAttempt::kNotNeeded;
  std::vector<PairId> short_of;  // what quota is missing of
  std::vector<CandidateGroup> groups;
};

// --- The line -----------------------------------------------------------------------------------

// When its turn comes, and what is left then.
enum class Turn : uint8_t {
  kNext,         // it is the first of its queue
  kAfterOthers,  // others go first, and leave as much for it as there is now
  kTooLate,      // it would fit now, but those ahead of it take what it needs
  kBlocked,      // StrictFIFO: one ahead does not fit, and nothing behind that one is looked at
  kUnknown,      // too many are ahead to find out
};

struct Line {
  size_t ahead_count = 0;
  size_t length = 0;              // of all that wait in the ClusterQueue, itself included
  std::vector<WorkloadId> ahead;  // at most kMostListed, first in line first
  bool is_parked = false;         // not looked at before something changes in its tree
  Turn turn = Turn::kNext;
  WorkloadId blocked_by;
};

// What keeps it from being looked at, whatever quota there is.
enum class Obstacle : uint8_t {
  kReplaced,  // another slice of the same job took its place and its quota
  kQueueInactive,
  kCohortCycle,
  kNamespaceMismatch,
  kClaimMissing,
  kInvalid,
  kHeld,
  kBackingOff,
  kPreemptionGate,  // its victims are known, but it may not preempt yet
};

// --- Remedies -----------------------------------------------------------------------------------

enum class RemedyKind : uint8_t {
  kNominalQuota,     // of `node` raised
  kBorrowingLimit,   // of `node` raised
  kLendingLimit,     // of `node` raised
  kOneFinishes,      // any one of `workloads`
  kAllFinish,        // all `workloads`
  kFewerPods,        // `pod_set` with `pod_count` pods
  kSuitFlavor,       // pods that suit `flavor`
  kDropRequests,     // of `resources`; or a queue that covers them
  kLeavesLine,       // the one of `workloads` that blocks the line
  kDropConstraints,  // of its own `constraints`; it may have to preempt then
};

struct QuotaRaise {
  FlavorId flavor;
  ResourceId resource;
  Amount from;
  Amount to;
};

// One change after which the workload would be admitted, with all its pods (but for kFewerPods),
// when its turn comes (of kDropConstraints, once its victims are gone): found by trying it, and no
// smaller one of its kind would do.
struct Remedy {
  RemedyKind kind = RemedyKind::kNominalQuota;
  NodeId node;
  std::vector<QuotaRaise> raises;     // together
  std::vector<WorkloadId> workloads;  // of kOneFinishes at most kMostListed, smallest first
  size_t workload_count = 0;          // all that would do
  uint32_t pod_set = 0;
  int32_t pod_count = 0;
  FlavorId flavor;
  Mismatch mismatch = Mismatch::kUntoleratedTaint;
  std::vector<ResourceId> resources;
  AdmissionConstraints constraints = {};
};

// --- All of it ----------------------------------------------------------------------------------

struct Explanation {
  static constexpr size_t kMostListed = 10;

  WorkloadId workload;
  NodeId cluster_queue;
  bool is_reserved = false;

  // Of one that holds quota.
  bool is_evicted = false;
  std::vector<PodSetAssignment> held;

  // Of one that waits.
  std::vector<Obstacle> obstacles;
  Line line;
  std::vector<FlavorSearch> searches;
  std::vector<UndeclaredRequest> undeclared;
  PreemptionReport preemption;
  std::vector<Victim> victims;
  // What a cycle would decide if it were the only head, obstacles apart; and what it would get
  // then, where that is kAdmitted or kPreempting. It may be fewer pods.
  Outcome outcome = Outcome::kNoFit;
  std::vector<PodSetAssignment> offered;
  WaitReason reason = WaitReason::kNone;
  // How it could be admitted if it had not these constraints.
  AdmissionConstraints constraints;
  std::vector<ForbiddenWay> forbidden_ways;
  // What would admit it, obstacles apart. Where the search for them took too long, some may be
  // missing.
  std::vector<Remedy> remedies;
  bool are_remedies_complete = true;
};

}  // namespace berth::engine
