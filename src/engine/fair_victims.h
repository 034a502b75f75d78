#pragma once

// The search for victims with fair sharing: take from who has the largest share, as long as that
// makes shares fairer.

#include <span>
#include <vector>

#include "engine/fair_share.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

// Keeps its buffers between searches. Going down from the root, the child with the highest share is
// followed; a queue that it ends at offers its candidates in the order of victim_order.h. Which of
// them become victims:
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
  explicit FairVictimSearch(State& state) : state_(state) {}
  // As VictimSearch::Find.
  void Find(const Need& need, std::vector<Victim>& victims);

 private:
  // What one queue has to offer: the candidates in this list from its front on.
  struct Offer {
    std::span<const WorkloadId> list;  // empty, or a candidate is in front
    bool is_dropped = false;
  };
  struct Rejected {
    NodeId queue;
    uint32_t place = 0;  // among all that were rejected
    WorkloadId workload;
  };
  struct Shares {
    FairShare preemptor;
    FairShare target;
  };

  // False if there is nothing to offer.
  bool MakeOffers();
  bool OfferRejected();
  bool MakeOffer(NodeId queue, std::span<const WorkloadId> list);
  void ClearOffers();
  bool IsCandidate(WorkloadId id) const;
  // Up to the next candidate.
  void SkipOthers(Offer& offer) const;
  // The queue to take from next; none at the end.
  NodeId NextQueue();
  Offer& OfferOf(NodeId queue) { return offers_[queue.index()]; }
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
  std::vector<Offer> offers_;     // by NodeId
  std::vector<NodeId> offering_;  // those that have offers
  std::vector<NodeId> pruned_;
  std::vector<Victim> victims_;
};

}  // namespace berth::engine
