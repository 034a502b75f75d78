#include "engine/preemption/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/preemption/target_order.h"

namespace berth::engine {
namespace {

constexpr PreemptionPolicy kPolicies[] = {PreemptionPolicy::kLowerPriority,
                                          PreemptionPolicy::kLowerOrNewerEqualPriority,
                                          PreemptionPolicy::kAny};

// A root with two cohorts of three partly full queues each and one resource. Workloads are added,
// evicted and removed.
class CandidateWorld {
 public:
  explicit CandidateWorld(uint64_t seed) : random_(seed) {
    state.options.admission_fair_sharing = random_.Chance(4);
    for (const char* name : {"left", "right"})
      state.forest.SetCohort({.name = name, .parent = "root", .groups = QuotaOf(4)});
    for (int i = 0; i < 6; ++i) AddQueue(i);
    state.local_queue_usage = {10, 1, 5};
    state.local_queue_names = {0, 1, 1};
    state.Rebuild();
    for (int i = 0; i < 40; ++i) Change();
  }

  void Change() {
    const WorkloadId some(static_cast<uint32_t>(random_.Below(state.workloads.size() + 1)));
    if (some.index() == state.workloads.size() || random_.Chance(2)) return AddReserved();
    if (state.workload(some).reservation == nullptr) return;
    if (random_.Chance(4)) return state.Unreserve(some);
    if (!state.workload(some).reservation->is_evicted) state.MarkEvicted(some);
  }

  Need AnyNeed() {
    request_ = {0, Amount(random_.Between(1, 12))};
    return {.queue = queues_[random_.Below(queues_.size())],
            .priority = random_.Between(0, 3),
            .queue_order_time = base::Time::FromSeconds(random_.Between(0, 50)),
            .columns = {&column_, 1},
            .requests = {&request_, 1}};
  }

  State state;

 private:
  std::vector<ResourceGroup> QuotaOf(int64_t nominal) {
    return {{.resources = {cpu_},
             .flavors = {{.flavor = flavor_, .quotas = {{.nominal = Amount(nominal)}}}}}};
  }
  void AddQueue(int i) {
    const ClusterQueueSpec spec{.name = "q" + std::to_string(i),
                                .cohort = i < 3 ? "left" : "right",
                                .groups = QuotaOf(random_.Between(0, 12)),
                                .preemption = {.within_cluster_queue = kPolicies[random_.Below(3)],
                                               .reclaim_within_cohort = kPolicies[random_.Below(3)],
                                               .borrow_within_cohort = random_.Chance(2),
                                               .max_priority_threshold = random_.Between(0, 3)},
                                .orders_by_usage = random_.Chance(2)};
    const NodeId id = state.forest.SetQueue(spec);
    if (state.queues.size() <= id.index()) state.queues.resize(id.index() + 1);
    state.queue(id).node = id;
    state.queue(id).spec = spec;
    queues_.push_back(id);
  }
  void AddReserved() {
    const WorkloadId id(static_cast<uint32_t>(state.workloads.size()));
    Workload& workload = state.workloads.emplace_back();
    workload.uid = "w" + std::to_string(id.value());
    workload.cluster_queue = queues_[random_.Below(queues_.size())];
    workload.local_queue = LocalQueueId(static_cast<uint32_t>(random_.Below(3)));
    workload.priority = random_.Between(0, 3);
    workload.queue_order_time = base::Time::FromSeconds(random_.Between(0, 50));
    std::unique_ptr<Reservation> reservation = state.NewReservation();
    reservation->reserved_at = base::Time::FromSeconds(random_.Between(0, 5));
    reservation->AddPodSet(1);
    reservation->AddResource({cpu_, flavor_, random_.Between(1, 4)},
                             state.forest.FlavorResource(flavor_, cpu_));
    state.Reserve(id, std::move(reservation));
  }

  base::Random random_;
  ResourceId cpu_ = state.forest.Resource("cpu");
  FlavorId flavor_ = state.forest.Flavor("default");
  std::vector<NodeId> queues_;
  ColumnIndex column_ = 0;
  ColumnAmount request_;
};

// The reference model: collects and sorts all candidates before the first is tried.
class SortedCandidates {
 public:
  SortedCandidates(State& state, const Need& need) : state_(state), need_(need) {
    Gather();
    for (std::vector<WorkloadId>& list : lists_) SortOf(list);
  }

