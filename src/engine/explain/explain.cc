#include "engine/explain/explain.h"

#include <algorithm>

#include "engine/constraints.h"
#include "engine/cycle/admission_trial.h"
#include "engine/explain/remedies.h"
#include "engine/explain/topology_search.h"
#include "engine/preemption/candidate_status.h"

namespace berth::engine {
namespace {

using quantity::Max;

// The maximum number of workloads ahead that are simulated.
constexpr size_t kMostPlayed = 64;

class Explainer {
 public:
  Explainer(State& state, const PendingQueues& pending, Nominator& nominator, WorkloadId id)
      : state_(state),
        pending_(pending),
        nominator_(nominator),
        workload_(state.workload(id)),
        queue_(state.queue(workload_.cluster_queue)) {
    out_.workload = id;
    out_.cluster_queue = workload_.cluster_queue;
    out_.is_reserved = workload_.reservation != nullptr;
    if (!out_.is_reserved) out_.constraints = workload_.constraints;
  }

  Explanation Run() {
    if (out_.is_reserved) {
      out_.is_evicted = workload_.reservation->is_evicted;
      out_.held = AssignmentOf(*workload_.reservation);
      return std::move(out_);
    }
    if (!pending_.Contains(out_.workload)) {
      out_.obstacles.push_back(Obstacle::kReplaced);
      return std::move(out_);
    }
    FindObstacles();
    std::vector<WorkloadId> ahead = FillPosition();
    const bool has_tree = !queue_.node.is_none() && state_.forest.HasTree(queue_.node);
    if (has_tree) {
      AdmissionTrial trial(state_, nominator_, out_.workload, std::move(ahead));
      Search(trial);
      FindPositionStatus(trial);
      if (!WillGetQuota()) {
        out_.remedies =
            FindRemedies(trial, out_.searches, out_.topologies, out_.position.blocked_by);
        out_.are_remedies_complete = !trial.is_exhausted();
      }
    }
    out_.reason = FindReason();
    return std::move(out_);
  }

 private:
  // --- Obstacles and queue position --------------------------------------------------------------

  void FindObstacles() {
    const auto note = [&](bool is_so, Obstacle obstacle) {
      if (is_so) out_.obstacles.push_back(obstacle);
    };
    const bool is_missing = queue_.node.is_none();
    note(is_missing || !queue_.spec.is_active, Obstacle::kQueueInactive);
    note(!is_missing && state_.forest.node(queue_.node).is_in_cycle, Obstacle::kCohortCycle);
    note(workload_.has_namespace_mismatch, Obstacle::kNamespaceMismatch);
    note(workload_.lacks_claim, Obstacle::kClaimMissing);
    note(workload_.is_invalid, Obstacle::kInvalid);
    const PendingQueues::Deferral deferred = pending_.DeferralOf(out_.workload);
    // Both of these also hold the workload. Only one reason is reported.
    const bool is_reported = workload_.has_namespace_mismatch || workload_.lacks_claim;
    note(deferred == PendingQueues::Deferral::kHeld && !is_reported, Obstacle::kNotRequeued);
    note(deferred == PendingQueues::Deferral::kBackingOff, Obstacle::kBackingOff);
  }

  // Returns the workloads ahead, unless there are too many to simulate.
  std::vector<WorkloadId> FillPosition() {
    QueuePosition& position = out_.position;
    std::vector<WorkloadId> waiting = pending_.Waiting(workload_.cluster_queue);
    position.length = waiting.size();
    waiting.erase(std::ranges::find(waiting, out_.workload), waiting.end());
    std::erase_if(waiting, [&](WorkloadId id) {
      return pending_.DeferralOf(id) != PendingQueues::Deferral::kNone;
    });
    position.ahead_count = waiting.size();
    position.ahead.assign(
        waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(
                                               std::min(waiting.size(), Explanation::kMostListed)));
    position.is_inadmissible =
        pending_.Contains(out_.workload) && !pending_.IsActive(out_.workload);
    if (waiting.size() > kMostPlayed) {
      position.status = PositionStatus::kUnknown;
      waiting.clear();
    }
    return waiting;
  }

