// Cost of pending workloads in time and comparisons.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/random.h"
#include "engine/queue/pending.h"
#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using testing::Uid;

// Small sizes for smoke runs.
int64_t Scaled(int64_t count) { return IsTinyBenchmark() ? std::min<int64_t>(count, 1000) : count; }

// A typical job: three resources, one flavor that does not match.
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

// Queues with workloads and a number of distinct shapes per queue.
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
  // Until no workload is active.
  void MarkAllInadmissible(NodeId queue) {
    for (WorkloadId head = pending.Head(queue); !head.is_none(); head = pending.Head(queue))
      pending.MarkShapeInadmissible(head);
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

// All workloads are inadmissible; quota is freed, and the head does not fit again. Measures only
// that, since marking the rest takes one evaluation per shape anyway.
void RequeueAndMarkHead(benchmark::State& bench, int64_t shapes) {
  World world(1, Scaled(bench.range(0)), shapes);
  world.AddAll();
  uint64_t comparisons = 0;
  for (auto _ : bench) {
    world.MarkAllInadmissible(NodeId(0));
    const uint64_t before = world.pending.comparisons();
    const auto start = std::chrono::steady_clock::now();
    world.pending.RequeueInadmissible(NodeId(0));
    world.pending.MarkShapeInadmissible(world.pending.Head(NodeId(0)));
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
BENCHMARK_CAPTURE(RequeueAndMarkHead, EqualShapes, 1)->Apply(FromHundredToAMillion);
BENCHMARK_CAPTURE(RequeueAndMarkHead, HundredShapes, 100)->Apply(FromHundredToAMillion);
BENCHMARK_CAPTURE(RequeueAndMarkHead, AllDiffer, kAllDiffer)->Apply(FromHundredToAMillion);

// The head is repeatedly marked inadmissible and requeued while other workloads are active behind
// it.
void MarkAndRequeueHead(benchmark::State& bench, int64_t shapes) {
  World world(1, Scaled(bench.range(0)), shapes);
  world.AddAll();
  for (auto _ : bench) {
    world.pending.MarkShapeInadmissible(world.pending.Head(NodeId(0)));
    world.pending.RequeueInadmissible(NodeId(0));
  }
}
BENCHMARK_CAPTURE(MarkAndRequeueHead, HundredShapes, 100)
    ->RangeMultiplier(100)
    ->Range(100, 1'000'000);
BENCHMARK_CAPTURE(MarkAndRequeueHead, AllDiffer, kAllDiffer)
    ->RangeMultiplier(100)
    ->Range(100, 1'000'000);

}  // namespace
}  // namespace berth::engine
