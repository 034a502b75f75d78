#include "engine/candidate_standing.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/victim_order.h"

namespace berth::engine {
namespace {

using quantity::Max;

// Finds why a workload is or is not a candidate: the conditions of VictimSearch one by one, the
// first that fails.
class Judge {
 public:
  Judge(const State& state, const Need& need)
      : state_(state),
        need_(need),
        preemption_(state.queue(need.queue).spec.preemption),
        path_(PathOf(need.queue)) {}

  CandidateStanding StandingOf(WorkloadId id) const {
    const Workload& candidate = state_.workload(id);
    const bool is_own = candidate.cluster_queue == need_.queue;
    const PreemptionPolicy policy =
        is_own ? preemption_.within_cluster_queue : preemption_.reclaim_within_cohort;
    if (!UsesAny(state_, candidate, need_.columns)) return CandidateStanding::kOtherFlavor;
    if (policy == PreemptionPolicy::kNever) return CandidateStanding::kPolicyNever;
    if (!is_own) {
      const CandidateStanding reach = ReachOf(candidate.cluster_queue);
      if (reach != CandidateStanding::kCandidate) return reach;
    }
    if (!SatisfiesPolicy(policy, need_, candidate)) return WhyNot(policy, candidate);
    if (!is_own && !state_.options.fair_sharing && IsOnlyWithinNominal(candidate))
      return CandidateStanding::kOnlyWithinNominal;
    return CandidateStanding::kCandidate;
  }

 private:
  std::vector<NodeId> PathOf(NodeId queue) const {
    std::vector<NodeId> path;
    for (NodeId at = queue; !at.is_none(); at = state_.forest.node(at).parent) path.push_back(at);
    return path;
  }
  bool IsOnPath(NodeId node) const { return std::ranges::find(path_, node) != path_.end(); }

  // Whether quota can be had back from another queue at all.
  CandidateStanding ReachOf(NodeId queue) const {
    const QuotaForest& forest = state_.forest;
    if (!state_.queue(queue).spec.is_active) return CandidateStanding::kQueueInactive;
    if (IsWithinQuota(forest, queue, need_.columns)) return CandidateStanding::kQueueWithinQuota;
    if (state_.options.fair_sharing) return CandidateStanding::kCandidate;
    for (NodeId at = forest.node(queue).parent; !IsOnPath(at); at = forest.node(at).parent) {
      if (IsWithinQuota(forest, at, need_.columns)) return CandidateStanding::kCohortWithinQuota;
    }
    return CandidateStanding::kCandidate;
  }

  CandidateStanding WhyNot(PreemptionPolicy policy, const Workload& candidate) const {
    const bool is_about_age = policy == PreemptionPolicy::kLowerOrNewerEqualPriority &&
                              candidate.priority == need_.priority;
    return is_about_age ? CandidateStanding::kNotNewer : CandidateStanding::kPriority;
  }

  bool IsOnlyWithinNominal(const Workload& candidate) const {
    const bool may_take_while_borrowing =
        preemption_.borrow_within_cohort && candidate.priority < need_.priority &&
        (!preemption_.max_priority_threshold ||
         candidate.priority <= *preemption_.max_priority_threshold);
    return !may_take_while_borrowing && !HasAdvantageOver(candidate.cluster_queue);
  }

  // Whether the request fits into the quota of a node below the common ancestor with the queue.
  bool HasAdvantageOver(NodeId queue) const {
    const std::vector<NodeId> other = PathOf(queue);
    std::vector<ColumnAmount> remaining(need_.requests.begin(), need_.requests.end());
    for (const NodeId at : path_) {
      if (std::ranges::find(other, at) != other.end()) return false;
      bool fits = true;
      for (ColumnAmount& request : remaining) {
        if (state_.forest.IsBorrowingWith(at, request.column, request.amount)) fits = false;
        request.amount =
            Max(Amount(0), request.amount - state_.forest.LocalAvailable(at, request.column));
      }
      if (fits) return true;
    }
    return false;
  }

  const State& state_;
  const Need& need_;
  const Preemption& preemption_;
  std::vector<NodeId> path_;  // from the queue to the root
};

}  // namespace

std::vector<CandidateGroup> StandingsFor(const State& state, const Need& need,
                                         std::span<const Victim> victims) {
  const Judge judge(state, need);
  std::map<std::pair<CandidateStanding, std::string>, CandidateGroup> groups;
  for (const NodeId queue : state.forest.TreeOf(need.queue).queues) {
    for (const WorkloadId id : state.queue(queue).reserved) {
      const bool is_victim = std::ranges::find(victims, id, &Victim::workload) != victims.end();
      const CandidateStanding standing =
          is_victim ? CandidateStanding::kVictim : judge.StandingOf(id);
      CandidateGroup& group = groups[{standing, state.forest.node(queue).name}];
      group.standing = standing;
      group.queue = queue;
      ++group.count;
      group.first.push_back(id);
    }
  }
  std::vector<CandidateGroup> result;
  const GivesWayBefore gives_way_before(state, need.queue);
  for (auto& [key, group] : groups) {
    std::ranges::sort(group.first, gives_way_before);
    if (group.first.size() > Explanation::kMostListed) group.first.resize(Explanation::kMostListed);
    result.push_back(std::move(group));
  }
  return result;
}

}  // namespace berth::engine