  void FindPositionStatus(AdmissionTrial& trial) {
    QueuePosition& position = out_.position;
    if (position.status == PositionStatus::kUnknown || position.ahead_count == 0) return;
    const AdmissionTrial::AfterOthers after = trial.ConsiderAfterOthers();
    position.blocked_by = after.blocked_by;
    const bool is_quota_taken = out_.is_admissible() && !after.is_nominated;
    position.status = !position.blocked_by.is_none() ? PositionStatus::kBlocked
                      : is_quota_taken               ? PositionStatus::kQuotaTaken
                                                     : PositionStatus::kBehindOthers;
  }

  // Whether it gets quota without further changes, obstacles aside.
  bool WillGetQuota() const {
    const PositionStatus status = out_.position.status;
    return out_.is_admissible() && status != PositionStatus::kBlocked &&
           status != PositionStatus::kQuotaTaken;
  }

  WaitReason FindReason() const {
    if (!out_.obstacles.empty()) {
      switch (out_.obstacles.front()) {
        case Obstacle::kReplaced:
          return WaitReason::kNone;
        case Obstacle::kQueueInactive:
        case Obstacle::kCohortCycle:
          return WaitReason::kSuspended;
        case Obstacle::kNamespaceMismatch:
        case Obstacle::kClaimMissing:
        case Obstacle::kInvalid:
          return WaitReason::kMisconfigured;
        case Obstacle::kNotRequeued:
        case Obstacle::kBackingOff:
          return WaitReason::kPendingEvaluation;
        case Obstacle::kPreemptionGate:
          return WaitReason::kAdmissionGated;
      }
    }
    if (out_.position.status == PositionStatus::kQuotaTaken) return WaitReason::kWaitingForQuota;
    if (out_.outcome == Outcome::kAdmitted || out_.position.status == PositionStatus::kBlocked)
      return WaitReason::kPendingEvaluation;
    if (out_.outcome == Outcome::kPreempting) return WaitReason::kWaitingForPreemptedWorkloads;
    if (!out_.blocked_options.empty()) return WaitReason::kAdmissionConstrained;
    return out_.outcome == Outcome::kNoFit ? no_fit_reason_ : WaitReason::kWaitingForQuota;
  }

  // --- The search --------------------------------------------------------------------------------

  void Search(AdmissionTrial& trial) {
    const Entry& full = trial.Consider(false);
    no_fit_reason_ = full.assignment.no_fit_reason;
    out_.is_placement_too_large = full.assignment.is_placement_too_large;
    out_.undeclared = UndeclaredRequestsOf(state_, out_.workload);
    FillSearches(full.assignment);
    out_.topologies = SearchTopologies(state_, out_.workload, full.assignment, out_.searches);
    ReportPreemption(full, trial.has_room());
    if (RecordAssignment(full, trial.has_room())) return;
    const Entry& smaller = trial.Consider(true);
    if (!RecordAssignment(smaller, trial.has_room()) && out_.constraints.any())
      out_.blocked_options = trial.FindBlockedOptions();
  }

  // Records the assignment it would get; false if none.
  bool RecordAssignment(const Entry& entry, bool has_room) {
    const bool fits = entry.assignment.mode == AssignmentMode::kFit;
    const bool preempts =
        entry.assignment.mode == AssignmentMode::kPreempt && !entry.targets.empty();
    if (!has_room) {
      out_.outcome = fits || preempts                                    ? Outcome::kSkipped
                     : entry.assignment.mode == AssignmentMode::kPreempt ? Outcome::kNoCandidates
                                                                         : Outcome::kNoFit;
      return false;
    }
    const bool is_gated = preempts && state_.options.multikueue_orchestrated_preemption &&
                          workload_.has_closed_preemption_gate;
    if (is_gated) out_.obstacles.push_back(Obstacle::kPreemptionGate);
    out_.outcome = fits ? Outcome::kAdmitted : Outcome::kPreempting;
    if (preempts) out_.targets = entry.targets;
    out_.offered.clear();
    for (const AssignedPodSet& assigned : entry.assignment.pod_sets) {
      PodSetAssignment& pod_set = out_.offered.emplace_back();
      pod_set.count = assigned.count;
      for (const AssignedResource& r : assigned.resources)
        pod_set.resources.push_back({r.resource, r.flavor, r.amount});
    }
    for (const PodSetPlacement& placement : entry.assignment.placements) {
      out_.offered[placement.pod_set].domains = placement.domains;
      out_.offered[placement.pod_set].has_delayed_topology = placement.is_delayed;
    }
    return true;
  }

