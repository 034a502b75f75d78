// The engine at size. Every benchmark prints a hash of the decisions it made, so that a change of
// speed can be told from a change of behaviour.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/hash_index.h"
#include "base/random.h"
#include "engine/engine.h"

namespace berth::engine {
namespace {

bool IsTiny() { return std::getenv("BERTH_BENCH_TINY") != nullptr; }
// The size, or a small one when benchmarks run with the tests.
int Size(int full, int tiny) { return IsTiny() ? tiny : full; }

constexpr base::Time kStart = base::Time::FromSeconds(1'700'000'000);

struct World {
  explicit World(EngineOptions options = {}) : engine(std::move(options)) {}

  NodeId AddQueue(const std::string& name, const std::string& cohort, int64_t nominal,
                  Preemption preemption = {}) {
    const Quota quota{.nominal = Amount(nominal)};
    return engine.SetClusterQueue(
        {.name = name,
         .cohort = cohort,
         .groups = {{.resources = {engine.Resource("cpu"), engine.Resource("memory")},
                     .flavors = {{.flavor = engine.Flavor("default"), .quotas = {quota, quota}}}}},
         .preemption = preemption});
  }

  WorkloadId AddPending(NodeId queue, int i, int64_t amount, int64_t priority, uint64_t key) {
    return engine.AddPending(
        {.uid = "workload-" + std::to_string(i),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = queue,
         .queue_order_time = kStart + base::Duration::Seconds(i),
         .shape = {.pod_sets = {{.count = 1,
                                 .full_count = 1,
                                 .requests = {{engine.Resource("cpu"), amount},
                                              {engine.Resource("memory"), amount}}}},
                   .priority = priority,
                   .key = {1, key}}},
        kStart);
  }

  WorkloadId AddReserved(NodeId queue, int i, int64_t amount, int64_t priority) {
    const FlavorId flavor = engine.Flavor("default");
    return engine.AddReserved(
        {.uid = "reserved-" + std::to_string(i),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = queue,
         .queue_order_time = kStart,
         .priority = priority,
         .reserved_at = kStart + base::Duration::Seconds(i),
         .pod_sets = {{.count = 1,
                       .resources = {{engine.Resource("cpu"), flavor, amount},
                                     {engine.Resource("memory"), flavor, amount}}}}});
  }

  void RunCycle(base::Time now) {
    decisions = engine.RunCycle(now);
    for (const Decision& decision : decisions) {
      hash = base::MixHash(hash, decision.workload.value());
      hash = base::MixHash(hash, static_cast<uint64_t>(decision.outcome));
      for (const Victim& victim : decision.victims)
        hash = base::MixHash(hash, victim.workload.value());
    }
  }

  Engine engine;
  std::span<const Decision> decisions;
  uint64_t hash = 0;
};

void Report(benchmark::State& state, const World& world) {
  state.counters["decisions_hash"] =
      benchmark::Counter(static_cast<double>(world.hash & 0xFFFFFFFF));
}

// Queues in ten cohorts, fifty pending workloads a queue, all of which fit: each cycle admits one a
// queue.
void BM_AdmissionCycle(benchmark::State& state) {
  const int queues = Size(1000, 20);
  const int per_queue = 50;
  int64_t admitted = 0;
  uint64_t hash = 0;
  for (auto _ : state) {
    state.PauseTiming();
    World world;
    std::vector<NodeId> ids;
    for (int q = 0; q < queues; ++q)
      ids.push_back(world.AddQueue("q" + std::to_string(q), "co" + std::to_string(q % 10), 1000));
    base::Random random(1);
    for (int i = 0; i < queues * per_queue; ++i)
      world.AddPending(ids[static_cast<size_t>(i % queues)], i, random.Between(1, 20),
                       random.Between(0, 3), random.Below(40));
    world.engine.AdvanceTo(kStart);
    world.engine.Wake(ids[0]);  // builds the trees
    state.ResumeTiming();
    for (int cycle = 0; cycle < per_queue; ++cycle) {
      world.RunCycle(kStart + base::Duration::Seconds(cycle));
      admitted += static_cast<int64_t>(world.decisions.size());
    }
    hash = world.hash;
  }
  state.counters["admissions/s"] =
      benchmark::Counter(static_cast<double>(admitted), benchmark::Counter::kIsRate);
  state.counters["us/cycle"] =
      benchmark::Counter(static_cast<double>(state.iterations() * per_queue),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["decisions_hash"] = benchmark::Counter(static_cast<double>(hash & 0xFFFFFFFF));
}
BENCHMARK(BM_AdmissionCycle)->Unit(benchmark::kMillisecond);

// One head that must find its victims among many reserved workloads of two queues.
void BM_PreemptionSearch(benchmark::State& state) {
  World world;
  const int candidates = Size(1000, 50);
  const Preemption preemption{.within_cluster_queue = PreemptionPolicy::kLowerPriority,
                              .reclaim_within_cohort = PreemptionPolicy::kAny};
  const NodeId a = world.AddQueue("a", "co", candidates / 2, preemption);
  const NodeId b = world.AddQueue("b", "co", candidates / 2, preemption);
  for (int i = 0; i < candidates; ++i) world.AddReserved(i % 4 == 0 ? a : b, i, 1, i % 7);
  const WorkloadId head = world.AddPending(a, 0, 20, 10, 1);
  for (auto _ : state) {
    world.RunCycle(kStart);
    state.PauseTiming();
    // As it was: victims stay, marks go.
    for (const Victim& victim : std::vector<Victim>(world.decisions[0].victims.begin(),
                                                    world.decisions[0].victims.end())) {
      const std::string uid = world.engine.Uid(victim.workload);
      const NodeId queue = world.engine.ClusterQueueOf(victim.workload);
      const int i = std::stoi(uid.substr(uid.find('-') + 1));
      world.engine.Remove(victim.workload);
      world.AddReserved(queue, i, 1, i % 7);
    }
    state.ResumeTiming();
  }
  benchmark::DoNotOptimize(head);
  Report(state, world);
}
BENCHMARK(BM_PreemptionSearch)->Unit(benchmark::kMicrosecond);

// A hundred queues in a tree of depth 3 with fair sharing, every one with a head that borrows.
void BM_FairSharingCycle(benchmark::State& state) {
  EngineOptions options;
  options.fair_sharing = true;
  World world(options);
  const int queues = Size(100, 12);
  std::vector<NodeId> ids;
  for (int c = 0; c < 10; ++c)
    world.engine.SetCohort(
        {.name = "team" + std::to_string(c), .parent = "mid" + std::to_string(c % 3)});
  for (int c = 0; c < 3; ++c)
    world.engine.SetCohort({.name = "mid" + std::to_string(c), .parent = "root"});
  for (int q = 0; q < queues; ++q)
    ids.push_back(world.AddQueue("q" + std::to_string(q), "team" + std::to_string(q % 10), 10));
  for (int q = 0; q < queues; ++q) world.AddReserved(ids[static_cast<size_t>(q)], q, q % 17, 0);
  base::Random random(3);
  // Too large to be admitted, small enough to be tried: the same heads every cycle.
  for (int q = 0; q < queues; ++q)
    world.AddPending(ids[static_cast<size_t>(q)], q, 10 * queues - q, random.Between(0, 3),
                     static_cast<uint64_t>(q));
  for (auto _ : state) {
    world.engine.Wake(ids[0]);
    world.RunCycle(kStart);
  }
  Report(state, world);
}
BENCHMARK(BM_FairSharingCycle)->Unit(benchmark::kMicrosecond);

// A cycle that admits one workload while many are parked: the cost must not grow with them.
void BM_CycleWithParked(benchmark::State& state) {
  World world;
  const int parked = IsTiny() ? 100 : static_cast<int>(state.range(0));
  const int queues = 10;
  std::vector<NodeId> ids;
  for (int q = 0; q < queues; ++q) ids.push_back(world.AddQueue("q" + std::to_string(q), "co", 10));
  for (int i = 0; i < parked; ++i)
    world.AddPending(ids[static_cast<size_t>(i % queues)], i, 1000 + i % 50, 0,
                     static_cast<uint64_t>(i % 50));
  for (int cycle = 0; cycle < 60; ++cycle) world.RunCycle(kStart);
  int next = parked;
  for (auto _ : state) {
    const WorkloadId id = world.AddPending(ids[0], next++, 1, 0, 777);
    world.RunCycle(kStart);
    world.engine.Remove(id);
    for (int cycle = 0; cycle < 60; ++cycle) world.RunCycle(kStart);  // parks them again
  }
  Report(state, world);
}
BENCHMARK(BM_CycleWithParked)
    ->RangeMultiplier(10)
    ->Range(100, 1'000'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace berth::engine
