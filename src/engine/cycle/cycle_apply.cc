// Applies the results of a cycle to the state.

#include <algorithm>

#include "base/prefetch.h"
#include "engine/cycle/cycle.h"

namespace berth::engine {
namespace {

bool IsRefused(const Entry& entry) {
  return entry.outcome == Outcome::kInvalid || entry.outcome == Outcome::kNamespaceMismatch ||
         entry.outcome == Outcome::kClaimMissing;
}

}  // namespace

// A workload slice that another one replaces needs no place any more.
void Cycle::DropReplacedSecondPasses() {
  if (replaced_.empty()) return;
  std::erase_if(order_, [&](uint32_t index) {
    const Entry& entry = entries_[index];
    return entry.is_second_pass && std::ranges::find(replaced_, entry.workload) != replaced_.end();
  });
}

void Cycle::Apply(base::Time now) {
  DropReplacedSecondPasses();
  for (size_t i = 0; i < entry_count_; ++i) {
    if (IsRefused(entries_[i])) order_.push_back(static_cast<uint32_t>(i));
  }
  size_t target_count = 0;
  for (const uint32_t index : order_) target_count += entries_[index].targets.size();
  new_targets_.reserve(target_count);  // decisions hold spans into it
  for (size_t i = 0; i < order_.size(); ++i) {
    PrefetchForApply(i);
    decisions_.push_back(ApplyEntry(entries_[order_[i]], now));
  }
  for (const Decision& decision : decisions_)
    if (decision.outcome == Outcome::kEvicted) state_.MarkEvicted(decision.workload);
}

void Cycle::PrefetchForApply(size_t place) const {
  constexpr int kSteps = PendingQueues::kPrefetchSteps;
  if (place + kSteps + 2 < order_.size()) base::Prefetch(entries_[order_[place + kSteps + 2]]);
  for (int step = 0; step < kSteps; ++step) {
    const size_t near = place + static_cast<size_t>(kSteps - step);
    if (near >= order_.size() || entries_[order_[near]].is_second_pass) continue;
    pending_.PrefetchRemoval(entries_[order_[near]].workload, step);
  }
  if (place + 2 < order_.size()) {
    const Entry& near = entries_[order_[place + 2]];
    base::Prefetch(state_.workload(near.workload), 1);
    base::Prefetch(state_.queue(near.queue), 2);
    base::PrefetchLine(near.assignment.pod_sets.data());
  }
}

Decision Cycle::ApplyEntry(Entry& entry, base::Time now) {
  const bool was_assigned = !IsRefused(entry);
  Decision decision{.workload = entry.workload,
                    .cluster_queue = entry.queue,
                    .outcome = entry.outcome,
                    .reason = entry.reason,
                    .assignment = was_assigned ? &entry.assignment : nullptr,
                    .blocked_options = entry.blocked_options,
                    .was_recomputed = entry.was_recomputed,
                    .is_second_pass = entry.is_second_pass};
  const size_t first_target = new_targets_.size();
  if (entry.is_second_pass) {
    ApplySecondPass(entry, now);
  } else if (entry.outcome == Outcome::kAdmitted) {
    decision.replaced = entry.replaced;
    Admit(entry, now);
  } else {
    if (entry.outcome == Outcome::kPreempting) MarkTargets(entry);
    if (was_assigned) SaveProgress(entry);
    decision.is_inadmissible = Requeue(entry);
  }
  decision.targets = {new_targets_.data() + first_target, new_targets_.size() - first_target};
  return decision;
}

void Cycle::Admit(Entry& entry, base::Time now) {
  Workload& workload = state_.workload(entry.workload);
  const QuotaForest::Tree& tree = state_.forest.TreeOf(entry.queue);
  std::unique_ptr<Reservation> reservation = state_.NewReservation();
  reservation->reserved_at = now;
  for (const AssignedPodSet& assigned : entry.assignment.pod_sets) {
    reservation->AddPodSet(assigned.count);
    for (const AssignedResource& r : assigned.resources)
      reservation->AddResource({r.resource, r.flavor, r.amount}, tree.flavor_resources[r.column]);
  }
  if (!entry.assignment.placements.empty()) {
    reservation->topology = std::make_unique<ReservedTopology>();
    reservation->topology->placements = std::move(entry.assignment.placements);
  }
  pending_.Remove(entry.workload);
  progress_pool_.Drop(workload);
  Queue& queue = state_.queue(entry.queue);
  if (queue.preemptor == entry.workload) queue.preemptor = WorkloadId::None();
  if (!entry.replaced.is_none()) state_.Unreserve(entry.replaced);
  const bool is_counted = !has_provisional_usage_;
  state_.Reserve(entry.workload, std::move(reservation), is_counted);
}

// A workload that holds quota is not pending: it is tried again after a back-off.
void Cycle::ApplySecondPass(Entry& entry, base::Time now) {
  if (entry.outcome == Outcome::kPlaced) return KeepPlacements(entry);
  ReservedTopology& held = *state_.workload(entry.workload).reservation->topology;
  if (entry.outcome == Outcome::kEvicted) {
    held.second_pass = SecondPass::kNone;
    held.failed_nodes.clear();
    std::erase(state_.second_pass, entry.workload);
    return;  // marked after all heads, so that others can still preempt it
  }
  if (entry.outcome == Outcome::kPreempting) MarkTargets(entry);
  constexpr int64_t kFirstSeconds = 2, kMostSeconds = 30;
  const int32_t doublings = std::min(held.failed_attempts++, 5);
  held.not_before =
      now + base::Duration::Seconds(std::min(kMostSeconds, kFirstSeconds << doublings));
}

void Cycle::KeepPlacements(Entry& entry) {
  Workload& workload = state_.workload(entry.workload);
  ReservedTopology& held = *workload.reservation->topology;
  state_.AddTopologyUsage(workload, held.placements, -1);
  held.placements = std::move(entry.assignment.placements);
  state_.AddTopologyUsage(workload, held.placements, 1);
  held.second_pass = SecondPass::kNone;
  held.failed_nodes.clear();
  held.failed_attempts = 0;
  std::erase(state_.second_pass, entry.workload);
}

void Cycle::MarkTargets(const Entry& entry) {
  for (const PreemptionTarget& target : entry.targets) {
    if (target.workload == entry.replaced) continue;  // replaced, not preempted
    if (state_.workload(target.workload).reservation->is_evicted) continue;
    state_.MarkEvicted(target.workload);
    new_targets_.push_back(target);
  }
}

// Progress is kept only if flavors are left to try.
void Cycle::SaveProgress(const Entry& entry) {
  Workload& workload = state_.workload(entry.workload);
  const auto is_pending = [](const AssignedResource& r) {
    return r.last_tried != ScanProgress::kDone;
  };
  const bool has_flavors_left =
      entry.keeps_progress &&
      std::ranges::any_of(entry.assignment.pod_sets, [&](const AssignedPodSet& p) {
        return std::ranges::any_of(p.resources, is_pending);
      });
  if (!has_flavors_left) return progress_pool_.Drop(workload);
  ScanProgress& progress = progress_pool_.Of(workload);
  progress.entries.clear();
  for (uint32_t i = 0; i < entry.assignment.pod_sets.size(); ++i) {
    for (const AssignedResource& r : entry.assignment.pod_sets[i].resources) {
      if (is_pending(r)) progress.entries.push_back({i, r.resource, r.last_tried});
    }
  }
  progress.cycle = state_.cycle;
  progress.queue_generation = state_.queue(entry.queue).generation;
  progress.key = state_.shape(workload.shape).key;
}

// Keeps a head that was not admitted in its queue, holds it or marks it inadmissible. Returns true
// if it left the queue.
bool Cycle::Requeue(Entry& entry) {
  Queue& queue = state_.queue(entry.queue);
  const bool is_strict = queue.spec.strategy == QueueingStrategy::kStrictFIFO;
  const bool has_flavors_left = state_.workload(entry.workload).progress != nullptr;
  switch (entry.outcome) {
    case Outcome::kPreempting:
    case Outcome::kDeferred:
      queue.preemptor = entry.workload;
      queue.is_preemptor_sticky = !is_strict;
      return false;
    case Outcome::kAdmitted:
    case Outcome::kPlaced:
    case Outcome::kEvicted:
    case Outcome::kSkipped:
      return false;
    case Outcome::kNamespaceMismatch:
    case Outcome::kClaimMissing:
      pending_.Hold(entry.workload);
      return true;
    case Outcome::kNoFit:
    case Outcome::kNoCandidates:
      if (is_strict || has_flavors_left) return false;
      pending_.MarkShapeInadmissible(entry.workload);
      return true;
    case Outcome::kPreemptionGated:
    case Outcome::kInvalid:
      if (is_strict || has_flavors_left) return false;
      pending_.MarkInadmissible(entry.workload);
      return true;
  }
  return false;
}

}  // namespace berth::engine
