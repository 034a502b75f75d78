#include "engine/preemption/domain_targets.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "engine/topology/state_trial.h"

namespace berth::engine {

PreemptionReason ReasonOf(Claim claim) {
  constexpr PreemptionReason kReasons[] = {
      PreemptionReason::kInClusterQueue, PreemptionReason::kInCohortReclamation,
      PreemptionReason::kInCohortReclamation, PreemptionReason::kInCohortReclaimWhileBorrowing};
  return kReasons[static_cast<size_t>(claim)];
}

bool DomainTargetSearch::Find(const Need& need, bool allow_borrowing,
                              std::vector<PreemptionTarget>& targets) {
  request_ = need.placement == nullptr ? nullptr : need.placement->OnlyRequest();
  if (request_ == nullptr || request_->kind == TopologyKind::kUnconstrained) return false;
  need_ = need;
  const size_t widest = request_->kind == TopologyKind::kPreferred ? 0 : request_->level;
  for (size_t level = request_->level + 1; level-- > widest;) {
    CollectByDomain(level, allow_borrowing);
    std::optional<Choice> best;
    for (const DomainIndex domain : DomainsWithHope()) {
      std::optional<Choice> choice = Try(domain, allow_borrowing);
      const auto key = [](const Choice& c) { return std::tie(c.disturbed, c.priorities); };
      if (choice && (!best || key(*choice) < key(*best))) best = std::move(choice);
    }
    if (!best) continue;
    targets = std::move(best->targets);
    return true;
  }
  return false;
}

// --- Candidates ----------------------------------------------------------------------------------

// Nothing is removed meanwhile, so that a queue may have more candidates here than may be taken.
void DomainTargetSearch::CollectByDomain(size_t level, bool allow_borrowing) {
  all_.clear();
  by_domain_.clear();
  candidates_.Rewind(allow_borrowing);
  for (Candidate candidate; candidates_.Next(candidate);) {
    const ReservedTopology* placed =
        state_.workload(candidate.workload).reservation->topology.get();
    if (placed == nullptr) continue;
    all_.push_back(candidate);
    for (const PodSetPlacement& placement : placed->placements) {
      if (placement.flavor != request_->flavor) continue;
      for (const DomainPods& pods : placement.domains) {
        const DomainIndex leaf = forest().FindLeaf(pods.path);
        if (leaf == kNoDomain) continue;
        std::vector<Candidate>& here = by_domain_[forest().AncestorAt(leaf, level)];
        if (here.empty() || here.back().workload != candidate.workload) here.push_back(candidate);
      }
    }
  }
}

// Those that take all pods without any of their candidates, in the order of their paths.
std::vector<DomainIndex> DomainTargetSearch::DomainsWithHope() {
  StateTrial trial(state_);
  for (const Candidate& candidate : all_) state_.RemoveUsageOf(state_.workload(candidate.workload));
  std::vector<DomainIndex> domains;
  for (const auto& [domain, here] : by_domain_)
    if (TakesAll(domain)) domains.push_back(domain);
  std::ranges::sort(domains,
                    [&](DomainIndex a, DomainIndex b) { return forest().ComesBefore(a, b); });
  return domains;
}

// --- One domain ----------------------------------------------------------------------------------

std::optional<DomainTargetSearch::Choice> DomainTargetSearch::Try(DomainIndex domain,
                                                                  bool allow_borrowing) {
  StateTrial trial(state_);
  if (!MakeRoom(domain, allow_borrowing)) return std::nullopt;
  PutBackUnneeded(domain, allow_borrowing);
  if (!need_.placement->HasPlace()) return std::nullopt;
  return Describe();
}

bool DomainTargetSearch::MakeRoom(DomainIndex domain, bool allow_borrowing) {
  trial_.clear();
  for (const Candidate& candidate : by_domain_[domain]) {
    if (!candidates_.CanTakeNow(candidate)) continue;
    state_.RemoveUsageOf(state_.workload(candidate.workload));
    trial_.push_back({candidate.workload, ReasonOf(candidate.claim)});
    if (HasRoom(domain, allow_borrowing)) return true;
  }
  return false;
}

// Last to first, except the last one. The others keep their order.
void DomainTargetSearch::PutBackUnneeded(DomainIndex domain, bool allow_borrowing) {
  for (size_t i = trial_.size() - 1; i-- > 0;) {
    const Workload& candidate = state_.workload(trial_[i].workload);
    state_.AddUsageOf(candidate);
    if (HasRoom(domain, allow_borrowing))
      trial_.erase(trial_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      state_.RemoveUsageOf(candidate);
  }
}

bool DomainTargetSearch::HasRoom(DomainIndex domain, bool allow_borrowing) {
  return FitsQuota(state_.forest, need_, allow_borrowing) && TakesAll(domain);
}

bool DomainTargetSearch::TakesAll(DomainIndex domain) {
  const DomainFit& fit = state_.topologies->FitsOf(*request_)[domain];
  return fit.slices_with_leader >= request_->slice_count() &&
         (!request_->has_leader || fit.leaders > 0);
}

DomainTargetSearch::Choice DomainTargetSearch::Describe() const {
  Choice choice{.targets = trial_, .priorities = {}};
  for (const PreemptionTarget& target : trial_) {
    const Workload& workload = state_.workload(target.workload);
    if (workload.reservation->is_evicted) continue;
    ++choice.disturbed;
    choice.priorities.push_back(workload.priority);
  }
  std::ranges::sort(choice.priorities, std::greater<>());
  return choice;
}

}  // namespace berth::engine
