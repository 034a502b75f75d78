#include "engine/cycle/cycle.h"

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
  return entry.blocked_options.empty() ? unless_constrained : WaitReason::kAdmissionConstrained;
}

}  // namespace

Cycle::Cycle(State& state, PendingQueues& pending)
    : state_(state),
      pending_(pending),
      pods_(state.forest.Resource("pods")),
      target_search_(state),
      assigner_(state, target_search_) {}

std::span<const Decision> Cycle::Run(base::Time now) {
  ++state_.cycle;
  decisions_.clear();
  new_targets_.clear();
  preempted_.clear();

  has_provisional_usage_ = false;

  // 1. One head per queue.
  CollectHeads();
  {
    // Usage that heads take or set aside reduces the quota of later heads. If any usage was only
    // set aside, the trial undoes all of it, and Apply adds the admitted usage again.
    UsageTrial trial(state_.forest);
    // 2. The requirements of each head, independent of the others.
    NominateAll();
    // 3. and 4. In order, each against the quota left by earlier heads.
    ProcessInOrder();
    if (!has_provisional_usage_) trial.Keep();
  }
  // 5. Admit, mark preemption targets, requeue the rest or mark it inadmissible.
  Apply(now);
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
    entry.targets.clear();
    entry.replaced = WorkloadId::None();
    entry.is_preemptor = queue.preemptor == head;
    entry.keeps_progress = true;
    entry.was_recomputed = false;
    entry.is_done = false;
    entry.outcome = Outcome::kNoFit;
    entry.reason = WaitReason::kNone;
    entry.blocked_options.clear();
  }
}

// --- 2. Nomination -------------------------------------------------------------------------------

void Cycle::NominateAll() {
  for (size_t i = 0; i < entry_count_; ++i) {
    PrefetchForNomination(i);
    Nominate(entries_[i]);
  }
}

// Prefetches in two steps: data of the head four places ahead locates the rest.
void Cycle::PrefetchForNomination(size_t entry) const {
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
  if (workload.constraints.any() && !IsNominated(entry)) FindBlockedOptions(entry);
}

// Progress describes a past state. It is valid for the next cycle, and later as long as no workload
// of the queue released its quota.
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
  if (is_outdated) DropProgress(workload);
}

void Cycle::DropProgress(Workload& workload) {
  if (workload.progress) spare_progress_.push_back(std::move(workload.progress));
}

void Cycle::FindAssignment(Entry& entry, const Assignment* nominated) {
  Workload& workload = state_.workload(entry.workload);
  const Queue& queue = state_.queue(entry.queue);
  entry.targets.clear();
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
    if (!entry.replaced.is_none()) entry.targets.push_back({entry.replaced, {}});
  };
  assigner_.Assign(input, entry.assignment);
  if (entry.assignment.mode == AssignmentMode::kFit) return add_replaced();
  if (FindTargets(entry, entry.assignment, entry.targets)) return add_replaced();
  if (!state_.options.partial_admission || !entry.may_shrink) return;
  if (TryReducedCounts(entry, input)) add_replaced();
}

bool Cycle::FindTargets(const Entry& entry, const Assignment& assignment,
                        std::vector<PreemptionTarget>& targets) {
  targets.clear();
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
  // As in Kueue, the pod count is ignored here: the target search runs until all other resources
  // fit. The pod count is checked when the head is processed.
  const QuotaForest::Tree& tree = state_.forest.TreeOf(entry.queue);
  for (const ColumnAmount& usage : assignment.usage) {
    if (usage.amount != 0 && tree.resources[usage.column] != pods_) requests_.push_back(usage);
  }
  const Workload& workload = state_.workload(entry.workload);
  target_search_.Find({.queue = entry.queue,
                       .priority = workload.priority,
                       .queue_order_time = workload.queue_order_time,
                       .constraints = workload.constraints,
                       .columns = columns_,
                       .requests = requests_},
                      targets);
  return !targets.empty();
}

// Finds the largest size between minCount and count that fits or has preemption targets. Step i of
// T removes floor(delta x i / T) pods from each podset, where T is the sum of all deltas.
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
    reduced_targets_.clear();
    if (fits || FindTargets(entry, reduced_, reduced_targets_)) {
      std::swap(entry.assignment, reduced_);
      entry.targets.swap(reduced_targets_);
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
      if (entry.targets.empty()) {
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
  for (const PreemptionTarget& target : entry.targets) preempted_.push_back(target.workload);
  // Usage of a replaced slice is settled together with it.
  if (!entry.targets.empty()) has_provisional_usage_ = true;
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
  return std::ranges::any_of(
      entry.targets, [&](const PreemptionTarget& v) { return Contains(preempted_, v.workload); });
}

// With its own and all earlier preemption targets removed.
bool Cycle::FitsNow(const Entry& entry) {
  UsageTrial trial(state_.forest);
  const auto remove = [&](WorkloadId id) {
    const Workload& workload = state_.workload(id);
    state_.RemoveUsageOf(workload);
  };
  for (const WorkloadId id : preempted_) remove(id);
  for (const PreemptionTarget& target : entry.targets) {
    if (!Contains(preempted_, target.workload)) remove(target.workload);
  }
  const AdmissionConstraints constraints = state_.workload(entry.workload).constraints;
  return std::ranges::all_of(entry.assignment.usage, [&](const ColumnAmount& usage) {
    return usage.amount <=
           Max(Amount(0), AvailableTo(constraints, state_.forest, entry.queue, usage.column));
  });
}

// Earlier heads took some of its preemption targets. Assigns again with all of those removed,
// limited to the flavors of its nomination.
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

// A head that cannot be admitted now sets aside the quota that it may claim later, so that others
// do not borrow it in this cycle. Not needed if its queue can reclaim everything at any time.
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
