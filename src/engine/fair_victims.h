#pragma once

// The search for victims with fair sharing: take from who has the largest share, as long as that
// makes shares fairer.

#include <map>
#include <vector>

#include "engine/fair_share.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

// One search. Going down from the root, the child with the highest share is followed; a queue that
// it ends at offers its candidates in the order of GivesWayBefore. Which of them become victims:
//
//   own queue                       always
//   preemptor stays within nominal  always (gate FairSharingPreemptWithinNominal)
//   else                            what the first strategy lets pass; if it does not fit in the
//                                   end, those it rejected are gone through with the second,
//                                   at most one a queue
//
// Shares are compared just below the common ancestor of both queues.
class FairVictimSearch {
 public:
  FairVictimSearch(State& state, const Need& need);
  void Find(std::vector<Victim>& victims);

 private:
  // What one queue has to offer: the candidates from `next` on.
  struct Offer {
    std::vector<WorkloadId> candidates;
    size_t next = 0;
    bool is_dropped = false;

    bool is_empty() const { return next == candidates.size(); }
  };
  struct Shares {
    FairShare preemptor;
    FairShare target;
  };

  void CollectCandidates();
  void CollectFrom(NodeId queue, PreemptionPolicy policy);
  void MakeOffers(const std::vector<WorkloadId>& candidates);
  // The queue to take from next; none at the end.
  NodeId NextQueue();
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
  const Need& need_;
  std::vector<WorkloadId> candidates_, rejected_;
  std::map<NodeId, Offer> offers_;
  std::vector<NodeId> pruned_;
  std::vector<Victim> victims_;
};

}  // namespace berth::engine
