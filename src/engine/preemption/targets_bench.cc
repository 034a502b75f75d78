// One search for preemption targets.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "engine/preemption/targets.h"
#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::Size;
using testing::CountAllocations;
using testing::kStart;
using testing::ReportHash;

// Two queues in a full cohort: the preemptor's own, with a quarter of all candidates, and one that
// borrows.
class Full {
 public:
  explicit Full(EngineOptions options, int candidates) {
    state_.options = std::move(options);
    AddQueue("a", candidates);
    AddQueue("b", candidates);
    for (int i = 0; i < candidates; ++i) AddReserved(NodeId(i % 4 == 0 ? own_ : other_), i);
    state_.Rebuild();
  }

  State& state() { return state_; }
  NodeId own() const { return own_; }

 private:
  void AddQueue(const std::string& name, int candidates) {
    const Quota quota{.nominal = Amount(candidates / 2)};
    const ClusterQueueSpec spec{
        .name = name,
        .cohort = "co",
        .groups = {{.resources = {cpu_}, .flavors = {{.flavor = flavor_, .quotas = {quota}}}}},
        .preemption = {.within_cluster_queue = PreemptionPolicy::kLowerPriority,
                       .reclaim_within_cohort = PreemptionPolicy::kAny}};
    const NodeId id = state_.forest.SetQueue(spec);
    (name == "a" ? own_ : other_) = id;
    state_.queues.resize(id.index() + 1);
    state_.queue(id).node = id;
    state_.queue(id).spec = spec;
  }
  void AddReserved(NodeId queue, int i) {
    const WorkloadId id(static_cast<uint32_t>(state_.workloads.size()));
    Workload& workload = state_.workloads.emplace_back();
    workload.uid = "reserved-" + std::to_string(i);
    workload.cluster_queue = queue;
    workload.priority = i % 7;
    std::unique_ptr<Reservation> reservation = state_.NewReservation();
    reservation->reserved_at = kStart + base::Duration::Seconds(i);
    reservation->AddPodSet(1);
    reservation->AddResource({cpu_, flavor_, 1}, state_.forest.FlavorResource(flavor_, cpu_));
    state_.Reserve(id, std::move(reservation));
  }

  State state_;
  ResourceId cpu_ = state_.forest.Resource("cpu");
  FlavorId flavor_ = state_.forest.Flavor("default");
  NodeId own_, other_;
};

// A request for 20 units.
void BM_PreemptionSearch(benchmark::State& bench, bool fair_sharing) {
  Full full({.fair_sharing = fair_sharing}, Size(1000, 40));
  TargetSearch search(full.state());
  const ColumnIndex column = 0;
  const ColumnAmount request{column, Amount(20)};
  const Need need{.queue = full.own(),
                  .priority = 10,
                  .queue_order_time = kStart,
                  .columns = {&column, 1},
                  .requests = {&request, 1}};
  std::vector<PreemptionTarget> targets;
  search.Find(need, targets);
  const uint64_t before = CountAllocations();
  for (auto _ : bench) search.Find(need, targets);
  bench.counters["allocations_per_search"] = benchmark::Counter(
      static_cast<double>(CountAllocations() - before), benchmark::Counter::kAvgIterations);
  bench.counters["targets"] = static_cast<double>(targets.size());
  uint64_t hash = 0;
  for (const PreemptionTarget& target : targets)
    hash = base::MixHash(hash, target.workload.value());
  ReportHash(bench, hash);
}
BENCHMARK_CAPTURE(BM_PreemptionSearch, ByPriority, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_PreemptionSearch, FairSharing, true)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace berth::engine
