#include "engine/preemption/candidates.h"

#include <algorithm>

#include "engine/preemption/target_order.h"

namespace berth::engine {

using quantity::Max;

bool NeedsAdvantage(const State& state, const Need& need) {
  if (state.queue(need.queue).spec.preemption.borrow_within_cohort) return false;
  return !std::ranges::all_of(need.columns, [&](ColumnIndex c) {
    const Cell& cell = state.forest.cell(need.queue, c);
    return cell.usage < cell.nominal;
  });
}

// --- Sources -------------------------------------------------------------------------------------

void Candidates::Collect(const Need& need) {
  need_ = need;
  for (std::vector<Source>& list : sources_) list.clear();
  if (preemption().within_cluster_queue != PreemptionPolicy::kNever)
    AddSource(need_.queue, kOwnList);
  CollectElsewhere();
  if (!state_.options.admission_fair_sharing) return;
  JoinSources(kHierarchicalList);
  JoinSources(kPriorityList);
}

// Climbs to the root. Once the request fits into the quota of a node on the path, the preemptor has
// a claim on the quota that others borrowed above that node.
void Candidates::CollectElsewhere() {
  const QuotaForest& forest = state_.forest;
  path_.clear();
  if (!forest.HasParent(need_.queue) ||
      preemption().reclaim_within_cohort == PreemptionPolicy::kNever)
    return;
  remaining_.assign(need_.requests.begin(), need_.requests.end());
  const auto fits_quota_of = [&](NodeId node) {
    bool fits = true;
    for (ColumnAmount& request : remaining_) {
      if (forest.IsBorrowingWith(node, request.column, request.amount)) fits = false;
      request.amount = Max(Amount(0), request.amount - forest.LocalAvailable(node, request.column));
    }
    return fits;
  };
  // In a full cohort most needs require an advantage, which saves the search below.
  const bool needs_advantage = NeedsAdvantage(state_, need_);
  bool has_advantage = fits_quota_of(need_.queue);
  NodeId below = NodeId::None();
  for (NodeId at = forest.node(need_.queue).parent; !at.is_none(); at = forest.node(at).parent) {
    path_.push_back(at);
    if (has_advantage || !needs_advantage)
      CollectBelow(at, below, has_advantage ? kHierarchicalList : kPriorityList);
    const bool fits_here = fits_quota_of(at);
    has_advantage = has_advantage || fits_here;
    below = at;
  }
}

void Candidates::CollectBelow(NodeId cohort, NodeId skip, List list) {
  const QuotaForest& forest = state_.forest;
  for (const NodeId child : forest.node(cohort).child_cohorts) {
    if (child != skip && !IsWithinQuota(forest, child, need_.columns))
      CollectBelow(child, skip, list);
  }
  for (const NodeId child : forest.node(cohort).child_queues) {
    if (child != need_.queue && state_.queue(child).spec.is_active &&
        !IsWithinQuota(forest, child, need_.columns))
      AddSource(child, list);
  }
}

void Candidates::AddSource(NodeId queue, List list) {
  const auto rest = FromFirst(InTargetOrder(state_, queue), list);
  if (!rest.empty()) sources_[list].push_back({rest, queue});
}

// With usage-based ordering, the target order depends on all candidates of the list.
void Candidates::JoinSources(List list) {
  std::vector<Source>& sources = sources_[list];
  if (sources.size() < 2) return;
  std::vector<WorkloadId>& joined = joined_[list];
  joined.clear();
  for (const Source& source : sources) {
    for (auto rest = source.rest; !rest.empty(); rest = FromFirst(rest.subspan(1), list))
      joined.push_back(rest.front());
  }
  SortInTargetOrder(state_, need_.queue, joined);
  sources.assign(1, {joined, NodeId::None()});
}

// --- Candidates ----------------------------------------------------------------------------------

PreemptionPolicy Candidates::PolicyOf(List list) const {
  return list == kOwnList ? preemption().within_cluster_queue : preemption().reclaim_within_cohort;
}

Claim Candidates::ClaimOn(const Workload& workload, List list) const {
  if (list == kOwnList) return Claim::kWithinQueue;
  if (list == kHierarchicalList) return Claim::kHierarchical;
  const Preemption& p = preemption();
  const bool is_above_threshold =
      !p.borrow_within_cohort || workload.priority >= need_.priority ||
      (p.max_priority_threshold && workload.priority > *p.max_priority_threshold);
  return is_above_threshold ? Claim::kOnlyWithoutBorrowing : Claim::kAlsoWhileBorrowing;
}

bool Candidates::IsCandidate(const Workload& workload, PreemptionPolicy policy) const {
  return !workload.reservation->is_out && SatisfiesPolicy(policy, need_, workload) &&
         UsesAny(state_, workload, need_.columns);
}

// Whether neither this nor any later workload of its queue has a low enough priority.
bool Candidates::IsPastCandidates(const Workload& workload, PreemptionPolicy policy) const {
  if (workload.reservation->is_evicted || state_.options.admission_fair_sharing) return false;
  if (policy == PreemptionPolicy::kAny) return false;
  return policy == PreemptionPolicy::kLowerPriority ? workload.priority >= need_.priority
                                                    : workload.priority > need_.priority;
}

std::span<const WorkloadId> Candidates::FromFirst(std::span<const WorkloadId> rest,
                                                  List list) const {
  const PreemptionPolicy policy = PolicyOf(list);
  for (; !rest.empty(); rest = rest.subspan(1)) {
    const Workload& workload = state_.workload(rest.front());
    if (IsCandidate(workload, policy)) return rest;
    if (IsPastCandidates(workload, policy)) return {};
  }
  return rest;
}

std::span<const WorkloadId> Candidates::FromFirstNow(std::span<const WorkloadId> rest,
                                                     List list) const {
  rest = FromFirst(rest, list);
  while (allow_borrowing_ && !rest.empty() &&
         ClaimOn(state_.workload(rest.front()), list) == Claim::kOnlyWithoutBorrowing)
    rest = FromFirst(rest.subspan(1), list);
  return rest;
}

// --- Iteration -----------------------------------------------------------------------------------

void Candidates::Rewind(bool allow_borrowing) {
  allow_borrowing_ = allow_borrowing;
  stage_ = 0;
  heap_.clear();
}

bool Candidates::IsPreemptedLater(const Source& a, const Source& b) const {
  return IsPreemptedBefore(state_, need_.queue)(b.rest.front(), a.rest.front());
}

// Fills the heap with the next non-empty stage. Workloads being evicted come first in each source.
bool Candidates::OpenStage() {
  const auto later = [&](const Source& a, const Source& b) { return IsPreemptedLater(a, b); };
  for (; heap_.empty() && stage_ < size_t{2} * kListCount; ++stage_) {
    const List list = static_cast<List>(stage_ % kListCount);
    const bool is_first_half = stage_ < kListCount;
    if (list == kPriorityList && allow_borrowing_ && !preemption().borrow_within_cohort) continue;
    for (const Source& source : sources_[list]) {
      const auto split = std::ranges::partition_point(
          source.rest, [&](WorkloadId id) { return state_.workload(id).reservation->is_evicted; });
      const auto rest = FromFirstNow(is_first_half ? std::span(source.rest.begin(), split)
                                                   : std::span(split, source.rest.end()),
                                     list);
      if (!rest.empty()) heap_.push_back({rest, source.queue});
    }
    std::ranges::make_heap(heap_, later);
  }
  return !heap_.empty();
}

bool Candidates::Next(Candidate& candidate) {
  const auto later = [&](const Source& a, const Source& b) { return IsPreemptedLater(a, b); };
  while (!heap_.empty() || OpenStage()) {
    const List list = static_cast<List>((stage_ - 1) % kListCount);
    std::ranges::pop_heap(heap_, later);
    Source& source = heap_.back();
    const WorkloadId id = source.rest.front();
    const Workload& workload = state_.workload(id);
    const bool is_valid = CanReclaimFrom(workload.cluster_queue);
    if (is_valid || source.queue.is_none()) {
      source.rest = FromFirstNow(source.rest.subspan(1), list);
    } else {
      source.rest = {};
    }
    if (source.rest.empty()) {
      heap_.pop_back();
    } else {
      std::ranges::push_heap(heap_, later);
    }
    if (!is_valid) continue;
    candidate = {id, ClaimOn(workload, list)};
    return true;
  }
  return false;
}

// Earlier preemption targets may have brought a queue, or a cohort above it, back within its quota:
// then no more can be reclaimed from it.
bool Candidates::CanReclaimFrom(NodeId queue) const {
  if (queue == need_.queue) return true;
  const QuotaForest& forest = state_.forest;
  for (NodeId at = queue; std::ranges::find(path_, at) == path_.end();
       at = forest.node(at).parent) {
    if (IsWithinQuota(forest, at, need_.columns)) return false;
  }
  return true;
}

}  // namespace berth::engine
