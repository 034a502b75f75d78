// Many jobs submitted at once to a cluster with simulated nodes. Quota and run time give a lower
// bound; the excess is the cost of controllers and server.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>

#include "base/check.h"
#include "embedded/cluster.h"
#include "embedded/testing/many_jobs.h"
#include "embedded/testing/write_counts.h"
#include "testing/bench_size.h"

namespace berth::embedded {
namespace {

using berth::testing::Size;

// Of the whole process: server, controllers, simulated nodes and client.
double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Arguments: jobs, concurrently running jobs, run time in seconds.
void JobsAtOnce(benchmark::State& state) {
  const int jobs = Size(static_cast<int>(state.range(0)), 40);
  const int quota = Size(static_cast<int>(state.range(1)), 20);
  const base::Duration run_time =
      base::Duration::Seconds(Size(static_cast<int>(state.range(2)), 1));
  const double bound = static_cast<double>(jobs) / quota * run_time.seconds();
  double taken = 0, processor = 0;
  testing::WriteCounts writes;  // by the controllers
  for (auto _ : state) {
    Cluster::Options options;
    options.taps = writes.Taps();
    options.serves_https = false;
    api::ApplyConfigurationDefaults(options.configuration);
    options.nodes->run_time = run_time;
    auto cluster = Cluster::Start(std::move(options));
    CHECK(cluster.has_value());
    testing::ManyJobs client((*cluster)->store());
    client.MakeQueues(quota);
    const double processor_before = ProcessorSeconds();
    const auto begin = std::chrono::steady_clock::now();
    client.Submit(jobs);
    client.AwaitFinished(static_cast<size_t>(jobs));
    taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    processor = ProcessorSeconds() - processor_before;
  }
  state.counters["bound_seconds"] = bound;
  state.counters["taken_seconds"] = taken;
  state.counters["times_bound"] = taken / bound;
  state.counters["cpu_ms_a_job"] = processor * 1000 / jobs;
  for (const auto& [write, count] : writes.all())
    state.counters[write] = static_cast<double>(count) / jobs;
}
BENCHMARK(JobsAtOnce)
    ->Args({2'000, 400, 2})
    ->Args({1'000, 200, 10})
    ->Args({10'000, 2'000, 10})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::embedded
