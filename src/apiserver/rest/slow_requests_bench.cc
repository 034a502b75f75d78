// What slow requests of one client cost another one: the time of its gets beside a client that
// writes large objects without pause. One thread serves all connections.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "apiserver/testing/api_server.h"
#include "base/check.h"
#include "http/testing/https_client.h"
#include "testing/bench_size.h"

namespace berth::apiserver {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsRequest;
using Clock = std::chrono::steady_clock;

constexpr const char* kBenchMaps = "/api/v1/namespaces/default/configmaps";

HttpsRequest PostMap(const std::string& query, std::string body) {
  return {.method = "POST",
          .target = kBenchMaps + query,
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

std::string MapOfSize(int entries) {
  std::string text = R"({"metadata":{"name":"large"},"data":{)";
  for (int64_t i = 0; i < entries; ++i)
    text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i * 7919 % 1'000'003) + "\":\"\"";
  return text + "}}";
}

void BM_GetBesideLargeWrites(benchmark::State& state) {
  testing::ApiServer server({.threads = 1});
  CHECK(server.error().empty());
  HttpsClient small(server.port(), server.credentials());
  CHECK(small.Do(PostMap("", R"({"metadata":{"name":"small"}})")).status == 201);
  std::atomic<bool> is_over = false;
  std::atomic<int> writes = 0;
  std::thread other([&] {
    const std::string map = MapOfSize(static_cast<int>(state.range(0)));
    HttpsClient client(server.port(), server.credentials());
    for (; !is_over && state.range(0) > 0; ++writes)
      CHECK(client.Do(PostMap("?dryRun=All", map)).status == 201);
  });
  std::vector<double> milliseconds;
  for (auto _ : state) {
    const auto begin = Clock::now();
    CHECK(small.Get(std::string(kBenchMaps) + "/small").status == 200);
    const std::chrono::duration<double, std::milli> span = Clock::now() - begin;
    milliseconds.push_back(span.count());
  }
  is_over = true;
  other.join();
  std::ranges::sort(milliseconds);
  state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
  state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
  state.counters["max_ms"] = milliseconds.back();
  state.counters["writes"] = writes.load();
}

void Sizes(benchmark::internal::Benchmark* bench) {
  for (const int entries : {0, berth::testing::IsTinyBenchmark() ? 100 : 100'000})
    bench->Arg(entries);
}
BENCHMARK(BM_GetBesideLargeWrites)->Apply(Sizes)->UseRealTime();

}  // namespace
}  // namespace berth::apiserver
