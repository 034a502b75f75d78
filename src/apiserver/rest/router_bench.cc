// The whole server over HTTPS, with clients in the same process and on the same cores: measures
// both sides.

#include <benchmark/benchmark.h>
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "apiserver/testing/api_server.h"
#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "testing/bench_size.h"

namespace berth::apiserver {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsRequest;
using testing::ApiServer;
using Clients = std::vector<std::unique_ptr<HttpsClient>>;

int Size(int full, int tiny) { return berth::testing::IsTinyBenchmark() ? tiny : full; }

constexpr std::string_view kJobs = "/apis/batch/v1/namespaces/default/jobs";

std::string JobText(const std::string& name) {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":")" + name +
         R"(","labels":{"kueue.x-k8s.io/queue-name":"main"}},"spec":{"suspend":true,"template":)"
         R"({"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"busybox",)"
         R"("command":["sleep","5"],"resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}}})";
}

HttpsRequest Creation(const std::string& name) {
  return {.method = "POST",
          .target = std::string(kJobs),
          .headers = {{"Content-Type", "application/json"}},
          .body = JobText(name)};
}

Clients Connect(const ApiServer& server, int count) {
  Clients clients;
  for (int i = 0; i < count; ++i)
    clients.push_back(std::make_unique<HttpsClient>(server.port(), server.credentials()));
  return clients;
}

// Each thread has half of the connections and keeps a request in flight on each. Returns the number
// of responses with `status`.
template <class MakeRequest>
int64_t Drive(std::span<const std::unique_ptr<HttpsClient>> clients, int rounds, int status,
              MakeRequest make) {
  int64_t answered = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const auto& client : clients) client->Start(make());
    for (const auto& client : clients) answered += client->Finish().status == status ? 1 : 0;
  }
  return answered;
}

template <class MakeRequest>
int64_t DriveAll(const Clients& clients, int rounds, int status, MakeRequest make) {
  std::atomic<int64_t> answered = 0;
  const std::span<const std::unique_ptr<HttpsClient>> all(clients);
  std::thread other([&] { answered += Drive(all.first(all.size() / 2), rounds, status, make); });
  answered += Drive(all.subspan(all.size() / 2), rounds, status, make);
  other.join();
  return answered;
}

bool Expect(benchmark::State& state, int64_t got, int64_t want) {
  if (got == want) return true;
  state.SkipWithError((std::to_string(got) + " of " + std::to_string(want) + " answered").c_str());
  return false;
}

void Gets(benchmark::State& state) {
  const ApiServer server;
  const Clients clients = Connect(server, 64);
  clients[0]->Do(Creation("one"));
  const int rounds = Size(200, 2);
  for (auto _ : state) {
    const int64_t answered = DriveAll(
        clients, rounds, 200, [] { return HttpsRequest{.target = std::string(kJobs) + "/one"}; });
    if (!Expect(state, answered, rounds * 64)) return;
  }
  state.SetItemsProcessed(state.iterations() * rounds * 64);
}
BENCHMARK(Gets)->UseRealTime()->Unit(benchmark::kMillisecond);

// A response means that the object is on disk.
void DurableCreates(benchmark::State& state) {
  const http::testing::Directory directory;
  const ApiServer server({.data_dir = directory.path().string()});
  const Clients clients = Connect(server, 64);
  std::atomic<int> next = 0;
  const int rounds = Size(100, 2);
  for (auto _ : state) {
    const int64_t answered = DriveAll(
        clients, rounds, 201, [&] { return Creation("job-" + std::to_string(next.fetch_add(1))); });
    if (!Expect(state, answered, rounds * 64)) return;
  }
  state.SetItemsProcessed(state.iterations() * rounds * 64);
}
BENCHMARK(DurableCreates)->UseRealTime()->Unit(benchmark::kMillisecond);

void AllowManyFiles() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Counts events in a chunked stream: events end with \n, chunks with \r\n.
struct EventCounter {
  int64_t events = 0;
  char last = '\0';

  void Read(std::string_view text) {
    for (const char c : text) {
      if (c == '\n' && last != '\r') ++events;
      last = c;
    }
  }
};

// Reads for all watchers until each has seen `events_each` events. Returns the number of watchers
// that have.
int64_t AwaitEvents(const Clients& watchers, int64_t events_each) {
  std::vector<pollfd> files;
  std::vector<EventCounter> counters(watchers.size());
  for (const auto& watcher : watchers) files.push_back({watcher->file(), POLLIN, 0});
  int64_t done = 0;
  size_t open = files.size();
  while (open > 0 && poll(files.data(), files.size(), 30'000) > 0) {
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd < 0 || files[i].revents == 0) continue;
      const std::string text = watchers[i]->ReadSome();
      counters[i].Read(text);
      const bool has_all = counters[i].events >= events_each;
      if (!has_all && !text.empty()) continue;
      done += has_all ? 1 : 0;
      files[i].fd = -1;
      --open;
    }
  }
  return done;
}

HttpsRequest MapUpdate(int64_t number) {
  return {.method = "PATCH",
          .target = "/api/v1/namespaces/default/configmaps/m" + std::to_string(number % 64),
          .headers = {{"Content-Type", "application/merge-patch+json"}},
          .body = R"({"data":{"number":")" + std::to_string(number) + "\"}}"};
}

void MakeMaps(HttpsClient& client) {
  for (int i = 0; i < 64; ++i)
    client.Do({.method = "POST",
               .target = "/api/v1/namespaces/default/configmaps",
               .headers = {{"Content-Type", "application/json"}},
               .body = R"({"metadata":{"name":"m)" + std::to_string(i) + "\"}}"});
}

// Every watcher sees every write.
void Watchers(benchmark::State& state) {
  AllowManyFiles();
  const int watcher_count = Size(1000, 20);
  const int rounds = Size(157, 2);  // of 64 writes
  for (auto _ : state) {
    state.PauseTiming();
    const ApiServer server;
    const Clients writers = Connect(server, 64);
    MakeMaps(*writers[0]);
    const Clients watchers = Connect(server, watcher_count);
    for (const auto& watcher : watchers)
      watcher->Begin({.target = "/api/v1/namespaces/default/configmaps?watch=true"});
    state.ResumeTiming();
    std::atomic<int64_t> next = 0;
    std::thread writing(
        [&] { Drive(writers, rounds, 200, [&] { return MapUpdate(next.fetch_add(1)); }); });
    const int64_t done = AwaitEvents(watchers, 64 + rounds * 64);
    writing.join();
    if (!Expect(state, done, watcher_count)) return;
  }
  state.SetItemsProcessed(state.iterations() * rounds * 64 * watcher_count);
}
BENCHMARK(Watchers)->UseRealTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::apiserver
