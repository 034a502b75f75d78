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
