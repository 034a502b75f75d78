// Growth of cost and memory with the number of workloads.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/testing/bench_world.h"
#include "testing/bench_size.h"

namespace berth::engine {
namespace {

using berth::testing::IsTinyBenchmark;
using testing::kStart;
using testing::ReportHash;
using testing::Uid;
using testing::World;

int Workloads(const benchmark::State& state) {
  return IsTinyBenchmark() ? 100 : static_cast<int>(state.range(0));
}
void FromHundredToAMillion(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(10)->Range(100, 1'000'000);
}

std::vector<NodeId> AddQueues(World& world, int queues, int64_t nominal) {
  std::vector<NodeId> ids;
  for (int q = 0; q < queues; ++q)
    ids.push_back(world.AddQueue("q" + std::to_string(q), "co" + std::to_string(q % 10), nominal));
  return ids;
}

// A cycle that admits one workload while many are inadmissible, and the cycles that mark the
// requeued workloads inadmissible again after it finished.
void BM_CycleWithInadmissible(benchmark::State& state) {
  World world;
  const int inadmissible = Workloads(state);
  constexpr int kShapes = 50;
  std::vector<NodeId> ids;
  for (int q = 0; q < 10; ++q) ids.push_back(world.AddQueue("q" + std::to_string(q), "co", 10));
  for (int i = 0; i < inadmissible; ++i)
    world.AddPending(ids[static_cast<size_t>(i % 10)], i,
                     {.amount = 1000 + i % kShapes, .key = static_cast<uint64_t>(i % kShapes)});
  const auto park_all = [&] {
    while (!world.RunCycle(kStart).empty()) {
    }
  };
  park_all();
  const uint64_t hash = world.hash;
  int next = inadmissible;
  for (auto _ : state) {
    const WorkloadId id = world.AddPending(ids[0], next++, {.key = 777});
    world.RunCycle(kStart);
    world.engine.Remove(id);
    park_all();
  }
  ReportHash(state, hash);
}
BENCHMARK(BM_CycleWithInadmissible)->Apply(FromHundredToAMillion)->Unit(benchmark::kMicrosecond);

// The cost of each admission: all are admitted, a hundred per queue.
void BM_AdmitEach(benchmark::State& state) {
  const int workloads = Workloads(state);
  uint64_t hash = 0;
  for (auto _ : state) {
    World world;
    const std::vector<NodeId> ids = AddQueues(world, (workloads + 99) / 100, 10'000);
    base::Random random(1);
    for (int i = 0; i < workloads; ++i)
      world.AddPending(ids[static_cast<size_t>(i) % ids.size()], i,
                       {.amount = random.Between(1, 20),
                        .priority = random.Between(0, 3),
                        .key = random.Below(40)});
    world.engine.RequeueInadmissible(ids[0]);  // builds the trees
    double seconds = 0;
    while (!world.RunCycle(kStart).empty()) seconds += world.last_seconds;
    state.SetIterationTime(seconds / workloads);
    hash = world.hash;
  }
  ReportHash(state, hash);
}
BENCHMARK(BM_AdmitEach)
    ->Apply(FromHundredToAMillion)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kNanosecond);

// --- Pending workloads ---------------------------------------------------------------------------

constexpr int kAllDiffer = 0;

// The mix of pending workloads: shapes per queue and podsets per shape.
struct Mix {
  int shapes = 1;
  int pod_sets = 1;
};

// A typical job: three resources, one flavor that does not match.
PendingSpec Pending(World& world, base::Random& random, NodeId queue, uint64_t shape,
                    int pod_sets) {
  PendingSpec spec{.uid = Uid(random),
                   .local_queue = world.local_queue,
                   .cluster_queue = queue,
                   .queue_order_time = kStart + base::Duration::Seconds(random.Between(0, 100'000)),
                   .shape = {.pod_sets = {}, .priority = 0, .key = {shape, ~shape}}};
  const ResourceId gpu = world.engine.Resource("nvidia.com/gpu");
  for (int i = 0; i < pod_sets; ++i)
    spec.shape.pod_sets.push_back({.count = 1,
                                   .full_count = 1,
                                   .group = i,
                                   .requests = {{world.cpu, 1000 + static_cast<int64_t>(shape)},
                                                {world.memory, 1 << 30},
                                                {gpu, 1}},
                                   .mismatches = {{.flavor = world.flavor}}});
  return spec;
}

void AddWaiting(World& world, const std::vector<NodeId>& queues, int workloads, const Mix& mix) {
  base::Random random(1);
  const int count = static_cast<int>(queues.size());
  for (int i = 0; i < workloads; ++i) {
    const int shape = mix.shapes == kAllDiffer ? i : i / count % mix.shapes;
    world.engine.AddPending(Pending(world, random, queues[static_cast<size_t>(i % count)],
                                    static_cast<uint64_t>(shape), mix.pod_sets),
                            kStart);
  }
}

size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Memory of a pending workload, a hundred per queue; without the queues.
void BM_BytesPerPending(benchmark::State& state, const Mix& mix) {
  const int workloads = IsTinyBenchmark() ? 1000 : 1'000'000;
  for (auto _ : state) {
    const auto world = std::make_unique<World>();
    const std::vector<NodeId> queues = AddQueues(*world, workloads / 100, 10);
    world->engine.RequeueInadmissible(queues[0]);
    const size_t before = AllocatedBytes();
    AddWaiting(*world, queues, workloads, mix);
    state.counters["bytes"] =
        static_cast<double>(AllocatedBytes() - before) / static_cast<double>(workloads);
  }
}
BENCHMARK_CAPTURE(BM_BytesPerPending, EqualShapes, Mix{})->Iterations(1);
BENCHMARK_CAPTURE(BM_BytesPerPending, TenShapes, Mix{.shapes = 10})->Iterations(1);
BENCHMARK_CAPTURE(BM_BytesPerPending, AllDiffer, Mix{.shapes = kAllDiffer})->Iterations(1);
BENCHMARK_CAPTURE(BM_BytesPerPending, AllDifferTwoPodSets, Mix{.shapes = kAllDiffer, .pod_sets = 2})
    ->Iterations(1);

// Adds and removes one workload while the others wait, all with different shapes.
void BM_AddAndRemove(benchmark::State& state) {
  World world;
  const int workloads = Workloads(state);
  const std::vector<NodeId> queues = AddQueues(world, (workloads + 99) / 100, 10);
  AddWaiting(world, queues, workloads, {.shapes = kAllDiffer});
  world.engine.RequeueInadmissible(queues[0]);
  base::Random random(2);
  uint64_t shape = static_cast<uint64_t>(workloads);
  for (auto _ : state) {
    const NodeId queue = queues[random.Below(queues.size())];
    world.engine.Remove(world.engine.AddPending(Pending(world, random, queue, ++shape, 1), kStart));
  }
}
BENCHMARK(BM_AddAndRemove)->Apply(FromHundredToAMillion)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace berth::engine
