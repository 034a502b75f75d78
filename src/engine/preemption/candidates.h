#pragma once

// The reserved workloads that may be preempted for a need without fair sharing, in target order.
// They are found lazily, since a search needs few of many.
//
//   workloads already being evicted, then the others; of each
//     those that the preemptor's queue has a hierarchical claim on,
//     others in other queues,
//     those of its own queue;
//   each in the order of target_order.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/preemption/targets.h"
#include "engine/state.h"

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

  // Finds the sources of candidates. The need's spans must outlive the iteration.
  void Collect(const Need& need);
  bool has_hierarchical() const { return !sources_[kHierarchicalList].empty(); }
  bool has_any_elsewhere() const { return has_hierarchical() || !sources_[kPriorityList].empty(); }

  // Restarts the iteration.
  void Rewind(bool allow_borrowing);
  // Returns false at the end. Usage may only decrease between two calls: a queue that is within its
  // quota, or below a cohort that is, has no more candidates.
  bool Next(Candidate& candidate);
  // Whether an earlier result of Next may still be taken, now that others have been.
  bool CanTakeNow(const Candidate& candidate) const {
    return CanReclaimFrom(state_.workload(candidate.workload).cluster_queue);
  }

 private:
  enum List : uint8_t { kHierarchicalList, kPriorityList, kOwnList, kListCount };
  // Workloads in target order.
  struct Source {
    std::span<const WorkloadId> rest;  // starts with a candidate
    NodeId queue;                      // none: several queues
  };

  void CollectElsewhere();
  void CollectBelow(NodeId cohort, NodeId skip, List list);
  void AddSource(NodeId queue, List list);
  void JoinSources(List list);
  bool OpenStage();
  bool IsPreemptedLater(const Source& a, const Source& b) const;
  // Drops leading workloads that are not candidates; empty if there is none.
  std::span<const WorkloadId> FromFirst(std::span<const WorkloadId> rest, List list) const;
  std::span<const WorkloadId> FromFirstNow(std::span<const WorkloadId> rest, List list) const;
  bool IsCandidate(const Workload& workload, PreemptionPolicy policy) const;
  bool IsPastCandidates(const Workload& workload, PreemptionPolicy policy) const;
  PreemptionPolicy PolicyOf(List list) const;
  Claim ClaimOn(const Workload& workload, List list) const;
  bool CanReclaimFrom(NodeId queue) const;
  const Preemption& preemption() const { return state_.queue(need_.queue).spec.preemption; }

  State& state_;
  Need need_;
  std::array<std::vector<Source>, kListCount> sources_;
  std::array<std::vector<WorkloadId>, kListCount> joined_;
  std::vector<NodeId> path_;  // from the preemptor's queue to its root
  std::vector<ColumnAmount> remaining_;
  // Position of Next: the stage, and a heap of its remaining sources, with the next one first.
  bool allow_borrowing_ = false;
  size_t stage_ = 0;
  std::vector<Source> heap_;
};

// Whether the preemptor's queue may take only quota that it has an advantage for: it would borrow
// and may not preempt while borrowing.
bool NeedsAdvantage(const State& state, const Need& need);

}  // namespace berth::engine
