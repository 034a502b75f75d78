#pragma once

// Which reserved workloads may be preempted for a need when there is no fair sharing, in the order
// in which they are tried. They are found one by one, as they are asked for: a search needs few of
// many.
//
//   those being evicted already, then the others; of each
//     those that the preemptor's queue has a claim on by its place in the hierarchy,
//     others elsewhere,
//     those of its own queue;
//   and of each of these the order of victim_order.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

enum class Claim : uint8_t {
  kWithinQueue,
  kHierarchical,
  kOnlyWithoutBorrowing,
  kAlsoWhileBorrowing,
};

struct Candidate {
  WorkloadId workload;
  Claim claim = Claim::kWithinQueue;
};

// Keeps its buffers between searches.
class Candidates {
 public:
  explicit Candidates(State& state) : state_(state) {}

  // Looks where there are candidates. The need's spans must live as long as candidates are asked
  // for.
  void Collect(const Need& need);
  bool has_hierarchical() const { return !sources_[kHierarchicalList].empty(); }
  bool has_any_elsewhere() const { return has_hierarchical() || !sources_[kPriorityList].empty(); }

  // From the first on.
  void Rewind(bool allow_borrowing);
  // False at the end. Between two calls usage may only become less: a queue that is within its
  // quota now, or below a cohort that is, has nothing more to give.
  bool Next(Candidate& candidate);

 private:
  enum List : uint8_t { kHierarchicalList, kPriorityList, kOwnList, kListCount };
  // Workloads in the order in which they give way.
  struct Source {
    std::span<const WorkloadId> rest;  // a candidate is in front
    NodeId queue;                      // none: of several
  };

  void CollectElsewhere();
  void CollectBelow(NodeId cohort, NodeId skip, List list);
  void AddSource(NodeId queue, List list);
  void JoinSources(List list);
  bool OpenStage();
  bool GivesWayLater(const Source& a, const Source& b) const;
  // Up to the first candidate; empty if there is none.
  std::span<const WorkloadId> FromFirst(std::span<const WorkloadId> rest, List list) const;
  std::span<const WorkloadId> FromFirstNow(std::span<const WorkloadId> rest, List list) const;
  bool IsCandidate(const Workload& workload, PreemptionPolicy policy) const;
  bool IsLastOfItsKind(const Workload& workload, PreemptionPolicy policy) const;
  PreemptionPolicy PolicyOf(List list) const;
  Claim ClaimOn(const Workload& workload, List list) const;
  bool HasSomethingToGive(NodeId queue) const;
  const Preemption& preemption() const { return state_.queue(need_.queue).spec.preemption; }

  State& state_;
  Need need_;
  std::array<std::vector<Source>, kListCount> sources_;
  std::array<std::vector<WorkloadId>, kListCount> joined_;
  std::vector<NodeId> path_;  // from the preemptor's queue to its root
  std::vector<ColumnAmount> remaining_;
  // Where Next is: in which stage, and a heap of what is left in it, with the next in front.
  bool allow_borrowing_ = false;
  size_t stage_ = 0;
  std::vector<Source> heap_;
};

// Whether the preemptor's queue gets nothing from others but what it has an advantage for: it would
// borrow, and may not preempt for that.
bool NeedsAdvantage(const State& state, const Need& need);

}  // namespace berth::engine
