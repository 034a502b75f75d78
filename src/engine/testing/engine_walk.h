#pragma once

// A random walk over a few queues in a tree of cohorts, half of them with topologies: every step is
// one chosen event, and the engine's invariants hold after each.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/testing/walk_nodes.h"

namespace berth::engine::testing {

class EngineWalk {
 public:
  // Returns a number below the bound. Precondition: the bound is positive.
  using Choose = std::function<uint64_t(uint64_t bound)>;

  explicit EngineWalk(Choose choose)
      : choose_(std::move(choose)), engine_(SomeOptions()), has_preemption_(Chance(2)) {
    if (engine_.state().options.topology) nodes_.emplace(choose_, engine_);
    for (int i = 0; i < kCohorts; ++i) SetCohort(i, i == 0 ? -1 : 0);
    for (int i = 0; i < kQueues; ++i) SetQueue(i);
  }

  void Step() {
    if (nodes_ && Chance(3)) return Chance(4) ? StartSecondPass() : nodes_->Step();
    switch (Pick(14)) {
      case 0:
      case 1:
      case 2:
        return AddWorkload();
      case 3:
        return UpdateSome();
      case 4:
        return RemoveSome();
      case 5:
        return UndoSome();
      case 6:
        return Chance(4) ? SetQueue(static_cast<int>(Pick(kQueues))) : Advance();
      case 7:
        return ChangeTree();
      default:
        return RunCycle();
    }
  }

  // The first violated invariant; empty if all hold.
  std::string Violation() const {
    if (!violation_.empty()) return violation_;
    const State& state = engine_.state();
    for (const Queue& queue : state.queues) {
      if (queue.node.is_none() || !state.forest.HasTree(queue.node)) continue;
      if (!UsageMatchesReservations(queue))
        return "usage is not what is reserved in " + queue.spec.name;
    }
    for (uint32_t t = 0; t < state.forest.tree_count(); ++t) {
      const NodeId leak = FindLeak(state.forest.tree(t).root);
      if (!leak.is_none())
        return state.forest.node(leak).name + " does not use what its children take from it";
    }
    if (nodes_) {
      if (std::string wrong = nodes_->Violation(alive_); !wrong.empty()) return wrong;
    }
    for (const WorkloadId id : alive_)
      if (const std::string wrong = ViolationOf(id); !wrong.empty())
        return engine_.Uid(id) + " " + wrong;
    return "";
  }

 private:
  static constexpr int kQueues = 5;
  static constexpr int kCohorts = 3;

