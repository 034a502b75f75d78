// Simulations at scale.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <random>
#include <string>

#include "base/check.h"
#include "base/hash_index.h"
#include "simulate/report/summary.h"
#include "simulate/trace/generator.h"
#include "simulate/world/world.h"
#include "testing/bench_size.h"

namespace berth::simulate {
namespace {

using berth::testing::Size;

Input Generate(const std::string& yaml) {
  Input input;
  CHECK(AddGenerated(yaml, "benchmark", input).empty());
  SortJobs(input);
  return input;
}

uint64_t HashOfResult(const Result& result) {
  uint64_t hash = 0;
  for (const JobOutcome& job : result.jobs) {
    hash = base::MixHash(hash, static_cast<uint64_t>(job.first_start.micros));
    hash = base::MixHash(hash, static_cast<uint64_t>(job.end.micros));
  }
  return hash;
}

using Generator = Input (*)();

void PlayInBenchmark(benchmark::State& state, Generator generate) {
  uint64_t hash = 0, jobs = 0;
  double makespan = 0, floor = 0;
  for (auto _ : state) {
    const Input input = generate();
    const Result result = Play(input, {});
    state.PauseTiming();
    hash = HashOfResult(result);
    jobs = result.jobs.size();
    makespan = result.seconds();
    floor = QuotaFloor(input, result);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<int64_t>(jobs) * state.iterations());
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.counters["makespan_s"] = makespan;
  state.counters["floor_s"] = floor;
  state.SetLabel("hash " + std::to_string(hash));
}

// The shape of Kueue's baseline performance test: 15,000 jobs in 30 queues.
Input KueueBaseline() {
  return Generate(R"(
cohorts:
- className: cohort
  count: )" + std::to_string(Size(5, 1)) +
                  R"(
  queuesSets:
  - {className: cq, count: 6, nominalQuota: 20, borrowingLimit: 100, reclaimWithinCohort: Any,
     withinClusterQueue: LowerPriority, workloadsSets: [
      {count: 350, creationIntervalMs: 100,
       workloads: [{className: small, runtimeMs: 200, priority: 50, request: 1}]},
      {count: 100, creationIntervalMs: 500,
       workloads: [{className: medium, runtimeMs: 500, priority: 100, request: 5}]},
      {count: 50, creationIntervalMs: 1200,
       workloads: [{className: large, runtimeMs: 1000, priority: 200, request: 20}]}]}
)");
}
void BM_KueueBaseline(benchmark::State& state) { PlayInBenchmark(state, KueueBaseline); }
BENCHMARK(BM_KueueBaseline)->Unit(benchmark::kMillisecond);

// The same queues and amounts, with pods in ten racks of 64 nodes: the shape of Kueue's performance
// test for topologies.
std::string PlacedJobs(const std::string& name, int count, int interval, const std::string& job) {
  const int third = Size(count / 3, count / 3 / 5 + 1);
  std::string sets;
  for (const std::string constraint : {"required, ", "preferred, ", "balanced, sliceSize: 1, "})
    sets += "{count: " + std::to_string(third) +
            ", creationIntervalMs: " + std::to_string(interval) +
            ", workloads: [{className: " + name + ", tasLevel: rack, tasConstraint: " + constraint +
            job + "}]}, ";
  return sets;
}
Input KueueTopology() {
  return Generate(
      R"(
topology: {name: t, levels: [
  {nodeLabel: rack, count: )" +
      std::to_string(Size(10, 2)) +
      R"(}, {nodeLabel: kubernetes.io/hostname, count: 64, capacity: {cpu: 96}}]}
resourceFlavor: {name: f, nodeLabel: pool, topologyName: t}
cohorts:
- className: cohort
  count: )" +
      std::to_string(Size(5, 1)) +
      R"(
  queuesSets:
  - {className: cq, count: 6, nominalQuota: 20, borrowingLimit: 100, reclaimWithinCohort: Any,
     withinClusterQueue: LowerPriority, workloadsSets: [)" +
      PlacedJobs("small", 350, 100, "runtimeMs: 200, priority: 50, request: 500m, podCount: 2") +
      PlacedJobs("medium", 100, 500, "runtimeMs: 500, priority: 100, request: 1250m, podCount: 4") +
      PlacedJobs("large", 50, 1200, "runtimeMs: 1000, priority: 200, request: 2500m, podCount: 8") +
      "]}\n");
}
void BM_KueueTopology(benchmark::State& state) { PlayInBenchmark(state, KueueTopology); }
BENCHMARK(BM_KueueTopology)->Unit(benchmark::kMillisecond);

// 1,000 jobs of 256 pods each on 60,000 nodes in 200 racks. All nodes are in use most of the time.
Input ManyNodes() {
  return Generate(R"(
topology: {name: t, levels: [
  {nodeLabel: block, count: 10}, {nodeLabel: rack, count: 20},
  {nodeLabel: kubernetes.io/hostname, count: )" +
                  std::to_string(Size(300, 3)) + R"(, capacity: {cpu: 8}}]}
resourceFlavor: {name: f, nodeLabel: pool, topologyName: t}
cohorts:
- className: cohort
  count: 1
  queuesSets:
  - {className: cq, count: 10, nominalQuota: 48000, reclaimWithinCohort: Any,
     withinClusterQueue: LowerPriority, workloadsSets: [
      {count: )" + std::to_string(Size(50, 2)) +
                  R"(, creationIntervalMs: 60000,
       workloads: [{className: rack, runtimeMs: 1800000, priority: 50, request: 8, podCount: )" +
                  std::to_string(Size(256, 3)) +
                  R"(, tasConstraint: required, tasLevel: rack}]},
      {count: )" + std::to_string(Size(50, 2)) +
                  R"(, creationIntervalMs: 60000,
       workloads: [{className: block, runtimeMs: 3600000, priority: 100, request: 4, podCount: )" +
                  std::to_string(Size(256, 3)) + R"(, tasConstraint: preferred, tasLevel: block}]}]}
)");
}
void BM_ManyNodes(benchmark::State& state) { PlayInBenchmark(state, ManyNodes); }
BENCHMARK(BM_ManyNodes)->Unit(benchmark::kSecond)->Iterations(1);

// A day of a large cluster at full load: a million jobs in 1,000 queues of 10 cohorts, whose total
// requests match the quota.
Input MillionJobs() {
  return Generate(R"(
cohorts:
- className: cohort
  count: 10
  queuesSets:
  - {className: cq, count: )" +
                  std::to_string(Size(100, 1)) +
                  R"(, nominalQuota: 20, borrowingLimit: 100, reclaimWithinCohort: Any,
     withinClusterQueue: LowerPriority, workloadsSets: [
      {count: 700, creationIntervalMs: 123000,
       workloads: [{className: small, runtimeMs: 600000, priority: 50, request: 1}]},
      {count: 250, creationIntervalMs: 345000,
       workloads: [{className: medium, runtimeMs: 1200000, priority: 100, request: 2}]},
      {count: 50, creationIntervalMs: 1720000,
       workloads: [{className: large, runtimeMs: 1800000, priority: 200, request: 8}]}]}
)");
}
void BM_MillionJobs(benchmark::State& state) { PlayInBenchmark(state, MillionJobs); }
BENCHMARK(BM_MillionJobs)->Unit(benchmark::kSecond)->Iterations(1);

// The same jobs at random times, so that few arrive together.
Input MillionJobsAtRandom() {
  constexpr int64_t kDayInMicros = 24LL * 60 * 60 * 1'000'000;
  Input input = MillionJobs();
  std::mt19937_64 random(7);
  for (Job& job : input.jobs) {
    job.arrival.micros = input.start.micros + static_cast<int64_t>(random() % kDayInMicros);
  }
  SortJobs(input);
  return input;
}
void BM_MillionJobsAtRandom(benchmark::State& state) {
  PlayInBenchmark(state, MillionJobsAtRandom);
}
BENCHMARK(BM_MillionJobsAtRandom)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace berth::simulate
