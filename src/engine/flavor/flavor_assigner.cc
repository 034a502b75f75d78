#include "engine/flavor/flavor_assigner.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/constraints.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {

using quantity::Max;

BorrowingHeight FindBorrowingHeight(const QuotaForest& forest, NodeId queue, ColumnIndex column,
                                    Amount amount) {
  if (!forest.HasParent(queue)) return {0, false};
  if (!forest.IsBorrowingWith(queue, column, amount)) return {0, true};
  Amount remaining = amount - forest.LocalAvailable(queue, column);
  NodeId at = forest.node(queue).parent;
  while (true) {
    const auto height = static_cast<int32_t>(forest.node(at).height);
    if (!forest.IsBorrowingWith(at, column, remaining)) return {height, forest.HasParent(at)};
    if (!forest.HasParent(at)) return {height, false};
    remaining -= forest.LocalAvailable(at, column);
    at = forest.node(at).parent;
  }
}

FlavorAssigner::FlavorAssigner(State& state, TargetSearch& targets)
    : state_(state), target_search_(targets), pods_(state.forest.Resource("pods")) {}

void FlavorAssigner::Assign(const AssignmentInput& input, Assignment& out) {
  input_ = &input;
  shape_ = state_.shape(input.workload->shape);
  queue_ = &state_.queue(input.workload->cluster_queue);
  out_ = &out;
  const size_t n = shape_.pod_sets.size();
  out.Clear(n);
  out.mode = n == 0 ? AssignmentMode::kNoFit : AssignmentMode::kFit;
  for (size_t i = 0; i < n; ++i) {
    if (out.pod_sets[i].is_assigned) continue;  // together with its group
    StartGroup(i);
    if (!AssignGroup()) {
      out.mode = AssignmentMode::kNoFit;
      out.no_fit_reason =
          no_fit_reason_ == WaitReason::kNone ? WaitReason::kNoMatchingFlavor : no_fit_reason_;
      return;
    }
    for (const uint32_t pod_set : pod_sets_) AssignPodSet(pod_set);
  }
}

// --- Podset groups -------------------------------------------------------------------------------

int32_t FlavorAssigner::CountOf(size_t pod_set) const {
  return input_->counts.empty() ? shape_.pod_sets[pod_set].count : input_->counts[pod_set];
}

int64_t FlavorAssigner::ScaledAmount(size_t pod_set, const Request& request) const {
  return AmountFor(request, shape_.pod_sets[pod_set].count, CountOf(pod_set));
}

bool FlavorAssigner::CountsPods() const {
  return queue_->spec.counts_pods && queue_->GroupOf(pods_) != Queue::kUndeclared;
}

void FlavorAssigner::AddRequest(ResourceId resource, int64_t amount) {
  for (GroupRequest& request : group_) {
    if (request.resource == resource) {
      request.amount = quantity::SaturatingAdd(request.amount, amount);
      return;
    }
  }
  group_.push_back({.resource = resource, .amount = amount});
}

// Collects the podsets that share flavors with the first, and sums their requests.
void FlavorAssigner::StartGroup(size_t first) {
  pod_sets_.clear();
  group_.clear();
  fits_ = true;
  no_fit_reason_ = WaitReason::kNone;
  const bool counts_pods = CountsPods();
  for (size_t i = first; i < shape_.pod_sets.size(); ++i) {
    const PodSetView pod_set = shape_.pod_sets[i];
    if (pod_set.group != shape_.pod_sets[first].group) continue;
    pod_sets_.push_back(static_cast<uint32_t>(i));
    for (const Request& request : pod_set.requests) {
      if (!counts_pods || request.resource != pods_)
        AddRequest(request.resource, ScaledAmount(i, request));
    }
    if (counts_pods) AddRequest(pods_, CountOf(i));
  }
}