  uint64_t Pick(uint64_t bound) { return choose_(bound); }
  bool Chance(uint64_t one_in) { return Pick(one_in) == 0; }
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Pick(static_cast<uint64_t>(high - low + 1)));
  }

  EngineOptions SomeOptions() {
    EngineOptions options;
    options.fair_sharing = Chance(3);
    options.partial_admission = !Chance(4);
    options.flavor_fungibility = !Chance(4);
    options.flavor_fungibility_preserve_scan_progress = !Chance(4);
    options.scheduling_equivalence_hashing = !Chance(4);
    options.prioritize_preemptor_workloads = Chance(4);
    options.topology = Chance(2);
    if (!options.topology) return options;
    options.tas_profile_mixed = !Chance(4);
    options.tas_balanced_placement = Chance(4);
    options.tas_handle_overlapping_flavors = !Chance(4);
    options.tas_recompute_assignment_within_cycle = !Chance(4);
    options.tas_failed_node_replacement_fail_fast = !Chance(3);
    return options;
  }

  // --- Invariants --------------------------------------------------------------------------------

  bool UsageMatchesReservations(const Queue& queue) const {
    const State& state = engine_.state();
    std::map<FlavorResourceId, int64_t> sum;
    for (const WorkloadId id : queue.reserved) {
      for (const FlavorResourceUsage& usage : state.workload(id).reservation->usage)
        sum[usage.flavor_resource] += usage.amount;
    }
    const std::vector<FlavorResourceId>& flavor_resources =
        state.forest.TreeOf(queue.node).flavor_resources;
    for (ColumnIndex c = 0; c < flavor_resources.size(); ++c)
      if (state.forest.cell(queue.node, c).usage != sum[flavor_resources[c]]) return false;
    return true;
  }

  NodeId FindLeak(NodeId id) const {
    const QuotaForest& forest = engine_.state().forest;
    const QuotaForest::Node& node = forest.node(id);
    for (ColumnIndex c = 0; c < forest.TreeOf(id).flavor_resources.size() && !node.is_queue; ++c) {
      Amount sum;
      for (const auto* children : {&node.child_queues, &node.child_cohorts}) {
        for (const NodeId child : *children) {
          const Cell& cell = forest.cell(child, c);
          sum += quantity::Max(Amount(0), cell.usage - cell.local_quota);
        }
      }
      if (forest.cell(id, c).usage != sum) return id;
    }
    for (const NodeId child : node.child_cohorts)
      if (const NodeId leak = FindLeak(child); !leak.is_none()) return leak;
    return NodeId::None();
  }

  // A workload is either reserved or pending.
  std::string ViolationOf(WorkloadId id) const {
    const NodeId queue = engine_.ClusterQueueOf(id);
    const auto is_in = [&](const std::vector<WorkloadId>& ids) {
      return std::ranges::count(ids, id);
    };
    const auto waits = is_in(engine_.ActiveIn(queue)) + is_in(engine_.InadmissibleIn(queue));
    const auto holds = is_in(engine_.ReservedIn(queue));
    if (engine_.IsReserved(id) != (holds == 1)) return "is not among the reserved of its queue";
    if (waits + holds != 1) return "is in more places than one, or in none";
    return "";
  }

  // No quota granted by a cycle exceeds the available quota.
  void CheckNoOverdraft() {
    const State& state = engine_.state();
    for (const WorkloadId id : admitted_last_) {
      const Workload& w = state.workload(id);
      for (const FlavorResourceUsage& usage : w.reservation->usage) {
        const ColumnIndex column = state.forest.ColumnOf(w.cluster_queue, usage.flavor_resource);
        if (usage.amount != 0 && state.forest.Available(w.cluster_queue, column) < 0)
          violation_ = w.uid + " was given quota that was not there";
      }
    }
  }

  void CheckPlaces(const std::vector<WorkloadId>& placed) {
    for (const WorkloadId id : placed)
      if (const std::string wrong = nodes_->ViolationOfPlaced(id); !wrong.empty())
        violation_ = engine_.Uid(id) + " " + wrong;
  }

  // --- Configuration -----------------------------------------------------------------------------

  Amount Limit() { return Chance(2) ? Amount::Unlimited() : Amount(Between(0, 8)); }
  Quota SomeQuota() {
    const Amount nominal(Between(0, 12)), borrowing = Limit(), lending = Limit();
    return {nominal, borrowing, lending};
  }

  Preemption SomePreemption() {
    if (!has_preemption_) return {};
    return {.within_cluster_queue = static_cast<PreemptionPolicy>(Pick(3)),
            .reclaim_within_cohort = static_cast<PreemptionPolicy>(Pick(4)),
            .borrow_within_cohort = Chance(2),
            .max_priority_threshold =
                Chance(2) ? std::optional<int32_t>(static_cast<int32_t>(Pick(3))) : std::nullopt};
  }

  void SetQueue(int i) {
    ClusterQueueSpec spec{
        .name = "q" + std::to_string(i),
        .cohort = Chance(6) ? "" : "c" + std::to_string(Pick(kCohorts)),
        .groups = {{.resources = {engine_.Resource("cpu")},
                    .flavors = {{.flavor = engine_.Flavor("f1"), .quotas = {SomeQuota()}},
                                {.flavor = engine_.Flavor("f2"), .quotas = {SomeQuota()}}}}},
        .strategy = Chance(3) ? QueueingStrategy::kStrictFIFO : QueueingStrategy::kBestEffortFIFO,
        .preemption = SomePreemption(),
        .fungibility = {.try_next_when_can_borrow = Chance(2),
                        .try_next_when_can_preempt = !Chance(3),
                        .preference = static_cast<FungibilityPreference>(Pick(2))},
        .fair_weight = static_cast<double>(Pick(3)),
        .is_active = !Chance(8)};
    if (nodes_)
      spec.groups[0].flavors.push_back({.flavor = engine_.Flavor("f3"), .quotas = {SomeQuota()}});
    if (nodes_ && Chance(6)) spec.delayed_topology_flavors = {engine_.Flavor("f1")};
    queues_[static_cast<size_t>(i)] = engine_.SetClusterQueue(spec);
    admitted_last_.clear();  // they may exceed the new quota
  }

  // The parent may be the cohort itself, or one below it.
  void SetCohort(int i, int parent) {
    CohortSpec spec{.name = "c" + std::to_string(i),
                    .parent = parent < 0 ? "" : "c" + std::to_string(parent)};
    if (Chance(2))
      spec.groups = {{.resources = {engine_.Resource("cpu")},
                      .flavors = {{.flavor = engine_.Flavor("f1"), .quotas = {SomeQuota()}}}}};
    engine_.SetCohort(spec);
    admitted_last_.clear();
  }
  void ChangeTree() {
    const int cohort = static_cast<int>(Pick(kCohorts));
    if (!Chance(4)) return SetCohort(cohort, static_cast<int>(Pick(kCohorts + 1)) - 1);
    engine_.RemoveCohort("c" + std::to_string(cohort));
    admitted_last_.clear();
  }

  // --- Workloads ---------------------------------------------------------------------------------

  PendingSpec Spec(const std::string& uid) {
    const int64_t cpu = Between(0, nodes_ ? 4 : 9), priority = Between(0, 2);
    const auto count = static_cast<int32_t>(nodes_ ? Between(1, 4) : 2);
    uint64_t code = 0;
    const auto topology = nodes_ ? nodes_->SomeRequest(cpu, code) : std::nullopt;
    const bool can_shrink = Chance(3), cannot_borrow = Chance(8), cannot_preempt = Chance(8);
    const uint64_t key = static_cast<uint64_t>(cpu * 10 + priority) * 8 + (can_shrink ? 4 : 0) +
                         (cannot_borrow ? 2 : 0) + (cannot_preempt ? 1 : 0);
    return {
        .uid = uid,
        .local_queue = engine_.LocalQueue("ns/lq"),
        .cluster_queue = queues_[Pick(kQueues)],
        .queue_order_time = now_ + base::Duration::Seconds(Between(0, 3)),
        .shape = {.pod_sets = {{.count = count,
                                .full_count = count,
                                .min_count = can_shrink ? std::optional<int32_t>(1) : std::nullopt,
                                .requests = {{engine_.Resource("cpu"), cpu * count}}}},
                  .priority = priority,
                  .key = {1 + code * 8 + static_cast<uint64_t>(count), key}},
        .not_before =
            Chance(8) ? std::optional(now_ + base::Duration::Seconds(Between(0, 3))) : std::nullopt,
        .is_held = Chance(16),
        .has_namespace_mismatch = Chance(16),
        .is_invalid = Chance(16),
        .constraints = {.cannot_preempt = cannot_preempt, .cannot_borrow = cannot_borrow},
        .replaces_uid = SomeReplaced(),
        .topology = topology};
  }
  // Mostly none.
  std::string SomeReplaced() {
    if (alive_.empty() || !Chance(12)) return "";
    const WorkloadId id = alive_[Pick(alive_.size())];
    return engine_.IsReserved(id) ? engine_.Uid(id) : "";
  }

  void AddWorkload() {
    const std::string uid = "w" + std::to_string(next_++);
    alive_.push_back(engine_.AddPending(Spec(uid), now_));
  }
  void UpdateSome() {
    if (alive_.empty()) return;
    const WorkloadId id = alive_[Pick(alive_.size())];
    if (!engine_.IsReserved(id)) engine_.UpdatePending(id, Spec(engine_.Uid(id)), now_);
  }
  void RemoveSome() {
    if (alive_.empty()) return;
    const WorkloadId id = alive_[Pick(alive_.size())];
    engine_.Remove(id);
    std::erase(admitted_last_, id);
    std::erase(alive_, id);
  }
  void UndoSome() {
    if (admitted_last_.empty()) return;
    engine_.Undo(admitted_last_.back());
    admitted_last_.pop_back();
  }

  // The checks of a workload whose placement was delayed are ready, or a node of it fails.
  void StartSecondPass() {
    if (alive_.empty()) return;
    WorkloadId& id = alive_[Pick(alive_.size())];
    const Workload& w = engine_.state().workload(id);
    if (!w.reservation || !w.reservation->topology || w.reservation->is_evicted) return;
    ReservedSpec spec{.uid = w.uid,
                      .local_queue = w.local_queue,
                      .cluster_queue = w.cluster_queue,
                      .queue_order_time = w.queue_order_time,
                      .priority = w.priority,
                      .reserved_at = w.reservation->reserved_at,
                      .pod_sets = engine_.AssignmentOf(id),
                      .topology = *w.topology(),
                      .second_pass = SecondPass::kDelayedTopology};
    const std::vector<DomainPods>& domains = spec.pod_sets[0].domains;
    if (!domains.empty()) {
      spec.second_pass = SecondPass::kFailedNode;
      spec.failed_nodes = {engine_.DomainValues(domains[Pick(domains.size())].path).back()};
    }
    engine_.Remove(id);
    std::erase(admitted_last_, id);
    id = engine_.AddReserved(std::move(spec));
  }

  void Advance() {
    now_ = now_ + base::Duration::Seconds(1);
    engine_.AdvanceTo(now_);
  }

  // Preemption targets and evicted workloads are released once the places are checked: until then
  // their pods are on their nodes.
  void RunCycle() {
    admitted_last_.clear();
    if (nodes_) nodes_->Remember(alive_);
    std::vector<WorkloadId> leaving, placed, replaced;
    for (const Decision& d : engine_.RunCycle(now_)) {
      if (!d.replaced.is_none()) replaced.push_back(d.replaced);
      if (d.outcome == Outcome::kAdmitted) admitted_last_.push_back(d.workload);
      if (d.outcome == Outcome::kPlaced) placed.push_back(d.workload);
      if (d.outcome == Outcome::kEvicted) leaving.push_back(d.workload);
      for (const PreemptionTarget& v : d.targets) leaving.push_back(v.workload);
    }
    if (nodes_) {
      CheckPlaces(admitted_last_);
      CheckPlaces(placed);
    }
    for (const WorkloadId id : leaving)
      if (engine_.IsReserved(id)) engine_.Release(id, Spec(engine_.Uid(id)), now_);
    CheckNoOverdraft();
    for (const WorkloadId id : replaced) {
      engine_.Remove(id);
      std::erase(alive_, id);
    }
    if (!replaced.empty()) admitted_last_.clear();  // an undone one would leave nothing
  }

  Choose choose_;
  Engine engine_;
  std::optional<WalkNodes> nodes_;  // with topologies
  bool has_preemption_;
  base::Time now_ = base::Time::FromSeconds(1'700'000'000);
  std::array<NodeId, kQueues> queues_;
  std::vector<WorkloadId> alive_, admitted_last_;
  std::string violation_;
  int next_ = 0;
};

}  // namespace berth::engine::testing
