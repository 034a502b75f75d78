// Throughput of the embedded server without HTTP: concurrent durable writes, reads, and events to
// many watchers. Prints the memory per stored object beyond its JSON.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <semaphore>

#include "apiserver/embedded_store.h"
#include "apiserver/handler/api_handler.h"
#include "base/check.h"
#include "http/testing/directory.h"
#include "testing/bench_size.h"

namespace berth::apiserver {
namespace {

const store::Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};

// Small as part of the tests, full with `make bench`.
int64_t Scaled(int64_t full) { return berth::testing::IsTinyBenchmark() ? full / 200 : full; }

std::string Job(const std::string& name) {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":")" + name +
         R"(","labels":{"kueue.x-k8s.io/queue-name":"team-a"}},"spec":{"parallelism":4,
  "completions":4,"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[
  {"name":"main","image":"registry.example/train:1","command":["train","--epochs","10"],
   "resources":{"requests":{"cpu":"2","memory":"4Gi"}}}]}}}})";
}

std::unique_ptr<ApiHandler> Open(const std::string& data_dir) {
  auto handler = ApiHandler::Open({.storage = {.data_dir = data_dir}});
  CHECK(handler.has_value());
  return std::move(*handler);
}

// Creates `count` jobs, `parallel` at a time.
void CreateJobs(ApiHandler& handler, int64_t count, std::ptrdiff_t parallel) {
  static std::atomic<int64_t> next = 0;
  std::counting_semaphore<> slots(parallel);
  for (int64_t i = 0; i < count; ++i) {
    slots.acquire();
    handler.Do(store::Create{.resource = kJobs,
                             .namespace_ = "default",
                             .object = Job("job-" + std::to_string(next++))},
               Caller{}, [&](const store::Outcome<store::Reply>& reply) {
                 CHECK(reply.has_value());
                 slots.release();
               });
  }
  for (std::ptrdiff_t i = 0; i < parallel; ++i) slots.acquire();
}

void InProcessDurableCreates(benchmark::State& state) {
  const http::testing::Directory directory;
  const auto handler = Open(directory.path().string());
  const int64_t count = Scaled(10'000);
  for (auto _ : state) CreateJobs(*handler, count, state.range(0));
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(InProcessDurableCreates)->Arg(1)->Arg(64)->Arg(512)->UseRealTime()->Iterations(1);

void InProcessGets(benchmark::State& state) {
  const auto handler = Open("");
  CreateJobs(*handler, 1, 1);
  const std::string name =
      handler->storage().Read({.collection = "jobs.batch"})->items.front().name;
  for (auto _ : state) {
    handler->Do(store::Get{.resource = kJobs, .namespace_ = "default", .name = name}, Caller{},
                [](store::Outcome<store::Reply> reply) { benchmark::DoNotOptimize(reply); });
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(InProcessGets);

void InProcessStatusPatches(benchmark::State& state) {
  const auto handler = Open("");
  CreateJobs(*handler, 1, 1);
  const std::string name =
      handler->storage().Read({.collection = "jobs.batch"})->items.front().name;
  int64_t active = 0;
  for (auto _ : state) {
    handler->Do(store::Patch{.resource = kJobs,
                             .namespace_ = "default",
                             .name = name,
                             .subresource = "status",
                             .type = store::PatchType::kMerge,
                             .body = R"({"status":{"active":)" + std::to_string(++active) + "}}"},
                Caller{},
                [](const store::Outcome<store::Reply>& reply) { CHECK(reply.has_value()); });
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(InProcessStatusPatches);

void InProcessEvents(benchmark::State& state) {
  const auto handler = Open("");
  const int64_t writes = Scaled(10'000);
  std::vector<std::unique_ptr<WatchCursor>> cursors;
  for (int64_t i = 0; i < state.range(0); ++i)
    cursors.push_back(std::move(*handler->OpenWatch({.resource = kJobs}, [] {})));
  int64_t events = 0;
  for (auto _ : state) {
    CreateJobs(*handler, writes, 1);
    for (auto& cursor : cursors)
      for (size_t taken = 1; taken > 0; events += static_cast<int64_t>(taken))
        taken = cursor->Take(256)->size();
  }
  CHECK(events == state.range(0) * writes);
  state.SetItemsProcessed(events);
}
BENCHMARK(InProcessEvents)->Arg(1000)->Iterations(1)->UseRealTime();

// Start-up time and memory with many objects.
void InProcessStart(benchmark::State& state) {
  const http::testing::Directory directory;
  const int64_t count = Scaled(100'000);
  size_t json_bytes = 0;
  {
    CreateJobs(*Open(directory.path().string()), count, 512);
  }
  malloc_trim(0);
  const size_t before = mallinfo2().uordblks;
  std::unique_ptr<ApiHandler> handler;
  for (auto _ : state) handler = Open(directory.path().string());
  const size_t after = mallinfo2().uordblks;
  const auto stored = handler->storage().Read({.collection = "jobs.batch"});
  for (const RangeItem& item : stored->items) json_bytes += item.item.text->size();
  state.counters["bytes_per_json_byte"] =
      static_cast<double>(after - before) / static_cast<double>(json_bytes);
  state.counters["json_bytes"] = static_cast<double>(json_bytes) / static_cast<double>(count);
  state.SetItemsProcessed(count);
}
BENCHMARK(InProcessStart)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::apiserver
