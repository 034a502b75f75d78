#pragma once

// Target search with fair sharing: preempts from the queue with the largest share as long as that
// makes shares fairer.

#include <span>
#include <vector>

#include "engine/preemption/targets.h"
#include "engine/quota/fair_share.h"
#include "engine/state.h"

namespace berth::engine {

// Keeps its buffers between searches. Descends from the root to the child with the highest share;
// the queue at the end offers its candidates in the order of target_order.h. They become targets:
//
//   own queue                       always
//   preemptor stays within nominal  always (gate FairSharingPreemptWithinNominal)
//   otherwise                       if the first strategy accepts them; if the preemptor still does
//                                   not fit, the rejected ones are tried with the second strategy,
//                                   at most one per queue
//
// Shares are compared just below the common ancestor of both queues.
class FairTargetSearch {
 public:
  explicit FairTargetSearch(State& state) : state_(state) {}
  // See TargetSearch::Find.
  void Find(const Need& need, std::vector<PreemptionTarget>& targets);

 private:
  // The remaining candidates of one queue.
  struct QueueCandidates {
    std::span<const WorkloadId> list;  // empty, or starts with a candidate
    bool is_dropped = false;
  };
  struct Rejected {
    NodeId queue;
    uint32_t place = 0;  // among all rejected
    WorkloadId workload;
  };
  struct Shares {
    FairShare preemptor;
    FairShare target;
  };

  // Returns false if there are no candidates.
  bool CollectCandidates();
  bool CollectRejected();
  bool AddCandidates(NodeId queue, std::span<const WorkloadId> list);
  void ClearCandidates();
  bool IsCandidate(WorkloadId id) const;
  // Advances to the next candidate.
  void SkipToCandidate(QueueCandidates& candidates) const;
  // The queue to take from next; none at the end.
  NodeId NextQueue();
  QueueCandidates& CandidatesOf(NodeId queue) { return candidates_of_[queue.index()]; }
  NodeId NextBelow(NodeId cohort);
  NodeId HighestQueue(NodeId cohort, FairShare& share);
  NodeId HighestCohort(NodeId cohort, FairShare& share);

  bool RunFirstStrategy();
  bool RunSecondStrategy();
  bool TakeByStrategy(NodeId queue, FairStrategy strategy);
  bool Take(NodeId queue, PreemptionReason reason);
  void Remove(WorkloadId workload, PreemptionReason reason);
  WorkloadId Pop(NodeId queue);

  Shares SharesWith(NodeId queue) const;
  FairShare TargetShareWithout(NodeId queue, WorkloadId candidate);
  bool Passes(FairStrategy strategy, const FairShare& preemptor, const FairShare& before,
              const FairShare& after) const;
  bool FitsWithoutOwnUsage();
  bool IsOnPreemptorPath(NodeId cohort) const;
  NodeId BelowCommonAncestor(NodeId from, NodeId other) const;

  State& state_;
  Need need_;
  std::vector<Rejected> rejected_;
  std::vector<WorkloadId> rejected_by_queue_;
  std::vector<QueueCandidates> candidates_of_;  // by NodeId
  std::vector<NodeId> queues_with_candidates_;
  std::vector<NodeId> pruned_;
  std::vector<PreemptionTarget> targets_;
};

}  // namespace berth::engine
