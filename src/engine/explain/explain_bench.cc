// The duration of an explanation. It is interactive and off the decision path, but must not block
// the engine thread for long.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "engine/engine.h"
#include "engine/explain/explanation.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

constexpr base::Time kStart = base::Time::FromSeconds(1'700'000'000);

struct Size {
  int queues = 0;
  int reserved = 0;  // per queue
  int ahead = 0;
};

Size SizeOf(const benchmark::State& state) {
  if (berth::testing::IsTinyBenchmark()) return {.queues = 3, .reserved = 3, .ahead = 2};
  return {.queues = static_cast<int>(state.range(0)),
          .reserved = static_cast<int>(state.range(1)),
          .ahead = static_cast<int>(state.range(2))};
}

// One full cohort with three flavors of two resources, and one queue with pending workloads.
WorkloadId Fill(Engine& engine, const Size& size) {
  const ResourceId cpu = engine.Resource("cpu"), memory = engine.Resource("memory");
  ResourceGroup group{.resources = {cpu, memory}, .flavors = {}};
  for (const char* flavor : {"a", "b", "c"}) {
    const Quota quota{.nominal = Amount(10 * size.reserved), .lending_limit = Amount(1)};
    group.flavors.push_back({.flavor = engine.Flavor(flavor), .quotas = {quota, quota}});
  }
  for (int q = 0; q < size.queues; ++q) {
    const NodeId queue = engine.SetClusterQueue(
        {.name = "q" + std::to_string(q),
         .cohort = "cohort",
         .groups = {group},
         .preemption = {.within_cluster_queue = PreemptionPolicy::kLowerPriority,
                        .reclaim_within_cohort = PreemptionPolicy::kAny}});
    for (int i = 0; i < size.reserved; ++i) {
      const FlavorId flavor = engine.Flavor(i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c");
      engine.AddReserved(
          {.uid = std::to_string(q) + "-" + std::to_string(i),
           .local_queue = engine.LocalQueue("ns/lq"),
           .cluster_queue = queue,
           .queue_order_time = kStart,
           .priority = 5,
           .reserved_at = kStart,
           .pod_sets = {{.count = 1, .resources = {{cpu, flavor, 30}, {memory, flavor, 30}}}}});
    }
  }
  WorkloadId last;
  for (int i = 0; i <= size.ahead; ++i) {
    last = engine.AddPending(
        {.uid = "waiting-" + std::to_string(i),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = engine.FindClusterQueue("q0"),
         .queue_order_time = kStart + base::Duration::Seconds(i),
         .shape = {.pod_sets = {{.count = 10,
                                 .full_count = 10,
                                 .requests = {{cpu, 100 + i}, {memory, 100 + i}}}},
                   .key = {1, static_cast<uint64_t>(i)}}},
        kStart);
  }
  return last;
}

void BM_Explain(benchmark::State& state) {
  Engine engine{EngineOptions{}};
  const WorkloadId id = Fill(engine, SizeOf(state));
  size_t remedies = 0;
  bool is_complete = true;
  for (auto _ : state) {
    const Explanation explanation = engine.Explain(id);
    remedies = explanation.remedies.size();
    is_complete = explanation.are_remedies_complete;
  }
  state.counters["remedies"] = static_cast<double>(remedies);
  state.counters["complete"] = is_complete ? 1 : 0;
}
BENCHMARK(BM_Explain)
    ->ArgNames({"queues", "reserved", "ahead"})
    ->Args({10, 10, 0})
    ->Args({100, 100, 0})
    ->Args({100, 100, 10})
    ->Args({1000, 50, 60})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::engine
