// Kills `berth up` at random moments during writes. Acknowledged writes must survive, quota must
// hold at every moment, and every job must finish.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "base/random.h"
#include "cli/testing/process.h"
#include "cli/testing/up_process.h"
#include "json/json.h"

namespace berth::cli {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using testing::Folder;
using testing::UpProcess;

constexpr int kKills = 50;
constexpr int kWriters = 3;
constexpr int kQuota = 24;        // concurrently running jobs
constexpr int kJobsOfWriter = 4;  // per run of the server
constexpr int kMapsOfWriter = 100;

constexpr std::string_view kQueueObjects = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: any}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: all}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: any
      resources: [{name: cpu, nominalQuota: 24}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: default}
spec: {clusterQueue: all}
)";

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kJobs = "/apis/batch/v1/namespaces/default/jobs";
constexpr std::string_view kWorkloads = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";

std::string JobOf(const std::string& name) {
  return R"({"metadata":{"name":")" + name +
         R"(","labels":{"kueue.x-k8s.io/queue-name":"main"},)"
         R"("annotations":{"berth.dev/run-time":"10ms"}},"spec":{"template":{"spec":{)"
         R"("restartPolicy":"Never","containers":[{"name":"main","image":"busybox",)"
         R"("resources":{"requests":{"cpu":"1"}}}]}}}})";
}

std::string MapOf(const std::string& name, const std::string& value) {
  return R"({"metadata":{"name":")" + name + R"("},"data":{"value":")" + value + R"("}})";
}

// A client that records acknowledged writes. No other client writes its objects.
class Writer {
 public:
  Writer(std::string name, uint64_t seed) : name_(std::move(name)), random_(seed) {}

  // Runs until the server is killed or nothing is left to do.
  void Run(const UpProcess& up) {
    HttpsClient client = up.Connect();
    int jobs = 0;
    for (int i = 0; i < kMapsOfWriter && client.is_connected(); ++i) {
      if (jobs < kJobsOfWriter && random_.Chance(5)) {
        ++jobs;
        if (!CreateJob(client)) return;
      } else if (!ChangeMap(client)) {
        return;
      }
    }
  }

  const std::set<std::string>& jobs() const { return jobs_; }

  void CheckMaps(const std::map<std::string, std::string>& found) {
    for (auto& [name, acknowledged] : maps_) {
      const auto at = found.find(name);
      const Value value = at == found.end() ? Value() : Value(at->second);
      const bool may_be_newer = unanswered_ && unanswered_->first == name;
      EXPECT_TRUE(value == acknowledged || (may_be_newer && value == unanswered_->second))
          << name << " is " << value.value_or("gone") << ", but was acknowledged as "
          << acknowledged.value_or("gone");
      acknowledged = value;
    }
    unanswered_.reset();
  }

 private:
  using Value = std::optional<std::string>;  // nullopt: absent

  HttpsResponse Do(HttpsClient& client, std::string method, std::string target, std::string body) {
    return client.Do({.method = std::move(method),
                      .target = std::move(target),
                      .headers = {{"Content-Type", "application/json"}},
                      .body = std::move(body)});
  }

  bool CreateJob(HttpsClient& client) {
    const std::string name = name_ + "-" + std::to_string(next_++);
    const HttpsResponse response = Do(client, "POST", std::string(kJobs), JobOf(name));
    if (response.status == 0) return false;
    EXPECT_EQ(response.status, 201) << response.body;
    jobs_.insert(name);
    return true;
  }

  bool ChangeMap(HttpsClient& client) {
    const std::string name = name_ + "-" + std::to_string(random_.Below(8));
    Value& acknowledged = maps_[name];
    const bool is_deletion = acknowledged && random_.Chance(4);
    const Value wanted = is_deletion ? Value() : std::to_string(next_++);
    unanswered_.emplace(name, wanted);
    const HttpsResponse response = Write(client, name, acknowledged.has_value(), wanted);
    if (response.status == 0) return false;
    EXPECT_LT(response.status, 300) << response.body;
    acknowledged = wanted;
    unanswered_.reset();
    return true;
  }

  HttpsResponse Write(HttpsClient& client, const std::string& name, bool exists,
                      const Value& wanted) {
    const std::string target = std::string(kMaps) + "/" + name;
    if (!wanted) return Do(client, "DELETE", target, "");
    if (exists) return Do(client, "PUT", target, MapOf(name, *wanted));
    return Do(client, "POST", std::string(kMaps), MapOf(name, *wanted));
  }

  std::string name_;
  base::Random random_;
  int next_ = 0;
  std::set<std::string> jobs_;  // acknowledged
  std::map<std::string, Value> maps_;
  std::optional<std::pair<std::string, Value>> unanswered_;
};

bool IsConditionTrue(const json::value& object, std::string_view type) {
  const json::value* conditions = json::Find(object, {"status", "conditions"});
  if (conditions == nullptr) return false;
  for (const json::value& condition : conditions->as_array())
    if (json::StringAt(condition, {"type"}) == type &&
        json::StringAt(condition, {"status"}) == "True")
      return true;
  return false;
}

std::string NameOfObject(const json::value& object) {
  return std::string(json::StringAt(object, {"metadata", "name"}));
}

