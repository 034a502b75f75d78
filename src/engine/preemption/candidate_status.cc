#include "engine/preemption/candidate_status.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/preemption/target_order.h"

namespace berth::engine {
namespace {

using quantity::Max;

// Determines the candidate status of a workload: the first condition of TargetSearch that fails.
class CandidateClassifier {
 public:
  CandidateClassifier(const State& state, const Need& need)
      : state_(state),
        need_(need),
        preemption_(state.queue(need.queue).spec.preemption),
        path_(PathOf(need.queue)) {}

  CandidateStatus StatusOf(WorkloadId id) const {
    const Workload& candidate = state_.workload(id);
    const bool is_own = candidate.cluster_queue == need_.queue;
    const PreemptionPolicy policy =
        is_own ? preemption_.within_cluster_queue : preemption_.reclaim_within_cohort;
    if (!UsesAny(state_, candidate, need_.columns)) return CandidateStatus::kOtherFlavor;
    if (policy == PreemptionPolicy::kNever) return CandidateStatus::kPolicyNever;
    if (!is_own) {
      const CandidateStatus reach = ReachOf(candidate.cluster_queue);
      if (reach != CandidateStatus::kCandidate) return reach;
    }
    if (!SatisfiesPolicy(policy, need_, candidate)) return WhyNot(policy, candidate);
    if (!is_own && !state_.options.fair_sharing && IsOnlyWithinNominal(candidate))
      return CandidateStatus::kOnlyWithinNominal;
    return CandidateStatus::kCandidate;
  }

 private:
  std::vector<NodeId> PathOf(NodeId queue) const {
    std::vector<NodeId> path;
    for (NodeId at = queue; !at.is_none(); at = state_.forest.node(at).parent) path.push_back(at);
    return path;
  }
  bool IsOnPath(NodeId node) const { return std::ranges::find(path_, node) != path_.end(); }

  // Whether quota can be reclaimed from another queue at all.
  CandidateStatus ReachOf(NodeId queue) const {
    const QuotaForest& forest = state_.forest;
    if (!state_.queue(queue).spec.is_active) return CandidateStatus::kQueueInactive;
    if (IsWithinQuota(forest, queue, need_.columns)) return CandidateStatus::kQueueWithinQuota;
    if (state_.options.fair_sharing) return CandidateStatus::kCandidate;
    for (NodeId at = forest.node(queue).parent; !IsOnPath(at); at = forest.node(at).parent) {
      if (IsWithinQuota(forest, at, need_.columns)) return CandidateStatus::kCohortWithinQuota;
    }
    return CandidateStatus::kCandidate;
  }

  CandidateStatus WhyNot(PreemptionPolicy policy, const Workload& candidate) const {
    const bool is_about_age = policy == PreemptionPolicy::kLowerOrNewerEqualPriority &&
                              candidate.priority == need_.priority;
    return is_about_age ? CandidateStatus::kNotNewer : CandidateStatus::kPriority;
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

std::vector<CandidateGroup> CandidateGroupsFor(const State& state, const Need& need,
                                               std::span<const PreemptionTarget> targets) {
  const CandidateClassifier classifier(state, need);
  std::map<std::pair<CandidateStatus, std::string>, CandidateGroup> groups;
  for (const NodeId queue : state.forest.TreeOf(need.queue).queues) {
    for (const WorkloadId id : state.queue(queue).reserved) {
      const bool is_target =
          std::ranges::find(targets, id, &PreemptionTarget::workload) != targets.end();
      const CandidateStatus status = is_target ? CandidateStatus::kTarget : classifier.StatusOf(id);
      CandidateGroup& group = groups[{status, state.forest.node(queue).name}];
      group.status = status;
      group.queue = queue;
      ++group.count;
      group.first.push_back(id);
    }
  }
  std::vector<CandidateGroup> result;
  const IsPreemptedBefore is_preempted_before(state, need.queue);
  for (auto& [key, group] : groups) {
    std::ranges::sort(group.first, is_preempted_before);
    if (group.first.size() > Explanation::kMostListed) group.first.resize(Explanation::kMostListed);
    result.push_back(std::move(group));
  }
  return result;
}

}  // namespace berth::engine
