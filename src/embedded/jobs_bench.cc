// Many jobs submitted at once to a whole cluster with simulated nodes. They cannot end sooner than
// quota lets them: so many at a time, each for its run time. What it takes longer is what the
// controllers and the server take.

#include <benchmark/benchmark.h>

#include <chrono>
#include <set>
#include <string>

#include "api/cluster_queue.h"
#include "api/job.h"
#include "api/local_queue.h"
#include "api/resource_flavor.h"
#include "base/check.h"
#include "embedded/cluster.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "testing/bench_size.h"

namespace berth::embedded {
namespace {

using berth::testing::Size;

constexpr int kMostUnderWay = 256;
constexpr base::Duration kPatience = base::Duration::Seconds(900);

// A client in the same process.
class Submitter {
 public:
  explicit Submitter(store::Store& store) : store_(store) {}

  // Does not wait for the answer unless many are under way.
  void Create(const store::Resource& resource, std::string object) {
    CHECK(inbox_.RunUntil([&] { return under_way_ < kMostUnderWay; }, kPatience));
    ++under_way_;
    store_.Do(store::Create{.resource = resource,
                            .namespace_ = resource.is_namespaced ? "default" : "",
                            .object = std::move(object),
                            .options = {}},
              inbox_, [this](const store::Outcome<store::Reply>& reply) {
                CHECK(reply.has_value());
                --under_way_;
              });
  }

  // Waits until so many jobs have ended.
  void AwaitEnds(size_t count) {
    std::set<store::ObjectName> ended;
    const store::Informer informer(
        store_, inbox_, store::ResourceOf<api::Job>(), {},
        {.on_change =
             [&](const store::Change& change) {
               if (change.after != nullptr &&
                   change.after->text().find(R"("type":"Complete")") != std::string_view::npos)
                 ended.insert(change.after->key());
             },
         .on_synced = [] {},
         .on_failure = [](const store::Failure&) {}});
    CHECK(inbox_.RunUntil([&] { return ended.size() == count && under_way_ == 0; }, kPatience));
  }

 private:
  store::Store& store_;
  store::Inbox inbox_;
  int under_way_ = 0;
};

void MakeQueues(Submitter& submitter, int quota) {
  submitter.Create(store::ResourceOf<api::ResourceFlavor>(), R"({"metadata":{"name":"any"}})");
  submitter.Create(
      store::ResourceOf<api::ClusterQueue>(),
      R"({"metadata":{"name":"all"},"spec":{"namespaceSelector":{},"resourceGroups":[{)"
      R"("coveredResources":["cpu"],"flavors":[{"name":"any","resources":[{"name":"cpu",)"
      R"("nominalQuota":")" +
          std::to_string(quota) + R"("}]}]}]}})");
  submitter.Create(store::ResourceOf<api::LocalQueue>(),
                   R"({"metadata":{"name":"main"},"spec":{"clusterQueue":"all"}})");
}

std::string JobNumber(int number) {
  return R"({"metadata":{"name":"job-)" + std::to_string(number) +
         R"(","labels":{"kueue.x-k8s.io/queue-name":"main"}},"spec":{"template":{"spec":{)"
         R"("restartPolicy":"Never","containers":[{"name":"main","image":"busybox",)"
         R"("resources":{"requests":{"cpu":"1"}}}]}}}})";
}

void JobsAtOnce(benchmark::State& state) {
  const int jobs = Size(static_cast<int>(state.range(0)), 40);
  const int quota = Size(static_cast<int>(state.range(1)), 20);
  const base::Duration run_time = base::Duration::Seconds(Size(10, 1));
  const double bound = static_cast<double>(jobs) / quota * run_time.seconds();
  double taken = 0;
  for (auto _ : state) {
    Cluster::Options options;
    options.serves_https = false;
    api::ApplyConfigurationDefaults(options.configuration);
    options.nodes->run_time = run_time;
    auto cluster = Cluster::Start(std::move(options));
    CHECK(cluster.has_value());
    Submitter submitter((*cluster)->store());
    MakeQueues(submitter, quota);
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < jobs; ++i) submitter.Create(store::ResourceOf<api::Job>(), JobNumber(i));
    submitter.AwaitEnds(static_cast<size_t>(jobs));
    taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  state.counters["bound_seconds"] = bound;
  state.counters["taken_seconds"] = taken;
  state.counters["times_bound"] = taken / bound;
}
BENCHMARK(JobsAtOnce)
    ->Args({1'000, 200})
    ->Args({10'000, 2'000})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::embedded
