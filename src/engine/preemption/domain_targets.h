#pragma once

// Preemption targets of one domain (gate TASPreemptFewestInDomain).
//
// Kueue removes candidates in their order wherever they run, until the pods have a place: a
// workload that needs a whole rack may preempt pods of several racks. Here each domain of the
// requested level is tried on its own: candidates with pods in the domain are removed in the same
// order until quota fits and the domain takes all pods; then those that are not needed are put
// back. The domain wins with
//   1. the fewest targets, besides those that are being evicted already;
//   2. the lowest priorities, the highest one of each domain compared first;
//   3. the first path.
// A preferred request tries the requested level, then each wider one.
//
// Only for requests with one podset, or one group, to be placed, that require or prefer a level,
// without fair sharing. Otherwise, and if no domain makes room, targets are found as always.

#include <map>
#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"
#include "engine/preemption/targets.h"
#include "engine/state.h"
#include "engine/topology/placement_request.h"

namespace berth::engine {

PreemptionReason ReasonOf(Claim claim);

// Keeps its buffers between searches.
class DomainTargetSearch {
 public:
  DomainTargetSearch(State& state, Candidates& candidates)
      : state_(state), candidates_(candidates) {}

  // Precondition: the candidates were collected for the need. Returns false, and leaves the targets
  // alone, if no domain makes room. Leaves the state unchanged.
  // O(candidates + domains of the level + for each domain, its candidates).
  bool Find(const Need& need, bool allow_borrowing, std::vector<PreemptionTarget>& targets);

 private:
  // Targets of one domain, as they are compared.
  struct Choice {
    std::vector<PreemptionTarget> targets;
    size_t disturbed = 0;             // targets that are not being evicted already
    std::vector<int64_t> priorities;  // descending
  };

  void CollectByDomain(size_t level, bool allow_borrowing);
  std::vector<DomainIndex> DomainsWithHope();
  std::optional<Choice> Try(DomainIndex domain, bool allow_borrowing);
  bool MakeRoom(DomainIndex domain, bool allow_borrowing);
  void PutBackUnneeded(DomainIndex domain, bool allow_borrowing);
  bool HasRoom(DomainIndex domain, bool allow_borrowing);
  bool TakesAll(DomainIndex domain);
  Choice Describe() const;
  const TopologyForest& forest() const { return *state_.topologies->Find(request_->flavor); }

  State& state_;
  Candidates& candidates_;
  // Of the current search.
  Need need_;
  const PlacementRequest* request_ = nullptr;
  std::vector<Candidate> all_;                               // in order
  std::map<DomainIndex, std::vector<Candidate>> by_domain_;  // in order
  std::vector<PreemptionTarget> trial_;
};

}  // namespace berth::engine