  void FillSearches(const Assignment& assignment) {
    for (const FlavorAttempt& attempt : assignment.attempts) {
      const size_t group = GroupWith(attempt);
      FlavorSearch& search = SearchOf(attempt.pod_set, group);
      const auto f = std::ranges::find(queue_.groups[group].flavors, attempt.flavor) -
                     queue_.groups[group].flavors.begin();
      FillStep(search.flavors[static_cast<size_t>(f)], attempt, group, static_cast<size_t>(f));
    }
    for (FlavorSearch& search : out_.searches) FinishSearch(search, assignment);
  }

  size_t GroupWith(const FlavorAttempt& attempt) const {
    if (!attempt.resource.is_none()) return static_cast<size_t>(queue_.GroupOf(attempt.resource));
    const auto has_flavor = [&](const Queue::Group& g) {
      return std::ranges::find(g.flavors, attempt.flavor) != g.flavors.end();
    };
    return static_cast<size_t>(std::ranges::find_if(queue_.groups, has_flavor) -
                               queue_.groups.begin());
  }

  FlavorSearch& SearchOf(uint32_t pod_set, size_t group) {
    for (FlavorSearch& search : out_.searches) {
      if (search.pod_sets.front() == pod_set && search.group == group) return search;
    }
    FlavorSearch& search = out_.searches.emplace_back();
    search.group = group;
    const PodSetViews pod_sets = state_.shape(workload_.shape).pod_sets;
    for (uint32_t i = pod_set; i < pod_sets.size(); ++i) {
      if (pod_sets[i].group == pod_sets[pod_set].group) search.pod_sets.push_back(i);
    }
    for (const FlavorId flavor : queue_.groups[group].flavors)
      search.flavors.push_back({.flavor = flavor, .mismatch = {}, .resources = {}});
    return search;
  }

  void FillStep(FlavorStep& step, const FlavorAttempt& attempt, size_t group, size_t flavor) {
    step.mode = step.is_tried ? std::min(step.mode, attempt.mode) : attempt.mode;
    step.is_tried = true;
    step.reason = std::max(step.reason, attempt.reason);
    if (attempt.resource.is_none()) {
      step.mismatch = attempt.mismatch;
      return;
    }
    const Queue::Group& g = queue_.groups[group];
    const auto r = std::ranges::find(g.resources, attempt.resource) - g.resources.begin();
    step.resources.push_back(FiguresOf(attempt, g.column(flavor, static_cast<size_t>(r))));
  }

  ResourceFigures FiguresOf(const FlavorAttempt& attempt, ColumnIndex column) const {
    const Cell& cell = state_.forest.cell(queue_.node, column);
    const auto available_to = [&](AdmissionConstraints constraints) {
      return Max(Amount(0), AvailableTo(constraints, state_.forest, queue_.node, column));
    };
    const Amount available = available_to(out_.constraints), without = available_to({});
    const Amount own_left = Max(Amount(0), cell.nominal - cell.usage);
    const Amount total = attempt.requested + attempt.assumed;
    const bool is_short =
        attempt.mode == FlavorMode::kNoCandidates || attempt.reason == WaitReason::kWaitingForQuota;
    const bool does_not_do = attempt.mode <= FlavorMode::kNoCandidates;
    return {.resource = attempt.resource,
            .mode = attempt.mode,
            .reason = attempt.reason,
            .borrowing_height = attempt.borrowing_height,
            .requested = attempt.requested,
            .assumed = attempt.assumed,
            .nominal = cell.nominal,
            .used = cell.usage,
            .available = available,
            .borrowable = Max(Amount(0), without - own_left),
            .potential = PotentialFor(out_.constraints, cell),
            .shortfall = Max(Amount(0), total - available),
            .blocked_by = {.cannot_preempt = IsPreemptionBlocked() && is_short,
                           .cannot_borrow = does_not_do && total > available && total <= without}};
  }

  // Records the chosen flavor and why the search continued or stopped.
  void FinishSearch(FlavorSearch& search, const Assignment& assignment) {
    const AssignedPodSet& assigned = assignment.pod_sets[search.pod_sets.front()];
    for (size_t f = 0; f < search.flavors.size(); ++f) {
      FlavorStep& step = search.flavors[f];
      const bool is_last_tried = f + 1 == search.flavors.size() || !search.flavors[f + 1].is_tried;
      step.next = NextOf(step, f + 1 == search.flavors.size(), is_last_tried);
      step.is_chosen = std::ranges::any_of(assigned.resources, [&](const AssignedResource& r) {
        return r.flavor == step.flavor &&
               queue_.GroupOf(r.resource) == static_cast<int32_t>(search.group);
      });
    }
  }