bool FlavorAssigner::AssignGroup() {
  order_.resize(group_.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::ranges::sort(order_, {},
                    [this](size_t i) { return state_.forest.ResourceRank(group_[i].resource); });
  for (const size_t i : order_) {
    if (queue_->GroupOf(group_[i].resource) == Queue::kUndeclared) {
      if (group_[i].amount == 0 || state_.options.only_declared) continue;
      RecordNoFit(WaitReason::kNoMatchingFlavor);
      return false;
    }
    if (!group_[i].has_flavor && !FindFlavor(i)) return false;
  }
  return true;
}

int64_t FlavorAssigner::ReplacedAmount(uint32_t pod_set, ResourceId resource) const {
  if (input_->replaced == nullptr) return 0;
  for (const ResourceAssignment& held : input_->replaced->ResourcesOf(pod_set)) {
    if (held.resource == resource) return held.amount;
  }
  return 0;
}

// Assigns one podset its part of the group's assignment.
void FlavorAssigner::AssignPodSet(uint32_t index) {
  const PodSetView spec = shape_.pod_sets[index];
  AssignedPodSet& assigned = out_->pod_sets[index];
  assigned.is_assigned = true;
  assigned.count = CountOf(index);
  const auto assign = [&](ResourceId resource, int64_t amount) {
    auto request = std::ranges::find(group_, resource, &GroupRequest::resource);
    if (!request->has_flavor) return;
    AssignedResource part = request->assigned;
    part.amount = amount;
    if (!fits_) out_->mode = std::min(out_->mode, part.mode);
    out_->borrowing_height = std::max(out_->borrowing_height, part.borrowing_height);
    AddTo(out_->usage, part.column, Amount(amount - ReplacedAmount(index, resource)));
    assigned.resources.push_back(part);
  };
  const bool counts_pods = CountsPods();
  for (const Request& request : spec.requests) {
    if (!counts_pods || request.resource != pods_)
      assign(request.resource, ScaledAmount(index, request));
  }
  if (counts_pods) assign(pods_, assigned.count);
}

// --- The search ----------------------------------------------------------------------------------

size_t FlavorAssigner::FirstFlavorToTry(ResourceId resource) const {
  if (input_->progress == nullptr || !state_.options.flavor_fungibility) return 0;
  for (const ScanProgress::Entry& entry : input_->progress->entries) {
    if (entry.pod_set == pod_sets_[0] && entry.resource == resource)
      return static_cast<size_t>(entry.last_tried) + 1;
  }
  return 0;
}

bool FlavorAssigner::IsNominated(FlavorId flavor, ResourceId resource) const {
  if (input_->nominated == nullptr) return true;
  for (const uint32_t pod_set : pod_sets_) {
    for (const AssignedResource& chosen : input_->nominated->pod_sets[pod_set].resources) {
      if (chosen.resource == resource && chosen.flavor == flavor) return true;
    }
  }
  return false;
}

const FlavorMismatch* FlavorAssigner::FindMismatch(FlavorId flavor) const {
  for (const uint32_t pod_set : pod_sets_) {
    const std::span mismatches = shape_.pod_sets[pod_set].mismatches;
    auto it = std::ranges::lower_bound(mismatches, flavor, {}, &FlavorMismatch::flavor);
    if (it != mismatches.end() && it->flavor == flavor) return &*it;
  }
  return nullptr;
}

// Finds a flavor for the request's resource group, and thereby for all its resources.
bool FlavorAssigner::FindFlavor(size_t request) {
  const ResourceId resource = group_[request].resource;
  const Queue::Group& group = queue_->groups[static_cast<size_t>(queue_->GroupOf(resource))];
  constexpr Grade kWorst{FlavorMode::kNoFit, std::numeric_limits<int32_t>::max()};
  Grade best = kWorst;
  size_t best_flavor = group.flavors.size();
  size_t last_tried = group.flavors.size() - 1;
  resource_group_reason_ = WaitReason::kNone;
  bool has_mild_reason = false;

  for (size_t f = FirstFlavorToTry(resource); f < group.flavors.size(); ++f) {
    const FlavorId flavor = group.flavors[f];
    last_tried = f;
    if (!IsNominated(flavor, resource)) continue;
    flavor_reason_ = WaitReason::kNone;
    Grade grade{FlavorMode::kNoFit, 0};
    if (const FlavorMismatch* mismatch = FindMismatch(flavor)) {
      flavor_reason_ = WaitReason::kNoMatchingFlavor;
      Record({.pod_set = pod_sets_[0],
              .flavor = flavor,
              .mismatch = mismatch->why,
              .mode = FlavorMode::kNoFit,
              .reason = WaitReason::kNoMatchingFlavor});
      if (mismatch->why == Mismatch::kError) return RecordNoFit(flavor_reason_), false;
    } else {
      grade = TryFlavor(group, f);
    }
    if (grade.mode == FlavorMode::kNoFit) {
      resource_group_reason_ =
          has_mild_reason ? std::min(resource_group_reason_, flavor_reason_) : flavor_reason_;
      has_mild_reason = true;
      continue;
    }
    const bool is_better =
        state_.options.flavor_fungibility ? IsPreferred(grade, best) : grade.mode > best.mode;
    const bool is_enough =
        state_.options.flavor_fungibility ? !ShouldTryNext(grade) : grade.mode == FlavorMode::kFit;
    if (is_better || is_enough) {
      best = grade;
      best_flavor = f;
      best_.swap(trial_);
    }
    if (is_enough) break;
  }
  if (has_mild_reason) RecordNoFit(resource_group_reason_);
  if (best_flavor == group.flavors.size()) return false;
  TakeBest(group, best_flavor, last_tried);
  fits_ = fits_ && best.mode == FlavorMode::kFit;
  return true;
}

void FlavorAssigner::RecordNoFit(WaitReason reason) {
  no_fit_reason_ = std::max(no_fit_reason_, reason);
}

void FlavorAssigner::TakeBest(const Queue::Group& group, size_t flavor, size_t last_tried) {
  // Without the gate no search resumes, but it never counts as finished: as in Kueue, a workload
  // that got any flavor is then never inadmissible.
  const bool is_over = state_.options.flavor_fungibility && last_tried + 1 == group.flavors.size();
  for (const Trial& trial : best_) {
    GroupRequest& request = group_[trial.request];
    request.has_flavor = true;
    request.assigned = {
        .resource = request.resource,
        .flavor = group.flavors[flavor],
        .column = trial.column,
        .mode =
            trial.grade.mode == FlavorMode::kFit ? AssignmentMode::kFit : AssignmentMode::kPreempt,
        .borrowing_height = trial.grade.height,
        .last_tried = is_over ? ScanProgress::kDone : static_cast<int32_t>(last_tried),
    };
  }
}

bool FlavorAssigner::IsPreferred(Grade a, Grade b) const {
  if (a.mode == FlavorMode::kNoFit) return false;
  if (b.mode == FlavorMode::kNoFit) return true;
  if (a.mode == b.mode) return a.height < b.height;
  const bool a_lacks_candidates = a.mode == FlavorMode::kNoCandidates;
  const bool b_lacks_candidates = b.mode == FlavorMode::kNoCandidates;
  if (a_lacks_candidates != b_lacks_candidates) return b_lacks_candidates;
  if (queue_->spec.fungibility.preference == FungibilityPreference::kPreemptionOverBorrowing)
    return a.height != b.height ? a.height < b.height : a.mode > b.mode;
  return a.mode > b.mode;
}

bool FlavorAssigner::ShouldTryNext(Grade grade) const {
  const FlavorFungibility& fungibility = queue_->spec.fungibility;
  if (grade.mode == FlavorMode::kNoFit || grade.mode == FlavorMode::kNoCandidates) return true;
  const bool needs_preemption =
      grade.mode == FlavorMode::kPreempt || grade.mode == FlavorMode::kReclaim;
  if (needs_preemption && fungibility.try_next_when_can_preempt) return true;
  return grade.height > 0 && fungibility.try_next_when_can_borrow;
}

// --- One flavor ----------------------------------------------------------------------------------

FlavorAssigner::Grade FlavorAssigner::TryFlavor(const Queue::Group& group, size_t flavor) {
  Grade worst;
  trial_.clear();
  for (size_t i = 0; i < group_.size(); ++i) {
    const auto at = std::ranges::find(group.resources, group_[i].resource);
    if (at == group.resources.end()) continue;
    const ColumnIndex column =
        group.column(flavor, static_cast<size_t>(at - group.resources.begin()));
    FlavorAttempt attempt{
        .pod_set = pod_sets_[0], .flavor = group.flavors[flavor], .resource = group_[i].resource};
    int64_t amount = group_[i].amount;
    for (const uint32_t pod_set : pod_sets_) {
      if (input_->replaced == nullptr) break;
      const std::span held = input_->replaced->ResourcesOf(pod_set);
      auto before = std::ranges::find(held, attempt.resource, &ResourceAssignment::resource);
      if (before == held.end() || before->flavor != attempt.flavor) {
        attempt.mode = FlavorMode::kNoFit;
        attempt.reason = WaitReason::kNoMatchingFlavor;
        break;
      }
      amount -= before->amount;
    }
    attempt.requested = Amount(amount);
    const Grade grade = attempt.mode == FlavorMode::kNoFit
                            ? Grade{FlavorMode::kNoFit, 0}
                            : TryResource(attempt, column, Amount(amount));
    attempt.mode = grade.mode;
    attempt.borrowing_height = grade.height;
    Record(attempt);
    flavor_reason_ = std::max(flavor_reason_, attempt.reason);
    if (IsPreferred(worst, grade)) worst = grade;
    trial_.push_back({i, column, grade});
  }
  return worst;
}

FlavorAssigner::Grade FlavorAssigner::TryResource(FlavorAttempt& attempt, ColumnIndex column,
                                                  Amount amount) {
  const QuotaForest& forest = state_.forest;
  const NodeId queue = queue_->node;
  const Cell& cell = forest.cell(queue, column);
  const AdmissionConstraints constraints = input_->workload->constraints;
  attempt.assumed = AmountIn(out_->usage, column);
  attempt.potential = PotentialFor(constraints, cell);
  const Amount total = attempt.assumed + amount.value();
  if (total > attempt.potential) {
    attempt.reason = WaitReason::kExceedsMaxQuota;
    return {FlavorMode::kNoFit, 0};
  }
  attempt.available = Max(Amount(0), AvailableTo(constraints, forest, queue, column));
  const BorrowingHeight height = FindBorrowingHeight(forest, queue, column, total);
  if (total <= attempt.available) return {FlavorMode::kFit, height.height};
  const Preemption& preemption = PreemptionFor(constraints, *queue_);
  const bool may_preempt_while_borrowing =
      preemption.borrow_within_cohort ||
      (state_.options.fair_sharing && preemption.reclaim_within_cohort != PreemptionPolicy::kNever);
  if (cell.nominal >= total || height.is_below_root || may_preempt_while_borrowing)
    return TryPreemption(column, total);
  attempt.reason = WaitReason::kWaitingForQuota;
  return {FlavorMode::kNoFit, height.height};
}

FlavorAssigner::Grade FlavorAssigner::TryPreemption(ColumnIndex column, Amount amount) {
  const NodeId queue = queue_->node;
  const ColumnAmount request{column, amount};
  if (!input_->may_preempt)
    return {FlavorMode::kNoCandidates,
            FindBorrowingHeight(state_.forest, queue, column, amount).height};
  target_search_.Find({.queue = queue,
                       .priority = input_->workload->priority,
                       .queue_order_time = input_->workload->queue_order_time,
                       .constraints = input_->workload->constraints,
                       .columns = {&column, 1},
                       .requests = {&request, 1}},
                      found_targets_);
  StateTrial trial(state_);
  bool takes_own = false;
  for (const PreemptionTarget& target : found_targets_) {
    const Workload& workload = state_.workload(target.workload);
    state_.RemoveUsageOf(workload);
    takes_own = takes_own || workload.cluster_queue == queue;
  }
  const FlavorMode mode = found_targets_.empty() ? FlavorMode::kNoCandidates
                          : takes_own            ? FlavorMode::kPreempt
                                                 : FlavorMode::kReclaim;
  return {mode, FindBorrowingHeight(state_.forest, queue, column, amount).height};
}

void FlavorAssigner::Record(const FlavorAttempt& attempt) {
  if (attempt.mode != FlavorMode::kFit || input_->is_traced) out_->attempts.push_back(attempt);
}

}  // namespace berth::engine
