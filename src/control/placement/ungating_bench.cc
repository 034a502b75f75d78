#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "control/placement/ungating.h"
#include "control/testing/placed_workload.h"
#include "testing/bench_size.h"

namespace berth::control {
namespace {

constexpr int kPodsOfANode = 8;

// A job whose pods run on the nodes of their ranks, but for the last `gated`.
struct PlacedJob {
  PlacedJob(int count, int gated) {
    testing::PlacedSet set{.domains = {}, .request = {}};
    for (int i = 0; i < count; i += kPodsOfANode)
      set.domains.push_back({{"n" + std::to_string(i / kPodsOfANode)}, kPodsOfANode});
    set.request.pod_index_label = "index";
    workload = testing::PlacedWorkload({set});
    for (int i = 0; i < count; ++i) {
      base::FlatMap<int32_t> index{{"index", i}};
      pods["p" + std::to_string(i)] =
          i < count - gated ? testing::PodOn("n" + std::to_string(i / kPodsOfANode), index)
                            : testing::GatedPod(index);
    }
  }

  std::vector<Ungating> Plan() const {
    std::vector<UngatingPod> all;
    for (const auto& [name, pod] : pods) all.push_back({.name = name, .pod = &pod});
    return PlanUngating(workload, std::move(all));
  }

  api::Workload workload;
  std::map<std::string, PlacedPod> pods;
};

void BM_UngateAllPods(benchmark::State& state) {
  const int count = berth::testing::Size(8192, 64);
  const PlacedJob job(count, count);
  for (auto _ : state) benchmark::DoNotOptimize(job.Plan());
}
BENCHMARK(BM_UngateAllPods);

void BM_UngateTheLastPod(benchmark::State& state) {
  const PlacedJob job(berth::testing::Size(8192, 64), 1);
  for (auto _ : state) benchmark::DoNotOptimize(job.Plan());
}
BENCHMARK(BM_UngateTheLastPod);

}  // namespace
}  // namespace berth::control