  NextStep NextOf(const FlavorStep& step, bool is_last, bool is_last_tried) const {
    if (step.mismatch == Mismatch::kError) return NextStep::kStopAtInvalidAffinity;
    if (is_last) return NextStep::kLast;
    if (is_last_tried) return NextStep::kStop;
    if (step.mode == FlavorMode::kNoFit || step.mode == FlavorMode::kNoCandidates)
      return NextStep::kTryNext;
    return step.mode == FlavorMode::kFit || !queue_.spec.fungibility.try_next_when_can_preempt
               ? NextStep::kTryNextToAvoidBorrowing
               : NextStep::kTryNextToAvoidPreemption;
  }

  // --- Preemption --------------------------------------------------------------------------------

  // The constraint forbids preemption that its queue's policies allow.
  bool IsPreemptionBlocked() const {
    const Preemption& preemption = queue_.spec.preemption;
    return out_.constraints.cannot_preempt &&
           (preemption.within_cluster_queue != PreemptionPolicy::kNever ||
            preemption.reclaim_within_cohort != PreemptionPolicy::kNever);
  }

  void ReportPreemption(const Entry& entry, bool has_room) {
    PreemptionReport& report = out_.preemption;
    if (entry.assignment.mode == AssignmentMode::kFit) return;
    std::vector<ColumnAmount> requests;
    const std::vector<ColumnIndex> columns = ColumnsInNeed(entry.assignment, requests);
    if (columns.empty()) {
      const bool may_not = std::ranges::any_of(
          entry.assignment.attempts,
          [](const FlavorAttempt& a) { return a.reason == WaitReason::kWaitingForQuota; });
      report.attempt = !may_not                ? PreemptionAttempt::kCannotHelp
                       : IsPreemptionBlocked() ? PreemptionAttempt::kBlocked
                                               : PreemptionAttempt::kNotWhileBorrowing;
      return;
    }
    if (IsPreemptionBlocked()) {
      report.attempt = PreemptionAttempt::kBlocked;
      return;
    }
    report.attempt = PreemptionAttempt::kTried;
    const QuotaForest::Tree& tree = state_.forest.TreeOf(queue_.node);
    for (const ColumnIndex column : columns)
      report.short_of.push_back(tree.flavor_resources[column]);
    report.groups = CandidateGroupsFor(state_,
                                       {.queue = queue_.node,
                                        .priority = workload_.priority,
                                        .queue_order_time = workload_.queue_order_time,
                                        .constraints = workload_.constraints,
                                        .columns = columns,
                                        .requests = requests},
                                       has_room ? std::span<const PreemptionTarget>(entry.targets)
                                                : std::span<const PreemptionTarget>());
  }

  // Columns of the assignment if there is one, otherwise of every flavor in which preemption was
  // tried.
  std::vector<ColumnIndex> ColumnsInNeed(const Assignment& assignment,
                                         std::vector<ColumnAmount>& requests) const {
    std::vector<ColumnIndex> columns;
    const auto need = [&](ColumnIndex column) {
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    };
    if (assignment.mode == AssignmentMode::kPreempt) {
      for (const AssignedPodSet& pod_set : assignment.pod_sets) {
        for (const AssignedResource& r : pod_set.resources) {
          if (r.mode == AssignmentMode::kPreempt) need(r.column);
        }
      }
      requests = assignment.usage;
      return columns;
    }
    for (const FlavorAttempt& attempt : assignment.attempts) {
      if (attempt.mode == FlavorMode::kNoFit || attempt.mode == FlavorMode::kFit) continue;
      const ColumnIndex column = state_.forest.ColumnOf(
          queue_.node, state_.forest.FlavorResource(attempt.flavor, attempt.resource));
      need(column);
      AddTo(requests, column, attempt.requested);
    }
    return columns;
  }

  State& state_;
  const PendingQueues& pending_;
  Nominator& nominator_;
  const Workload& workload_;
  const Queue& queue_;
  WaitReason no_fit_reason_ = WaitReason::kNone;
  Explanation out_;
};

}  // namespace

Explanation Explain(State& state, const PendingQueues& pending, Nominator& nominator,
                    WorkloadId id) {
  if (state.topologies) state.topologies->StartCycle();
  return Explainer(state, pending, nominator, id).Run();
}

}  // namespace berth::engine
