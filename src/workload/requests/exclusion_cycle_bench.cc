// What exclusion prefixes add to a cycle: a new workload for every queue is described (this is
// where requests are filtered), queued and decided on. The same with and without prefixes, turn by
// turn in one run, in processor time and by the median of the turns, so that a busy machine does
// not decide the comparison.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/local_queue.h"
#include "base/check.h"
#include "base/random.h"
#include "testing/bench_size.h"
#include "workload/state/cluster_state.h"

namespace berth::workload {
namespace {

constexpr int kPrefixes = 64;
constexpr int kResources = 8;
constexpr int kRounds = 10;
constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

int QueueCount() { return berth::testing::IsTinyBenchmark() ? 50 : 10'000; }

std::vector<std::string> Resources() {
  std::vector<std::string> names{"cpu", "memory"};
  while (names.size() < kResources)
    names.push_back("vendor" + std::to_string(names.size()) + ".example.com/gpu");
  return names;
}

// None of them means one of the resources, so that the same is decided and counted with them; all
// queues have lists of their own.
std::vector<std::string> Prefixes(base::Random& random) {
  std::vector<std::string> prefixes;
  while (prefixes.size() < kPrefixes)
    prefixes.push_back("vendor" + std::to_string(random.Between(10, 99'999)) + ".example.com");
  return prefixes;
}

template <class T>
api::Object ObjectOf(T value) {
  api::Object object(T::KindInfo());
  *object.As<T>() = std::move(value);
  return object;
}

class World {
 public:
  explicit World(bool has_prefixes) {
    api::FeatureGates gates;
    gates.Set(api::Gate::kClusterQueueResourceExclusion, true);
    cluster_ = std::make_unique<ClusterState>(api::Configuration(), gates);
    api::ResourceFlavor flavor;
    flavor.metadata.name = "standard";
    cluster_->Apply(ObjectOf(flavor));
    base::Random random(1);
    for (int i = 0; i < QueueCount(); ++i)
      AddQueue("queue-" + std::to_string(i),
               has_prefixes ? Prefixes(random) : std::vector<std::string>());
    cluster_->Sync(kNow);
    cluster_->engine().RunCycle(kNow);
  }

  // The processor time of a round, in seconds.
  double Run(const std::vector<api::Workload>& workloads) {
    const std::clock_t start = std::clock();
    for (const api::Workload& workload : workloads) cluster_->Apply(workload);
    cluster_->Sync(kNow);
    const size_t decided = cluster_->engine().RunCycle(kNow).size();
    const std::clock_t end = std::clock();
    CHECK(decided == workloads.size());
    return static_cast<double>(end - start) / CLOCKS_PER_SEC;
  }

 private:
  void AddQueue(const std::string& name, std::vector<std::string> prefixes) {
    api::ClusterQueue queue;
    queue.metadata.name = name;
    queue.spec.namespace_selector.emplace();
    queue.spec.exclude_resource_prefixes = std::move(prefixes);
    api::ResourceGroup& group = queue.spec.resource_groups.emplace_back();
    group.covered_resources = Resources();
    api::FlavorQuotas& quotas = group.flavors.emplace_back();
    quotas.name = "standard";
    for (const std::string& resource : group.covered_resources) {
      api::ResourceQuota& quota = quotas.resources.emplace_back();
      quota.name = resource;
      quota.nominal_quota = quantity::Quantity::FromInt(int64_t{1} << 50);
    }
    cluster_->Apply(ObjectOf(std::move(queue)));
    api::LocalQueue local;
    local.metadata.name = name;
    local.metadata.namespace_ = "team";
    local.spec.cluster_queue = name;
    cluster_->Apply(ObjectOf(std::move(local)));
  }

  std::unique_ptr<ClusterState> cluster_;
};

// One for each queue.
std::vector<api::Workload> NewWorkloads(int round) {
  std::vector<api::Workload> workloads;
  for (int i = 0; i < QueueCount(); ++i) {
    api::Workload& workload = workloads.emplace_back();
    workload.metadata.name = "job-" + std::to_string(i) + "-" + std::to_string(round);
    workload.metadata.namespace_ = "team";
    workload.metadata.uid = workload.metadata.name;
    workload.spec.queue_name = "queue-" + std::to_string(i);
    api::PodSet& pod_set = workload.spec.pod_sets.emplace_back();
    pod_set.name = "main";
    pod_set.count = 2;
    api::Container& container = pod_set.template_.spec.containers.emplace_back();
    for (const std::string& resource : Resources())
      container.resources.requests.Set(resource, quantity::Quantity::FromInt(1 + i % 7));
  }
  return workloads;
}

double Median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const size_t middle = numbers.size() / 2;
  return (numbers[middle] + numbers[numbers.size() - 1 - middle]) / 2;
}

void BM_CycleWithPrefixes(benchmark::State& state) {
  for (auto _ : state) {
    World without(false), with(true);
    std::vector<double> without_seconds, with_seconds, ratios;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<api::Workload> workloads = NewWorkloads(round);
      // Alternate: the second run has warm caches.
      if (round % 2 == 0) without_seconds.push_back(without.Run(workloads));
      with_seconds.push_back(with.Run(workloads));
      if (round % 2 != 0) without_seconds.push_back(without.Run(workloads));
      ratios.push_back(with_seconds.back() / without_seconds.back());
    }
    state.SetIterationTime(Median(with_seconds));
    state.counters["without_ms"] = Median(without_seconds) * 1e3;
    state.counters["with_ms"] = Median(with_seconds) * 1e3;
    state.counters["added_percent"] = 100 * (Median(ratios) - 1);
  }
}
BENCHMARK(BM_CycleWithPrefixes)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::workload
