// The time of each answer on the controllers' thread with 1,000 queues and 100,000 pending
// workloads, and of printing it elsewhere.

#include <benchmark/benchmark.h>

#include <string>

#include "query/overview.h"
#include "query/queue_page.h"
#include "query/testing/large_cluster.h"
#include "query/tree.h"
#include "query/usage_history.h"
#include "query/workload_list.h"
#include "query/workload_page.h"
#include "testing/bench_size.h"

namespace berth::query {
namespace {

constexpr base::Time kNow = testing::kLargeNow;

workload::ClusterState& BenchCluster() {
  static const auto kCluster =
      testing::MakeLargeCluster(berth::testing::Size(1000, 10), berth::testing::Size(100'000, 100));
  return *kCluster;
}

const Viewer& BenchViewer() {
  static const Viewer kViewer = Viewer::OfEverything("admin");
  return kViewer;
}

template <class Make>
void MeasureMaking(benchmark::State& state, Make make) {
  BenchCluster();
  for (auto _ : state) benchmark::DoNotOptimize(make());
}

void BM_Overview(benchmark::State& state) {
  MeasureMaking(state, [] { return MakeOverview(BenchCluster(), BenchViewer(), kNow); });
}
BENCHMARK(BM_Overview)->Unit(benchmark::kMillisecond);

void BM_Tree(benchmark::State& state) {
  MeasureMaking(state, [] { return MakeTree(BenchCluster(), BenchViewer(), kNow); });
}
BENCHMARK(BM_Tree)->Unit(benchmark::kMillisecond);

void BM_ClusterQueue(benchmark::State& state) {
  MeasureMaking(state,
                [] { return MakeClusterQueuePage(BenchCluster(), "q5", BenchViewer(), {}, kNow); });
}
BENCHMARK(BM_ClusterQueue)->Unit(benchmark::kMillisecond);

void BM_LocalQueue(benchmark::State& state) {
  MeasureMaking(state, [] {
    return MakeLocalQueuePage(BenchCluster(), "ns5/main", BenchViewer(), {}, kNow);
  });
}
BENCHMARK(BM_LocalQueue)->Unit(benchmark::kMillisecond);

void BM_AllWorkloads(benchmark::State& state) {
  MeasureMaking(state, [] { return ListWorkloads(BenchCluster(), BenchViewer(), {}, {}); });
}
BENCHMARK(BM_AllWorkloads)->Unit(benchmark::kMillisecond);

void BM_SearchWorkloads(benchmark::State& state) {
  MeasureMaking(
      state, [] { return ListWorkloads(BenchCluster(), BenchViewer(), {.text = "job-99"}, {}); });
}
BENCHMARK(BM_SearchWorkloads)->Unit(benchmark::kMillisecond);

void BM_Workload(benchmark::State& state) {
  MeasureMaking(state, [] { return MakeWorkloadPage(BenchCluster(), "ns5/job-5", BenchViewer()); });
}
BENCHMARK(BM_Workload)->Unit(benchmark::kMillisecond);

void BM_Sample(benchmark::State& state) {
  BenchCluster();
  UsageHistory history;
  int64_t seconds = 0;
  for (auto _ : state) history.Sample(BenchCluster(), base::Time::FromSeconds(seconds += 5));
}
BENCHMARK(BM_Sample)->Unit(benchmark::kMillisecond);

// Not on the controllers' thread.
void BM_PrintTree(benchmark::State& state) {
  const Tree tree = MakeTree(BenchCluster(), BenchViewer(), kNow);
  size_t bytes = 0;
  for (auto _ : state) bytes = ToJson(tree, "1").size();
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(BM_PrintTree)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::query
