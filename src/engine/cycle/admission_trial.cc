#include "engine/cycle/admission_trial.h"

#include <algorithm>
#include <utility>

#include "engine/topology/state_trial.h"

namespace berth::engine {
namespace {

// A placement looks at this many leaves in the time of a visit.
constexpr size_t kLeavesPerVisit = 16;

// The cost of one placement, in visits.
size_t PlacementCost(const State& state, WorkloadId workload) {
  if (!state.topologies || state.workload(workload).topology() == nullptr) return 0;
  size_t leaves = 0;
  for (const Queue::Group& group : state.queue(state.workload(workload).cluster_queue).groups) {
    for (const FlavorId flavor : group.flavors) {
      const TopologyForest* forest = state.topologies->Find(flavor);
      if (forest != nullptr) leaves = std::max(leaves, forest->leaf_count());
    }
  }
  return leaves / kLeavesPerVisit;
}

}  // namespace

size_t CountCandidates(const State& state, NodeId queue) {
  const Preemption& preemption = state.queue(queue).spec.preemption;
  size_t count = 0;
  for (const NodeId member : state.forest.TreeOf(queue).queues) {
    const PreemptionPolicy policy =
        member == queue ? preemption.within_cluster_queue : preemption.reclaim_within_cohort;
    if (policy != PreemptionPolicy::kNever) count += state.queue(member).reserved.size();
  }
  return count;
}

AdmissionTrial::AdmissionTrial(State& state, Nominator& nominator, WorkloadId workload,
                               std::vector<WorkloadId> ahead)
    : state_(state), nominator_(nominator), workload_(workload), ahead_(std::move(ahead)) {
  entry_.queue = state.workload(workload).cluster_queue;
  entry_.is_traced = true;
  const size_t placement = PlacementCost(state, workload);
  cost_without_preemption_ = 10 + state.forest.TreeOf(entry_.queue).queues.size() + placement;
  full_cost_ = cost_without_preemption_ + CountCandidates(state, entry_.queue) * (1 + placement);
}

const Entry& AdmissionTrial::Consider(WorkloadId id, bool may_shrink, TrialMode mode) {
  entry_.workload = id;
  entry_.may_shrink = may_shrink;
  entry_.may_preempt = mode == TrialMode::kFull;
  const bool is_first = work_ == 0;
  work_ += mode == TrialMode::kFull ? full_cost_ : cost_without_preemption_;
  if (is_exhausted() && !is_first) {
    entry_.assignment.Clear(0);
    entry_.targets.clear();
    has_room_ = false;
  } else {
    has_room_ = nominator_.Consider(entry_);
  }
  return entry_;
}

bool AdmissionTrial::AdmitsAlone(TrialMode mode) {
  return Consider(false, mode).assignment.mode == AssignmentMode::kFit && has_room_;
}

bool AdmissionTrial::Admits(TrialMode mode) {
  if (!AdmitsAlone(mode)) return false;
  return ahead_.empty() || ConsiderAfterOthers(WorkloadId::None(), mode).is_admitted;
}

bool AdmissionTrial::Nominates() {
  Consider(false);
  if (!has_room_ || IsGated(workload_)) return false;
  return ahead_.empty() || ConsiderAfterOthers().is_nominated;
}

std::vector<BlockedOption> AdmissionTrial::FindBlockedOptions() {
  if (IsNominated(entry_) || is_exhausted()) return {};
  work_ += 2 * full_cost_;
  nominator_.FindBlockedOptions(entry_);
  return entry_.blocked_options;
}

bool AdmissionTrial::IsGated(WorkloadId id) const {
  return entry_.assignment.mode == AssignmentMode::kPreempt &&
         state_.options.multikueue_orchestrated_preemption &&
         state_.workload(id).has_closed_preemption_gate;
}

// Reserves quota for a workload that is ahead, with its preemption targets removed.
bool AdmissionTrial::TryReserve(WorkloadId id, TrialMode mode, std::vector<WorkloadId>& taken_out) {
  if (state_.workload(id).is_invalid) return false;
  const Entry& entry = Consider(id, true, mode);
  if (!has_room_ || IsGated(id)) return false;
  for (const PreemptionTarget& target : entry.targets) {
    Workload& workload = state_.workload(target.workload);
    if (target.workload == entry.replaced || workload.reservation->is_out) continue;
    workload.reservation->is_out = true;
    taken_out.push_back(target.workload);
    state_.RemoveUsageOf(workload);
  }
  for (const ColumnAmount& usage : entry.assignment.usage)
    state_.forest.AddUsage(entry.queue, usage.column, usage.amount);
  state_.AddTopologyUsage(state_.workload(id), entry.assignment.placements, 1);
  return true;
}

AdmissionTrial::AfterOthers AdmissionTrial::ConsiderAfterOthers(WorkloadId without,
                                                                TrialMode mode) {
  const bool is_strict = state_.queue(entry_.queue).spec.strategy == QueueingStrategy::kStrictFIFO;
  AfterOthers result;
  StateTrial trial(state_, UsageLayer::kLasting);
  std::vector<WorkloadId> taken_out;
  for (const WorkloadId id : ahead_) {
    const Workload& other = state_.workload(id);
    if (id == without || other.has_namespace_mismatch || other.lacks_claim) continue;
    if (TryReserve(id, mode, taken_out) || !is_strict) continue;
    result.blocked_by = id;
    break;
  }
  if (result.blocked_by.is_none()) {
    result.is_admitted = AdmitsAlone(mode);
    if (!result.is_admitted) Consider(true, mode);
    result.is_nominated = has_room_ && !IsGated(workload_);
  }
  for (const WorkloadId id : taken_out) state_.workload(id).reservation->is_out = false;
  return result;
}

// --- Trials --------------------------------------------------------------------------------------

FinishTrial::~FinishTrial() {
  for (const WorkloadId id : finished_) state_.workload(id).reservation->is_out = false;
}

void FinishTrial::Finish(WorkloadId id) {
  Workload& workload = state_.workload(id);
  workload.reservation->is_out = true;
  state_.RemoveUsageOf(workload);
  finished_.push_back(id);
}

void FinishTrial::Restore(WorkloadId id) {
  Workload& workload = state_.workload(id);
  workload.reservation->is_out = false;
  state_.AddUsageOf(workload);
  std::erase(finished_, id);
}

ShapeTrial::ShapeTrial(State& state, WorkloadId workload, const Shape& shape)
    : state_(state), workload_(workload), before_(state.workload(workload).shape) {
  state_.workload(workload).shape = state_.shapes.Acquire(shape);
}

ShapeTrial::~ShapeTrial() {
  state_.shapes.Release(std::exchange(state_.workload(workload_).shape, before_));
}

TopologyRequestTrial::TopologyRequestTrial(State& state, WorkloadId workload,
                                           WorkloadTopology topology)
    : state_(state), workload_(workload) {
  std::unique_ptr<const WorkloadExtras>& extras = state.workload(workload).extras;
  before_ = std::exchange(
      extras, std::make_unique<const WorkloadExtras>(extras->replaces_uid, std::move(topology)));
}

TopologyRequestTrial::~TopologyRequestTrial() {
  state_.workload(workload_).extras = std::move(before_);
}

}  // namespace berth::engine
