#include <benchmark/benchmark.h>

#include <vector>

#include "workload/requests/requests.h"
#include "workload/shape.h"

namespace berth::workload {
namespace {

void BM_TakeShape(benchmark::State& state) {
  const api::ResourceList requests{{"cpu", quantity::Quantity::FromMilli(1500)},
                                   {"memory", quantity::Quantity::FromInt(1 << 30)},
                                   {"nvidia.com/gpu", quantity::Quantity::FromInt(8)}};
  std::vector<api::PodSet> pod_sets(1);
  pod_sets[0].name = "main";
  api::PodSpec& pod = pod_sets[0].template_.spec;
  pod.containers.emplace_back().resources.requests = requests;
  pod.tolerations.push_back({.key = "spot", .op = "Exists"});
  const std::vector<PodSetTotals> totals = {{"main", 1, ToRequests(requests)}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(ShapeOf({.pod_sets = pod_sets, .totals = totals}));
  }
}
BENCHMARK(BM_TakeShape);

}  // namespace
}  // namespace berth::workload
