// The cost of metrics: an event, and a scrape of a cluster with many workloads.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "api/meta/manifest.h"
#include "api/meta/object_defaults.h"
#include "observe/metrics.h"
#include "observe/testing/queue_text.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

bool IsTiny() { return std::getenv("BERTH_BENCH_TINY") != nullptr; }

void ApplyText(workload::ClusterState& cluster, const std::string& yaml) {
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    api::ApplyDefaults(*manifest.object);
    cluster.Apply(*manifest.object);
  }
}

// Pending workloads, spread evenly over the queues.
std::unique_ptr<workload::ClusterState> MakeClusterState(int queues, int workloads) {
  auto cluster =
      std::make_unique<workload::ClusterState>(api::Configuration(), api::FeatureGates());
  ApplyText(*cluster,
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
            "metadata: {name: standard}\n");
  for (int i = 0; i < queues; ++i)
    ApplyText(*cluster, testing::QueueText("q" + std::to_string(i), 20));
  api::Workload workload;
  workload.metadata.namespace_ = "space";
  workload.metadata.creation_timestamp = kNow;
  api::PodSet& pods = workload.spec.pod_sets.emplace_back();
  pods.name = "main";
  pods.count = 1;
  for (int i = 0; i < workloads; ++i) {
    workload.metadata.name = workload.metadata.uid = "w" + std::to_string(i);
    workload.spec.queue_name = "q" + std::to_string(i % queues);
    cluster->Apply(workload);
  }
  cluster->Sync(kNow);
  return cluster;
}

MetricOptions BenchOptions() {
  api::Configuration configuration;
  configuration.metrics.enable_cluster_queue_resources = true;
  return MetricOptions::From(configuration, api::FeatureGates());
}

// The part of a scrape on the controllers' thread.
void BM_Gauges(benchmark::State& state) {
  const int workloads = IsTiny() ? 100 : static_cast<int>(state.range(1));
  const auto cluster = MakeClusterState(static_cast<int>(state.range(0)), workloads);
  Metrics metrics(BenchOptions(), Role::kLeader, {});
  for (auto _ : state) benchmark::DoNotOptimize(metrics.Gauges(*cluster));
  state.counters["samples"] = static_cast<double>(metrics.Gauges(*cluster).size());
}
BENCHMARK(BM_Gauges)->Args({30, 15'000})->Args({1000, 50'000})->Unit(benchmark::kMillisecond);

// The part on the serving thread.
void BM_Text(benchmark::State& state) {
  const auto cluster = MakeClusterState(static_cast<int>(state.range(0)), 100);
  Metrics metrics(BenchOptions(), Role::kLeader, {});
  const std::vector<Sample> gauges = metrics.Gauges(*cluster);
  for (auto _ : state) benchmark::DoNotOptimize(metrics.Text(gauges));
}
BENCHMARK(BM_Text)->Arg(30)->Arg(1000)->Unit(benchmark::kMillisecond);

// Immediate admission, the event that updates most metrics.
void BM_Admission(benchmark::State& state) {
  const auto cluster = MakeClusterState(30, 30);
  Metrics metrics(BenchOptions(), Role::kLeader, {});
  const api::Workload before = *cluster->FindWorkload("space/w0");
  api::Workload after = before;
  api::Admission admission;
  admission.cluster_queue = "q0";
  workload::MarkReserved(after, admission, kNow);
  workload::SyncAdmitted(after, kNow);
  const control::WorkloadTransition step{
      .before = &before, .after = &after, .is_ours = true, .now = kNow};
  for (auto _ : state) metrics.Observe(step, *cluster);
}
BENCHMARK(BM_Admission)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace berth::observe
