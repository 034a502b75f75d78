// The time of each answer on the controllers' thread with 1,000 queues and 100,000 pending
// workloads, and of printing it elsewhere.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "api/meta/manifest.h"
#include "api/meta/object_defaults.h"
#include "query/overview.h"
#include "query/queue_page.h"
#include "query/tree.h"
#include "query/usage_history.h"
#include "query/workload_list.h"
#include "query/workload_page.h"
#include "testing/bench_size.h"

namespace berth::query {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

void ApplyText(workload::ClusterState& cluster, const std::string& yaml) {
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    api::ApplyDefaults(*manifest.object);
    cluster.Apply(*manifest.object);
  }
}

std::string QueueTexts(int index) {
  const std::string number = std::to_string(index);
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q" + number +
         "}\nspec:\n  cohortName: c" + std::to_string(index / 20) +
         "\n  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu, memory]\n"
         "    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 4}, "
         "{name: memory, nominalQuota: 4Gi}]}]\n---\n"
         "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: main, namespace: "
         "ns" +
         number + "}\nspec: {clusterQueue: q" + number + "}\n";
}

api::Workload PendingWorkload() {
  api::Workload workload;
  workload.metadata.creation_timestamp = kNow;
  workload.spec.queue_name = "main";
  workload.status.conditions.push_back({.type = "QuotaReserved",
                                        .status = "False",
                                        .last_transition_time = kNow,
                                        .reason = "WaitingForQuota",
                                        .message = "couldn't assign flavors to pod set main"});
  for (api::Manifest& manifest : api::ReadManifests(
           "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: a}\nspec:\n"
           "  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, "
           "resources: {requests: {cpu: 1, memory: 1Gi}}}]}}}]\n"))
    workload.spec.pod_sets = manifest.object->As<api::Workload>()->spec.pod_sets;
  return workload;
}

workload::ClusterState& BenchCluster() {
  static const auto kCluster = [] {
    auto cluster =
        std::make_unique<workload::ClusterState>(api::Configuration(), api::FeatureGates());
    const int queues = testing::Size(1000, 10), workloads = testing::Size(100'000, 100);
    ApplyText(*cluster,
              "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
              "metadata: {name: standard}\n");
    for (int i = 0; i < queues; ++i) ApplyText(*cluster, QueueTexts(i));
    api::Workload workload = PendingWorkload();
    for (int i = 0; i < workloads; ++i) {
      workload.metadata.namespace_ = "ns" + std::to_string(i % queues);
      workload.metadata.name = workload.metadata.uid = "job-" + std::to_string(i);
      cluster->Apply(workload);
    }
    cluster->Sync(kNow);
    return cluster;
  }();
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