  std::vector<std::pair<WorkloadId, Claim>> Play(bool allow_borrowing) {
    UsageTrial trial(state_.forest);
    std::vector<std::pair<WorkloadId, Claim>> tried;
    for (const bool is_evicted : {true, false}) {
      for (size_t list = 0; list < 3; ++list) {
        for (const WorkloadId id : lists_[list]) {
          const Workload& workload = state_.workload(id);
          const Claim claim = ClaimOn(workload, list);
          if (workload.reservation->is_evicted != is_evicted || IsGone(workload.cluster_queue) ||
              (allow_borrowing && claim == Claim::kOnlyWithoutBorrowing))
            continue;
          state_.RemoveUsageOf(workload);
          tried.emplace_back(id, claim);
        }
      }
    }
    return tried;
  }

 private:
  const Preemption& preemption() const { return state_.queue(need_.queue).spec.preemption; }

  bool IsAbovePreemptor(NodeId node) const {
    for (NodeId at = need_.queue; !at.is_none(); at = state_.forest.node(at).parent)
      if (at == node) return true;
    return false;
  }
  // Whether a node below the common ancestor is within its quota.
  bool IsGone(NodeId queue) const {
    for (NodeId at = queue; !IsAbovePreemptor(at); at = state_.forest.node(at).parent)
      if (IsWithinQuota(state_.forest, at, need_.columns)) return true;
    return false;
  }
  bool HasAdvantageOver(NodeId queue) const {
    ColumnAmount rest = need_.requests[0];
    for (NodeId at = need_.queue;; at = state_.forest.node(at).parent) {
      NodeId below = queue;
      while (!below.is_none() && below != at) below = state_.forest.node(below).parent;
      if (below == at) return false;
      if (!state_.forest.IsBorrowingWith(at, rest.column, rest.amount)) return true;
      rest.amount =
          quantity::Max(Amount(0), rest.amount - state_.forest.LocalAvailable(at, rest.column));
    }
  }
  void Gather() {
    for (uint32_t i = 0; i < state_.workloads.size(); ++i) {
      const WorkloadId id(i);
      const Workload& workload = state_.workload(id);
      if (workload.reservation == nullptr) continue;
      const NodeId queue = workload.cluster_queue;
      const bool is_own = queue == need_.queue;
      if (!SatisfiesPolicy(
              is_own ? preemption().within_cluster_queue : preemption().reclaim_within_cohort,
              need_, workload))
        continue;
      if (is_own) {
        lists_[2].push_back(id);
      } else if (!IsGone(queue)) {
        if (HasAdvantageOver(queue)) {
          lists_[0].push_back(id);
        } else if (!NeedsAdvantage(state_, need_)) {
          lists_[1].push_back(id);
        }
      }
    }
  }
  // Candidates of one queue have the order of all workloads of that queue.
  void SortOf(std::vector<WorkloadId>& list) {
    if (list.empty()) return;
    const NodeId queue = state_.workload(list.front()).cluster_queue;
    if (std::ranges::any_of(
            list, [&](WorkloadId id) { return state_.workload(id).cluster_queue != queue; }))
      return SortInTargetOrder(state_, need_.queue, list);
    std::vector<WorkloadId> all = state_.queue(queue).reserved;
    SortInTargetOrder(state_, queue, all);
    std::erase_if(all, [&](WorkloadId id) { return !std::ranges::count(list, id); });
    list = all;
  }
  Claim ClaimOn(const Workload& workload, size_t list) const {
    if (list != 1) return list == 0 ? Claim::kHierarchical : Claim::kWithinQueue;
    const bool may_while_borrowing = preemption().borrow_within_cohort &&
                                     workload.priority < need_.priority &&
                                     workload.priority <= *preemption().max_priority_threshold;
    return may_while_borrowing ? Claim::kAlsoWhileBorrowing : Claim::kOnlyWithoutBorrowing;
  }

  State& state_;
  Need need_;
  std::vector<WorkloadId> lists_[3];
};

TEST(Candidates, LazyIterationMatchesASortedList) {
  size_t count = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CandidateWorld world(seed);
    Candidates candidates(world.state);
    for (int round = 0; round < 20; ++round) {
      const Need need = world.AnyNeed();
      candidates.Collect(need);
      for (const bool allow_borrowing : {true, false}) {
        std::vector<std::pair<WorkloadId, Claim>> tried;
        {
          UsageTrial trial(world.state.forest);
          candidates.Rewind(allow_borrowing);
          for (Candidate c; candidates.Next(c);) {
            world.state.RemoveUsageOf(world.state.workload(c.workload));
            tried.emplace_back(c.workload, c.claim);
          }
        }
        ASSERT_EQ(tried, SortedCandidates(world.state, need).Play(allow_borrowing))
            << "seed " << seed << " round " << round;
        count += tried.size();
      }
      world.Change();
    }
  }
  EXPECT_GT(count, 10'000u);
}

}  // namespace
}  // namespace berth::engine
