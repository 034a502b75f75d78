// Dashboards on a cluster of 1,000 queues and 100,000 pending workloads: what ten of them cost the
// decisions, and how soon they show a change.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/workload.h"
#include "base/check.h"
#include "control/scheduler.h"
#include "dashboard/local_server.h"
#include "http/testing/https_client.h"
#include "query/testing/large_cluster.h"
#include "store/inbox.h"
#include "testing/bench_size.h"
#include "workload/convert/convert_workload.h"

namespace berth::dashboard {
namespace {

using berth::testing::Size;
using http::testing::HttpsClient;
using Clock = std::chrono::steady_clock;

constexpr int kDashboards = 10;
constexpr int kEndsOfAStep = 20;

int Queues() { return Size(1000, 10); }
int Workloads() { return Size(100'000, 100); }

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

// Plans and estimates are not asked for.
class NoStore final : public store::Store {
 public:
  void Do(store::Call, store::Executor& executor, store::Answer answer) override {
    executor.Post([answer = std::move(answer)]() mutable { answer(store::Reply()); });
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }
};

// Controllers without writes: in each step some workloads end, as many come, and a cycle admits.
class SimControllers {
 public:
  SimControllers() {
    for (int i = 0; i < 8; ++i) Step();  // until quota is in use
    thread_ = std::thread([this] { inbox_.Run(); });
    auto started = LocalServer::Start({.controllers = inbox_,
                                       .cluster = [this]() -> auto& { return *cluster_; },
                                       .revision = [this] { return revision_; },
                                       .store = store_},
                                      {.version = "bench", .what_if = {}});
    CHECK(started.has_value());
    server_ = *std::move(started);
  }
  ~SimControllers() {
    StepEvery(std::nullopt);
    server_.reset();
    inbox_.Stop();
    thread_.join();
  }

  const LocalServer& server() const { return *server_; }
  int64_t steps() const { return steps_; }

  // The time between two steps; nullopt: no steps.
  void StepEvery(std::optional<base::Duration> interval) {
    std::promise<void> done;
    inbox_.Post([&] {
      interval_ = interval;
      if (interval && !std::exchange(is_running_, true)) Go();
      done.set_value();
    });
    done.get_future().wait();
  }

 private:
  void Go() {
    if (!interval_) return void(is_running_ = false);
    Step();
    inbox_.PostAfter(*interval_, [this] { Go(); });
  }

  void Step() {
    for (int i = 0; i < kEndsOfAStep && !running_.empty(); ++i) {
      const auto [queue, name] = running_.front();
      running_.pop_front();
      cluster_->Delete(api::Workload::KindInfo(), "ns" + std::to_string(queue), name);
      cluster_->Apply(query::testing::PendingWorkload(queue, next_++));
    }
    cluster_->Sync(Now());
    for (const control::WorkloadChange& change : control::RunCycle(*cluster_, Now()).changes)
      if (change.kind == control::WorkloadChange::Kind::kReserve) Admit(change);
    ++revision_;
    ++steps_;
  }

  void Admit(const control::WorkloadChange& change) {
    api::Workload workload = *cluster_->FindWorkload(change.workload);
    control::Apply(change, cluster_->FindClusterQueue(change.admission.cluster_queue), workload,
                   Now());
    running_.emplace_back(std::stoi(workload.metadata.namespace_.substr(2)),
                          workload.metadata.name);
    cluster_->Apply(workload);
  }

  base::Time Now() { return inbox_.Now(); }

  std::unique_ptr<workload::ClusterState> cluster_ =
      query::testing::MakeLargeCluster(Queues(), Workloads());
  int next_ = Workloads();
  std::deque<std::pair<int, std::string>> running_;
  std::optional<base::Duration> interval_;
  bool is_running_ = false;
  uint64_t revision_ = 1;
  std::atomic<int64_t> steps_ = 0;
  NoStore store_;
  store::Inbox inbox_;
  std::thread thread_;
  std::unique_ptr<LocalServer> server_;
};

// An open page: asks for its answer after each change, as web/src/api does.
class SimPage {
 public:
  SimPage(const LocalServer& server, std::string path)
      : server_(server), path_(std::move(path)), thread_([this] { Run(); }) {}
  ~SimPage() {
    is_closed_ = true;
    thread_.join();
  }
  SimPage(const SimPage&) = delete;
  SimPage& operator=(const SimPage&) = delete;

  // Milliseconds from each announcement of a change to the whole answer.
  std::vector<double> TakeUpdates() {
    const std::lock_guard lock(mutex_);
    return std::exchange(updates_, {});
  }

 private:
  void Run() {
    const std::pair<std::string, std::string> bearer{"Authorization", "Bearer " + server_.token()};
    HttpsClient stream(server_.port()), client(server_.port());
    stream.Begin({.target = "/api/v1/updates", .headers = {bearer}});
    std::string tag;
    while (!is_closed_ && stream.NextChunk()) {
      const Clock::time_point begin = Clock::now();
      const auto answer =
          client.Do({.target = "/api/v1/" + path_, .headers = {bearer, {"If-None-Match", tag}}});
      CHECK(answer.status == 200 || answer.status == 304);
      tag = answer.Header("ETag");
      const std::lock_guard lock(mutex_);
      updates_.push_back(MillisecondsSince(begin));
    }
  }

  const LocalServer& server_;
  const std::string path_;
  std::atomic<bool> is_closed_ = false;
  std::mutex mutex_;
  std::vector<double> updates_;
  std::thread thread_;
};

std::vector<std::unique_ptr<SimPage>> OpenPages(const LocalServer& server) {
  constexpr const char* kPaths[] = {"overview", "tree", "clusterqueues/q5?limit=50",
                                    "workloads?status=pending&limit=100",
                                    "localqueues/ns7/main?limit=50"};
  std::vector<std::unique_ptr<SimPage>> pages;
  for (int i = 0; i < kDashboards; ++i)
    pages.push_back(std::make_unique<SimPage>(server, kPaths[i % std::size(kPaths)]));
  return pages;
}

void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

double StepsPerSecond(const SimControllers& controllers, int milliseconds) {
  const Clock::time_point begin = Clock::now();
  const int64_t before = controllers.steps();
  Sleep(milliseconds);
  return static_cast<double>(controllers.steps() - before) / MillisecondsSince(begin) * 1000;
}

// Steps without a pause, in turns without and with ten dashboards.
void DecisionsWithDashboards(benchmark::State& state) {
  SimControllers controllers;
  controllers.StepEvery(base::Duration());
  const int rounds = Size(5, 1), milliseconds = Size(2500, 20);
  StepsPerSecond(controllers, milliseconds);
  for (auto _ : state) {
    std::vector<double> without, with, slower;
    for (int i = 0; i < rounds; ++i) {
      without.push_back(StepsPerSecond(controllers, milliseconds));
      const auto pages = OpenPages(controllers.server());
      Sleep(milliseconds / 2);  // the credit of the time without them
      with.push_back(StepsPerSecond(controllers, milliseconds));
      slower.push_back(100 * (1 - with.back() / without.back()));
    }
    state.counters["cycles_a_second"] = Percentile(without, 0.5);
    state.counters["with_ten_dashboards"] = Percentile(with, 0.5);
    state.counters["slower_percent_median"] = Percentile(slower, 0.5);
  }
}
BENCHMARK(DecisionsWithDashboards)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

// One step a second, ten dashboards.
void UpdateOfDashboards(benchmark::State& state) {
  SimControllers controllers;
  for (auto _ : state) {
    const auto pages = OpenPages(controllers.server());
    Sleep(Size(2000, 20));
    for (const auto& page : pages) page->TakeUpdates();
    controllers.StepEvery(base::Duration::Milliseconds(Size(1000, 10)));
    Sleep(Size(20'000, 100));
    std::vector<double> updates;
    for (const auto& page : pages)
      std::ranges::copy(page->TakeUpdates(), std::back_inserter(updates));
    state.counters["update_ms_p50"] = Percentile(updates, 0.5);
    state.counters["update_ms_p95"] = Percentile(updates, 0.95);
    state.counters["update_ms_max"] = Percentile(updates, 1);
    state.counters["updates"] = static_cast<double>(updates.size());
  }
}
BENCHMARK(UpdateOfDashboards)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

// What a shell command prints.
std::string OutputOf(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  ::pclose(pipe);
  return out;
}

double NumberAfter(const std::string& text, const std::string& name) {
  const size_t at = text.find(name + "=");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 1));
}

// web/e2e/load.load.ts: the pages in Chromium, one step a second.
void PagesInChromium(benchmark::State& state) {
  const std::string web = BERTH_SOURCE_DIR "/web";
  if (berth::testing::IsTinyBenchmark() || OutputOf("command -v chromium").empty() ||
      !std::filesystem::exists(web + "/node_modules/vitest")) {
    state.SetLabel("skipped: needs Chromium, the packages of web/, and a full run");
    for (auto _ : state) continue;
    return;
  }
  SimControllers controllers;
  controllers.StepEvery(base::Duration::Seconds(1));
  for (auto _ : state) {
    const std::string out = OutputOf("cd '" + web + "' && BERTH_DASHBOARD_URL='" +
                                     controllers.server().url() + "' npm run --silent load");
    for (const char* name :
         {"first_paint_ms", "overview_ms", "tree_ms", "overview_update_ms", "tree_update_ms"})
      state.counters[name] = NumberAfter(out, name);
  }
}
BENCHMARK(PagesInChromium)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::dashboard
