// What waiting costs: in time, in comparisons.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/random.h"
#include "engine/pending.h"
#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using testing::Uid;

// The same in little, for runs that only see whether it works.
int64_t Scaled(int64_t count) { return IsTinyBenchmark() ? std::min<int64_t>(count, 1000) : count; }

// A job like many: three resources, one flavor that does not suit.
Shape SomeShape(uint64_t number) {
  return {.pod_sets = {{.count = 1,
                        .full_count = 1,
                        .requests = {{ResourceId(0), 1000 + static_cast<int64_t>(number)},
                                     {ResourceId(1), 1 << 30},
                                     {ResourceId(2), 1}},
                        .mismatches = {{.flavor = FlavorId(0)}}}},
          .priority = 0,
          .key = {.high = number, .low = ~number}};
}

constexpr int64_t kAllDiffer = 0;

// Queues with workloads, which have so many different shapes in each queue.
struct World {
  World(int64_t queues, int64_t workloads, int64_t shapes) : pending(state) {
    base::Random random(1);
    state.queues.resize(static_cast<size_t>(queues));
    for (int64_t i = 0; i < workloads; ++i) {
      Workload& workload = state.workloads.emplace_back();
      workload.uid = Uid(random);
      workload.cluster_queue = NodeId(static_cast<uint32_t>(i % queues));
      workload.local_queue = LocalQueueId(workload.cluster_queue.value());
      workload.queue_order_time = base::Time::FromSeconds(random.Between(0, 100'000));
      const int64_t shape = shapes == kAllDiffer ? i : i / queues % shapes;
      workload.shape = state.shapes.Acquire(SomeShape(static_cast<uint64_t>(shape)));
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(state.workloads.size()); }
  void AddAll() {
    for (uint32_t i = 0; i < size(); ++i) pending.Add(WorkloadId(i));
  }
  void RemoveAll() {
    for (uint32_t i = 0; i < size(); ++i) pending.Remove(WorkloadId(i));
  }
  // Until nothing is in line.
  void ParkAll(NodeId queue) {
    for (WorkloadId head = pending.Head(queue); !head.is_none(); head = pending.Head(queue))
      pending.ParkShape(head);
  }

  State state;
  PendingQueues pending;
};

void AddAndRemove(benchmark::State& bench, int64_t queues, int64_t shapes) {
  World world(Scaled(queues), Scaled(1'000'000), shapes);
  for (auto _ : bench) {
    world.AddAll();
    world.RemoveAll();
  }
  bench.SetItemsProcessed(bench.iterations() * world.size());
  bench.counters["comparisons/item"] = static_cast<double>(world.pending.comparisons()) /
                                       static_cast<double>(bench.iterations() * world.size());
}
BENCHMARK_CAPTURE(AddAndRemove, OneQueueEqualShapes, 1, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(AddAndRemove, OneQueueAllDiffer, 1, kAllDiffer)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(AddAndRemove, TenThousandQueuesEqualShapes, 10'000, 1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(AddAndRemove, TenThousandQueuesAllDiffer, 10'000, kAllDiffer)
    ->Unit(benchmark::kMillisecond);

void PopInOrder(benchmark::State& bench, int64_t shapes) {
  World world(1, Scaled(1'000'000), shapes);
  for (auto _ : bench) {
    world.AddAll();
    for (uint32_t i = 0; i < world.size(); ++i) world.pending.Remove(world.pending.Head(NodeId(0)));
  }
  bench.SetItemsProcessed(bench.iterations() * world.size());
}
BENCHMARK_CAPTURE(PopInOrder, EqualShapes, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PopInOrder, HundredShapes, 100)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PopInOrder, AllDiffer, kAllDiffer)->Unit(benchmark::kMillisecond);

// All have been parked; quota is freed, and the first is found not to fit once more. Time is taken
// of that alone, since going to sleep again takes one evaluation for each shape anyway.
void WakeHeadPark(benchmark::State& bench, int64_t shapes) {
  World world(1, Scaled(bench.range(0)), shapes);
  world.AddAll();
  uint64_t comparisons = 0;
  for (auto _ : bench) {
    world.ParkAll(NodeId(0));
    const uint64_t before = world.pending.comparisons();
    const auto start = std::chrono::steady_clock::now();
    world.pending.Wake(NodeId(0));
    world.pending.ParkShape(world.pending.Head(NodeId(0)));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    comparisons += world.pending.comparisons() - before;
    bench.SetIterationTime(took.count());
  }
  bench.counters["comparisons"] =
      benchmark::Counter(static_cast<double>(comparisons), benchmark::Counter::kAvgIterations);
}
void FromHundredToAMillion(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(10)->Range(100, 1'000'000)->Iterations(10)->UseManualTime();
}
BENCHMARK_CAPTURE(WakeHeadPark, EqualShapes, 1)->Apply(FromHundredToAMillion);
BENCHMARK_CAPTURE(WakeHeadPark, HundredShapes, 100)->Apply(FromHundredToAMillion);
BENCHMARK_CAPTURE(WakeHeadPark, AllDiffer, kAllDiffer)->Apply(FromHundredToAMillion);

// The head is parked and woken again and again, while so many others wait in line behind it.
void ParkAndWakeTheHead(benchmark::State& bench, int64_t shapes) {
  World world(1, Scaled(bench.range(0)), shapes);
  world.AddAll();
  for (auto _ : bench) {
    world.pending.ParkShape(world.pending.Head(NodeId(0)));
    world.pending.Wake(NodeId(0));
  }
}
BENCHMARK_CAPTURE(ParkAndWakeTheHead, HundredShapes, 100)
    ->RangeMultiplier(100)
    ->Range(100, 1'000'000);
BENCHMARK_CAPTURE(ParkAndWakeTheHead, AllDiffer, kAllDiffer)
    ->RangeMultiplier(100)
    ->Range(100, 1'000'000);

}  // namespace
}  // namespace berth::engine