class KilledServer : public ::testing::Test {
 protected:
  KilledServer() {
    if (const char* seed = std::getenv("BERTH_SEED")) seed_ = std::strtoull(seed, nullptr, 10);
    random_ = base::Random(seed_);
    for (int i = 0; i < kWriters; ++i)
      writers_.emplace_back("writer" + std::to_string(i), random_.Next());
  }

  std::vector<std::string> Arguments() {
    return {"-f", folder_.Write("queues.yaml", kQueueObjects)};
  }

  // One run of the server, killed at a random moment, possibly before it is ready.
  void RunAndKill() {
    UpProcess up(folder_.path() / "data", Arguments());
    const auto delay = std::chrono::milliseconds(random_.Below(300));
    std::thread killer;
    const auto kill_later = [&] {
      killer = std::thread([&up, delay] {
        std::this_thread::sleep_for(delay);
        up.Signal(SIGKILL);
      });
    };
    const bool is_early = random_.Chance(5);
    if (is_early) kill_later();
    const bool is_ready = up.WaitUntilReady();
    EXPECT_TRUE(is_ready || is_early) << up.out();
    if (is_ready) Check(up);
    if (!is_early) kill_later();
    if (is_ready) Write(up);
    killer.join();
    EXPECT_EQ(up.WaitForEnd(), 128 + SIGKILL) << up.out();
  }

  void Write(UpProcess& up) {
    std::vector<std::thread> threads;
    for (Writer& writer : writers_) threads.emplace_back([&] { writer.Run(up); });
    for (std::thread& thread : threads) thread.join();
  }

  // Compares the current state with acknowledged writes. Inconclusive if the server is killed
  // meanwhile.
  void Check(const UpProcess& up) {
    HttpsClient client = up.Connect();
    const HttpsResponse maps = client.Get(std::string(kMaps));
    const HttpsResponse jobs = client.Get(std::string(kJobs));
    const HttpsResponse workloads = client.Get(std::string(kWorkloads));
    if (maps.status != 200 || jobs.status != 200 || workloads.status != 200) return;
    ++checks_;
    CheckMaps(maps.body);
    CheckJobs(jobs.body);
    CheckQuota(workloads.body);
  }

  static json::array ItemsOf(const std::string& list) {
    const auto tree = json::Parse(list);
    const json::value* items = tree ? json::Find(*tree, {"items"}) : nullptr;
    return items != nullptr && items->is_array() ? items->get_array() : json::array();
  }

  void CheckMaps(const std::string& list) {
    std::map<std::string, std::string> found;
    for (const json::value& map : ItemsOf(list))
      found[NameOfObject(map)] = json::StringAt(map, {"data", "value"});
    for (Writer& writer : writers_) writer.CheckMaps(found);
  }

  void CheckJobs(const std::string& list) {
    std::set<std::string> found;
    for (const json::value& job : ItemsOf(list)) found.insert(NameOfObject(job));
    for (const Writer& writer : writers_)
      for (const std::string& name : writer.jobs())
        EXPECT_TRUE(found.contains(name)) << "job " << name << " was acknowledged and is lost";
  }

  void CheckQuota(const std::string& list) {
    int holders = 0;
    for (const json::value& workload : ItemsOf(list))
      if (IsConditionTrue(workload, "QuotaReserved") && !IsConditionTrue(workload, "Finished"))
        ++holders;
    EXPECT_LE(holders, kQuota);
  }

  bool HaveAllJobsEnded(HttpsClient& client) {
    const json::array jobs = ItemsOf(client.Get(std::string(kJobs)).body);
    return !jobs.empty() && std::ranges::all_of(jobs, [](const json::value& job) {
      return IsConditionTrue(job, "Complete");
    });
  }

  uint64_t seed_ = 20260102;
  base::Random random_{0};
  Folder folder_;
  std::vector<Writer> writers_;
  int checks_ = 0;
};

TEST_F(KilledServer, KeepsAcknowledgedWrites) {
  SCOPED_TRACE("repeat it with BERTH_SEED=" + std::to_string(seed_));
  for (int i = 0; i < kKills && !HasFailure(); ++i) RunAndKill();
  UpProcess last(folder_.path() / "data", Arguments());
  ASSERT_TRUE(last.WaitUntilReady()) << last.out();
  Check(last);
  EXPECT_GT(checks_, kKills / 2);
  HttpsClient client = last.Connect();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!HaveAllJobsEnded(client) && std::chrono::steady_clock::now() < deadline) {
    CheckQuota(client.Get(std::string(kWorkloads)).body);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_TRUE(HaveAllJobsEnded(client)) << client.Get(std::string(kWorkloads)).body;
  last.Signal(SIGTERM);
  EXPECT_EQ(last.WaitForEnd(), 0) << last.out();
  // Every run was cut off anywhere, and yet each of its decisions can be made again.
  const testing::Outcome replay =
      testing::Shell("$BERTH replay '" + (folder_ / "data/journal") + "'");
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  EXPECT_THAT(replay.out, ::testing::HasSubstr("Every decision is the same."));
}

}  // namespace
}  // namespace berth::cli
