#include "engine/cycle.h"

#include <algorithm>

#include "base/prefetch.h"

namespace berth::engine {

using quantity::Max;
using quantity::Min;

namespace {

bool Contains(const std::vector<WorkloadId>& ids, WorkloadId id) {
  return std::ranges::find(ids, id) != ids.end();
}

WaitReason WhyWaiting(const Entry& entry, WaitReason unless_constrained) {
  return entry.forbidden_ways.empty() ? unless_constrained : WaitReason::kAdmissionConstrained;
}

}  // namespace

Cycle::Cycle(State& state, PendingQueues& pending)
    : state_(state),
      pending_(pending),
      pods_(state.forest.Resource("pods")),
      victim_search_(state),
      assigner_(state, victim_search_) {}

std::span<const Decision> Cycle::Run(base::Time now) {
  ++state_.cycle;
  decisions_.clear();
  new_victims_.clear();
  preempted_.clear();

  has_provisional_usage_ = false;

  // 1. One head a queue.
  CollectHeads();
  {
    // Usage that heads take or set aside shapes what is left for the heads behind them. What is
    // only set aside is undone at the end, and with it everything: Settle counts what was admitted.
    UsageTrial trial(state_.forest);
    // 2. What each head would need, on its own.
    NominateAll();
    // 3. and 4. In order, each against what those before it left.
    ProcessInOrder();
    if (!has_provisional_usage_) trial.Keep();
  }
  // 5. Admit, mark victims, put the rest back in line or park them.
  Settle(now);
  return decisions_;
}

// --- 1. Heads ------------------------------------------------------------------------------------

void Cycle::CollectHeads() {
  entry_count_ = 0;
  for (const Queue& queue : state_.queues) {
    if (!queue.takes_part) continue;
    const WorkloadId head = pending_.Head(queue.node);
    if (head.is_none()) continue;
    if (entry_count_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[entry_count_++];
    entry.workload = head;
    entry.queue = queue.node;
    entry.victims.clear();
    entry.replaced = WorkloadId::None();
    entry.is_preemptor = queue.preemptor == head;
    entry.keeps_progress = true;
    entry.was_recomputed = false;
    entry.is_done = false;
    entry.outcome = Outcome::kNoFit;
    entry.reason = WaitReason::kNone;
    entry.forbidden_ways.clear();
  }
}

// --- 2. Nomination -------------------------------------------------------------------------------

void Cycle::NominateAll() {
  for (size_t i = 0; i < entry_count_; ++i) {
    FetchForNomination(i);
    Nominate(entries_[i]);
  }
}

// In two steps, since what is four heads ahead says where to find the rest.
void Cycle::FetchForNomination(size_t entry) const {
  if (entry + 4 < entry_count_) {
    const Entry& far = entries_[entry + 4];
    base::Prefetch(state_.workload(far.workload));
    base::Prefetch(state_.queue(far.queue), 2);
    base::Prefetch(state_.forest.node(far.queue), 1);
  }
  if (entry + 2 < entry_count_) {
    const Entry& near = entries_[entry + 2];
    state_.shapes.Prefetch(state_.workload(near.workload).shape);
    base::PrefetchLine(near.assignment.pod_sets.data());
    base::PrefetchLine(near.assignment.usage.data());
    base::PrefetchLine(state_.queue(near.queue).groups.data());
    base::PrefetchLine(state_.queue(near.queue).group_of.data());
    state_.forest.PrefetchCells(near.queue);
  }
}

void Cycle::Nominate(Entry& entry) {
  Workload& workload = state_.workload(entry.workload);
  entry.priority = workload.priority;
  entry.queue_order_time = workload.queue_order_time;
  if (workload.is_invalid || workload.has_namespace_mismatch || workload.lacks_claim) {
    entry.outcome = workload.is_invalid               ? Outcome::kInvalid
                    : workload.has_namespace_mismatch ? Outcome::kNamespaceMismatch
                                                      : Outcome::kClaimMissing;
    entry.reason = WaitReason::kMisconfigured;
    entry.is_done = true;
    return;
  }
  DropOutdatedProgress(workload);
  FindAssignment(entry, nullptr);
  if (workload.constraints.any() && !IsNominated(entry)) FindForbiddenWays(entry);
}

// Progress describes a state of things. It is good for the next cycle in any case, and later as
// long as no workload of the queue gave up its quota.
void Cycle::DropOutdatedProgress(Workload& workload) {
  const ScanProgress* progress = workload.progress.get();
  if (progress == nullptr) return;
  const bool is_older =
      state_.queue(workload.cluster_queue).generation > progress->queue_generation;
  bool is_outdated = is_older;
  if (state_.options.flavor_fungibility_preserve_scan_progress) {
    const bool is_other_shape = progress->key != state_.shape(workload.shape).key;
    is_outdated = is_other_shape || (is_older && state_.cycle - progress->cycle > 1);
  }
  if (is_outdated) ForgetProgress(workload);
}

void Cycle::ForgetProgress(Workload& workload) {
  if (workload.progress) spare_progress_.push_back(std::move(workload.progress));
}

void Cycle::FindAssignment(Entry& entry, const Assignment* nominated) {
  Workload& workload = state_.workload(entry.workload);
  const Queue& queue = state_.queue(entry.queue);
  entry.victims.clear();
  entry.replaced = WorkloadId::None();
  const bool resumes = nominated == nullptr && !entry.is_traced;
  AssignmentInput input{.workload = &workload,
                        .progress = resumes ? workload.progress.get() : nullptr,
                        .nominated = nominated,
                        .is_traced = entry.is_traced,
                        .may_preempt = entry.may_preempt};
  if (state_.options.elastic_jobs_via_workload_slices && workload.replaces_uid) {
    for (const WorkloadId id : queue.reserved) {
      if (state_.workload(id).uid != *workload.replaces_uid) continue;
      entry.replaced = id;
      input.replaced = state_.workload(id).reservation.get();
    }
  }
  const auto add_replaced = [&] {
    if (!entry.replaced.is_none()) entry.victims.push_back({entry.replaced, {}});
  };
  assigner_.Assign(input, entry.assignment);
  if (entry.assignment.mode == AssignmentMode::kFit) return add_replaced();
  if (FindVictims(entry, entry.assignment, entry.victims)) return add_replaced();
  if (!state_.options.partial_admission || !entry.may_shrink) return;
  if (TryReducedCounts(entry, input)) add_replaced();
}

bool Cycle::FindVictims(const Entry& entry, const Assignment& assignment,
                        std::vector<Victim>& victims) {
  victims.clear();
  if (assignment.mode != AssignmentMode::kPreempt || !entry.may_preempt) return false;
  columns_.clear();
  requests_.clear();
  for (const AssignedPodSet& pod_set : assignment.pod_sets) {
    for (const AssignedResource& resource : pod_set.resources) {
      if (resource.mode == AssignmentMode::kPreempt &&
          std::ranges::find(columns_, resource.column) == columns_.end())
        columns_.push_back(resource.column);
    }
  }
  // As in Kueue, the number of pods does not count here: victims are looked for until everything
  // else fits. Whether the pods do is seen when the head's turn comes.
  const QuotaForest::Tree& tree = state_.forest.TreeOf(entry.queue);
  for (const ColumnAmount& usage : assignment.usage) {
    if (usage.amount != 0 && tree.resources[usage.column] != pods_) requests_.push_back(usage);
  }
  const Workload& workload = state_.workload(entry.workload);
  victim_search_.Find({.queue = entry.queue,
                       .priority = workload.priority,
                       .queue_order_time = workload.queue_order_time,
                       .constraints = workload.constraints,
                       .columns = columns_,
                       .requests = requests_},
                      victims);
  return !victims.empty();
}

// Looks for the largest size between minCount and count that fits or has victims. Step i of T takes
// floor(delta x i / T) pods off each podset, where T is the sum of all deltas.
bool Cycle::TryReducedCounts(Entry& entry, const AssignmentInput& full) {
  const PodSetViews pod_sets = state_.shape(full.workload->shape).pod_sets;
  const auto delta = [](const PodSetView& p) {
    return static_cast<int64_t>(p.full_count) - p.min_count.value_or(p.full_count);
  };
  int64_t total = 0;
  for (const PodSetView& pod_set : pod_sets) total += delta(pod_set);
  if (total <= 0) return false;
  AssignmentInput input = full;
  bool is_found = false;
  int64_t low = 0, high = total + 1;
  while (low < high) {
    const int64_t step = low + (high - low) / 2;
    counts_.clear();
    for (const PodSetView& p : pod_sets)
      counts_.push_back(static_cast<int32_t>(p.full_count - delta(p) * step / total));
    input.counts = counts_;
    assigner_.Assign(input, reduced_);
    const bool fits = reduced_.mode == AssignmentMode::kFit;
    reduced_victims_.clear();
    if (fits || FindVictims(entry, reduced_, reduced_victims_)) {
      std::swap(entry.assignment, reduced_);
      entry.victims.swap(reduced_victims_);
      is_found = true;
      high = step;
    } else {
      low = step + 1;
    }
  }
  return is_found;
}

bool Cycle::Consider(Entry& entry) {
  preempted_.clear();
  FindAssignment(entry, nullptr);
  return IsNominated(entry) && FitsNow(entry);
}

// --- 4. Processing -------------------------------------------------------------------------------

void Cycle::Process(Entry& entry) {
  order_.push_back(static_cast<uint32_t>(&entry - entries_.data()));
  entry.is_done = true;
  const bool has_overlap = HasOverlap(entry);
  if (has_overlap && state_.options.recompute_assignment_upon_preemption_targets_overlap)
    Recompute(entry);

  switch (entry.assignment.mode) {
    case AssignmentMode::kNoFit:
      entry.outcome = Outcome::kNoFit;
      entry.reason = WhyWaiting(entry, entry.assignment.no_fit_reason);
      return;
    case AssignmentMode::kDeferredFit:
      entry.outcome = Outcome::kDeferred;
      entry.reason = WaitReason::kWaitingForPreemptedWorkloads;
      entry.keeps_progress = false;
      has_provisional_usage_ = true;
      AddUsage(entry);
      return;
    case AssignmentMode::kPreempt:
      if (entry.victims.empty()) {
        entry.outcome = Outcome::kNoCandidates;
        entry.reason = WhyWaiting(entry, WaitReason::kWaitingForQuota);
        ReserveForWaiting(entry);
        return;
      }
      if (state_.options.multikueue_orchestrated_preemption &&
          state_.workload(entry.workload).has_closed_preemption_gate) {
        entry.outcome = Outcome::kPreemptionGated;
        entry.reason = WaitReason::kAdmissionGated;
        entry.keeps_progress = false;
        return;
      }
      break;
    case AssignmentMode::kFit:
      break;
  }

  if (HasOverlap(entry) || !FitsNow(entry)) {
    entry.outcome = Outcome::kSkipped;
    entry.reason = WaitReason::kWaitingForQuota;
    entry.keeps_progress = state_.options.flavor_fungibility_preserve_scan_progress;
    return;
  }
  for (const Victim& victim : entry.victims) preempted_.push_back(victim.workload);
  // What a replaced slice holds is settled with it.
  if (!entry.victims.empty()) has_provisional_usage_ = true;
  AddUsage(entry);
  if (entry.assignment.mode == AssignmentMode::kFit) {
    entry.outcome = Outcome::kAdmitted;
  } else {
    entry.outcome = Outcome::kPreempting;
    entry.reason = WaitReason::kWaitingForPreemptedWorkloads;
    entry.keeps_progress = false;
    has_provisional_usage_ = true;
  }
}

bool Cycle::HasOverlap(const Entry& entry) const {
  return std::ranges::any_of(entry.victims,
                             [&](const Victim& v) { return Contains(preempted_, v.workload); });
}

// With the victims so far, and its own, gone.
bool Cycle::FitsNow(const Entry& entry) {
  UsageTrial trial(state_.forest);
  const auto remove = [&](WorkloadId id) {
    const Workload& workload = state_.workload(id);
    state_.RemoveUsageOf(workload);
  };
  for (const WorkloadId id : preempted_) remove(id);
  for (const Victim& victim : entry.victims) {
    if (!Contains(preempted_, victim.workload)) remove(victim.workload);
  }
  const AdmissionConstraints constraints = state_.workload(entry.workload).constraints;
  return std::ranges::all_of(entry.assignment.usage, [&](const ColumnAmount& usage) {
    return usage.amount <=
           Max(Amount(0), AvailableTo(constraints, state_.forest, entry.queue, usage.column));
  });
}

// Some of its victims are taken already. How would it stand if all those taken were gone? Only the
// flavors of its nomination count.
void Cycle::Recompute(Entry& entry) {
  entry.was_recomputed = true;
  UsageTrial trial(state_.forest);
  for (const WorkloadId id : preempted_) {
    Workload& workload = state_.workload(id);
    workload.reservation->is_out = true;
    state_.RemoveUsageOf(workload);
  }
  nominated_ = entry.assignment;
  FindAssignment(entry, &nominated_);
  if (entry.assignment.mode == AssignmentMode::kFit)
    entry.assignment.mode = AssignmentMode::kDeferredFit;
  for (const WorkloadId id : preempted_) state_.workload(id).reservation->is_out = false;
}

// A head that cannot be helped now keeps what it may claim one day from being lent to others in
// this cycle, unless its queue can have everything back at any time.
void Cycle::ReserveForWaiting(const Entry& entry) {
  const AdmissionConstraints constraints = state_.workload(entry.workload).constraints;
  const Preemption& preemption = PreemptionFor(constraints, state_.queue(entry.queue));
  const bool is_waiting_preemptor =
      state_.options.prioritize_preemptor_workloads && entry.is_preemptor;
  if (preemption.reclaim_within_cohort == PreemptionPolicy::kAny && !is_waiting_preemptor) return;
  for (const ColumnAmount& usage : entry.assignment.usage) {
    const Cell& cell = state_.forest.cell(entry.queue, usage.column);
    const Amount reserved =
        entry.assignment.borrowing_height > 0
            ? Min(usage.amount, cell.nominal + BorrowingLimitFor(constraints, cell) - cell.usage)
            : Max(Amount(0), Min(usage.amount, cell.nominal - cell.usage));
    state_.forest.AddUsage(entry.queue, usage.column, reserved);
  }
  has_usage_changed_ = true;
  has_provisional_usage_ = true;
}

void Cycle::AddUsage(const Entry& entry) {
  for (const ColumnAmount& usage : entry.assignment.usage)
    state_.forest.AddUsage(entry.queue, usage.column, usage.amount);
  has_usage_changed_ = true;
}

}  // namespace berth::engine
