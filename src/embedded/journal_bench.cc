// Many jobs with and without a journal, and the replay of that journal.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>

#include "base/check.h"
#include "embedded/cluster.h"
#include "embedded/testing/many_jobs.h"
#include "http/testing/directory.h"
#include "journal/reader.h"
#include "journal/replay.h"
#include "testing/bench_size.h"

namespace berth::embedded {
namespace {

using berth::testing::Size;

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Processor time of the whole process for so many jobs.
double RunJobs(int jobs, int quota, std::optional<journal::Settings> settings) {
  Cluster::Options options;
  options.serves_https = false;
  options.journal = std::move(settings);
  api::ApplyConfigurationDefaults(options.configuration);
  options.nodes->run_time = base::Duration::Seconds(Size(10, 1));
  auto cluster = Cluster::Start(std::move(options));
  CHECK(cluster.has_value());
  testing::ManyJobs client((*cluster)->store());
  client.MakeQueues(quota);
  const double before = CpuSeconds();
  client.Submit(jobs);
  client.AwaitFinished(static_cast<size_t>(jobs));
  return CpuSeconds() - before;
}

// Arguments: jobs, quota.
void JournalOfJobs(benchmark::State& state) {
  const int jobs = Size(static_cast<int>(state.range(0)), 40);
  const int quota = Size(static_cast<int>(state.range(1)), 20);
  for (auto _ : state) {
    const http::testing::Directory folder;
    const double without = RunJobs(jobs, quota, std::nullopt);
    const double with = RunJobs(jobs, quota, journal::Settings{.directory = folder.path()});
    const auto begin = std::chrono::steady_clock::now();
    auto reader = journal::Reader::Open(folder.path());
    CHECK(reader.has_value());
    journal::Replay replay;
    while (const auto record = reader->Next()) replay.Add(*record);
    const double seconds = SecondsSince(begin);
    const journal::ReplayResult& result = replay.result();
    CHECK(result.is_same());
    state.counters["cpu_ms_a_job"] = without * 1000 / jobs;
    state.counters["cpu_ms_a_job_with_journal"] = with * 1000 / jobs;
    state.counters["records"] = static_cast<double>(result.records);
    state.counters["bytes_a_job"] = static_cast<double>(reader->bytes()) / jobs;
    state.counters["records_a_second"] = static_cast<double>(result.records) / seconds;
    state.counters["times_as_fast"] = (result.end - result.begin).seconds() / seconds;
  }
}
BENCHMARK(JournalOfJobs)
    ->Args({2'000, 400})
    ->Args({15'000, 3'000})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::embedded
