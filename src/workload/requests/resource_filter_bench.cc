#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "workload/requests/resource_filter.h"

namespace berth::workload {
namespace {

constexpr size_t kPrefixes = 64;
constexpr size_t kResources = 8;

std::string Domain(base::Random& random) {
  return "vendor" + std::to_string(random.Below(200)) + ".example.com";
}

std::vector<std::string> RandomPrefixes(base::Random& random) {
  std::vector<std::string> prefixes;
  while (prefixes.size() < kPrefixes) {
    prefixes.push_back(Domain(random) + (random.Chance(2) ? "" : "/gpu"));
  }
  return prefixes;
}

api::ResourceList RandomRequests(base::Random& random) {
  api::ResourceList requests;
  requests.Set("cpu", quantity::Quantity::FromMilli(1500));
  requests.Set("memory", quantity::Quantity::FromInt(1 << 30));
  while (requests.size() < kResources) {
    requests.Set(Domain(random) + "/gpu", quantity::Quantity::FromInt(random.Between(1, 8)));
  }
  return requests;
}

void BM_FindPrefix(benchmark::State& state) {
  base::Random random(1);
  const ResourcePrefixes prefixes(RandomPrefixes(random));
  const api::ResourceList requests = RandomRequests(random);
  for (auto _ : state) {
    for (const auto& request : requests) benchmark::DoNotOptimize(prefixes.Find(request.first));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(requests.size()));
}
BENCHMARK(BM_FindPrefix);

// One pod set, of which some resources are excluded.
void BM_CountRequests(benchmark::State& state) {
  base::Random random(1);
  auto options = std::make_shared<ResourceOptions>();
  options->has_queue_exclusion = true;
  api::ClusterQueueSpec queue;
  queue.resource_groups.emplace_back().covered_resources = {"cpu", "memory"};
  queue.exclude_resource_prefixes = RandomPrefixes(random);
  ResourcePrefixPool pool;
  const ResourceFilter filter(options, queue, pool);
  const PodSetDemand demand{"main", 4, RandomRequests(random), {}};
  for (auto _ : state) benchmark::DoNotOptimize(filter.Count({&demand, 1}));
}
BENCHMARK(BM_CountRequests);

}  // namespace
}  // namespace berth::workload
