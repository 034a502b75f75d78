#include "engine/cycle/nominator.h"

#include <algorithm>
#include <optional>

#include "engine/topology/state_trial.h"

namespace berth::engine {

using quantity::Max;

Nominator::Nominator(State& state)
    : state_(state),
      pods_(state.forest.Resource("pods")),
      target_search_(state),
      assigner_(state, target_search_),
      placer_(state) {}

bool Nominator::Consider(Entry& entry) {
  Nominate(entry);
  return IsNominated(entry) && Fits(entry);
}

void Nominator::Nominate(Entry& entry) { FindAssignment(entry, nullptr); }

void Nominator::NominateAgain(Entry& entry) {
  nominated_ = entry.assignment;
  FindAssignment(entry, &nominated_);
}

void Nominator::FindAssignment(Entry& entry, const Assignment* nominated) {
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
  if (!entry.is_second_pass && state_.options.elastic_jobs_via_workload_slices &&
      workload.replaces_uid() != nullptr) {
    for (const WorkloadId id : queue.reserved) {
      if (state_.workload(id).uid != *workload.replaces_uid()) continue;
      entry.replaced = id;
      input.replaced = state_.workload(id).reservation.get();
    }
  }
  Assign(entry, input, entry.assignment);
  const bool may_shrink =
      state_.options.partial_admission && entry.may_shrink && !entry.is_second_pass;
  const bool is_found = entry.assignment.mode == AssignmentMode::kFit ||
                        FindTargets(entry, entry.assignment, entry.targets) ||
                        (may_shrink && TryReducedCounts(entry, input));
  if (is_found && !entry.replaced.is_none()) entry.targets.push_back({entry.replaced, {}});
  if (HasTopology(entry)) PlaceForWaiting(entry);
}

void Nominator::Assign(const Entry& entry, const AssignmentInput& input, Assignment& out) {
  if (entry.is_second_pass)
    AssignHeld(entry, out);
  else
    assigner_.Assign(input, out);
  if (HasTopology(entry)) PlacePods(entry, out);
}

bool Nominator::FindTargets(const Entry& entry, const Assignment& assignment,
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
  class Places final : public PlacementCheck {
   public:
    Places(WorkloadPlacer& placer, PlacerInput input, std::vector<PodSetPlacement>& found)
        : placer_(placer), input_(input), found_(found) {}
    bool HasPlace() override { return placer_.Place(input_, found_) == PlacerResult::kPlaced; }
    const PlacementRequest* OnlyRequest() override {
      if (!request_) request_ = placer_.DescribeOnly(input_);
      return request_ ? &*request_ : nullptr;
    }

   private:
    std::optional<PlacementRequest> request_;
    WorkloadPlacer& placer_;
    PlacerInput input_;
    std::vector<PodSetPlacement>& found_;
  };
  Places places(placer_, PlacerInputFor(entry, assignment), trial_placements_);
  target_search_.Find({.queue = entry.queue,
                       .priority = workload.priority,
                       .queue_order_time = workload.queue_order_time,
                       .constraints = workload.constraints,
                       .columns = columns_,
                       .requests = requests_,
                       .placement = HasTopology(entry) ? &places : nullptr},
                      targets);
  return !targets.empty();
}

// Finds the largest size between minCount and count that fits or has preemption targets. Step i of
// T removes floor(delta x i / T) pods from each podset, where T is the sum of all deltas.
bool Nominator::TryReducedCounts(Entry& entry, const AssignmentInput& full) {
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
    Assign(entry, input, reduced_);
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

// With its own and all earlier preemption targets removed.
FitCheck Nominator::Check(const Entry& entry, std::span<const WorkloadId> preempted) {
  StateTrial trial(state_);
  for (const WorkloadId id : preempted) state_.RemoveUsageOf(state_.workload(id));
  for (const PreemptionTarget& target : entry.targets) {
    if (std::ranges::find(preempted, target.workload) == preempted.end())
      state_.RemoveUsageOf(state_.workload(target.workload));
  }
  const Workload& workload = state_.workload(entry.workload);
  const auto fits = [&](const ColumnAmount& usage) {
    return usage.amount <= Max(Amount(0), AvailableTo(workload.constraints, state_.forest,
                                                      entry.queue, usage.column));
  };
  if (!entry.is_second_pass && !std::ranges::all_of(entry.assignment.usage, fits))
    return FitCheck::kNoQuota;
  if (entry.assignment.placements.empty()) return FitCheck::kFits;
  const bool has_place =
      placer_.FitsNow(entry.workload, entry.assignment.placements, HeldPlacements(entry));
  return has_place ? FitCheck::kFits : FitCheck::kNoPlace;
}

}  // namespace berth::engine
