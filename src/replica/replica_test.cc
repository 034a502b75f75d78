// Replicas against our own API server, over HTTPS, with the test in the role of users and nodes.

#include "replica/replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include "api/cluster_queue.h"
#include "api/job.h"
#include "api/lease.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/resource_flavor.h"
#include "api/workload.h"
#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/inbox.h"
#include "store/json.h"

namespace berth::replica {
namespace {

namespace json = store::json;

constexpr base::Duration kLong = base::Duration::Seconds(120);

constexpr const char* kLeaseName = "c1f6bfd2.kueue.x-k8s.io";
constexpr const char* kOwnNamespace =
    R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kueue-system"}})";
constexpr const char* kFlavor =
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor","metadata":{"name":"f"}})";
constexpr const char* kClusterQueue =
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"cq"},
        "spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],
        "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":"1"}]}]}]}})";
constexpr const char* kLocalQueue =
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
        "metadata":{"name":"lq","namespace":"default"},"spec":{"clusterQueue":"cq"}})";

std::string JobNamed(const std::string& name) {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"namespace":"default","name":")" +
         name + R"(","labels":{"kueue.x-k8s.io/queue-name":"lq"}},
      "spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[
        {"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}})";
}

class ReplicaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto access = kube::FindAccess(server_.kubeconfig().string());
    ASSERT_TRUE(access) << base::ToString(access.error());
    access_ = std::move(*access);
    auto client = kube::Client::Make(access_);
    ASSERT_TRUE(client) << base::ToString(client.error());
    client_ = std::move(*client);
    Create<api::Namespace>(kOwnNamespace);
    Create<api::ResourceFlavor>(kFlavor);
    Create<api::ClusterQueue>(kClusterQueue);
    Create<api::LocalQueue>(kLocalQueue);
  }

  std::unique_ptr<Replica> StartReplica(bool is_elected = true) {
    Replica::Options options{.access = access_};
    api::ApplyConfigurationDefaults(options.configuration);
    options.configuration.leader_election->leader_elect = is_elected;
    options.configuration.health.health_probe_bind_address = "127.0.0.1:0";
    options.configuration.metrics.bind_address = "127.0.0.1:0";
    options.configuration.webhook.host = "127.0.0.1";
    options.configuration.webhook.port = 0;
    auto replica = Replica::Start(std::move(options));
    EXPECT_TRUE(replica) << base::ToString(replica.error());
    return replica ? std::move(*replica) : nullptr;
  }

  store::Outcome<store::Reply> Do(store::Call call) {
    std::optional<store::Outcome<store::Reply>> answer;
    client_->Do(std::move(call), inbox_,
                [&](store::Outcome<store::Reply> outcome) { answer = std::move(outcome); });
    if (!inbox_.RunUntil([&] { return answer.has_value(); }, kLong))
      return std::unexpected(store::Unreachable("the test took too long"));
    return std::move(*answer);
  }

  template <class T>
  void Create(std::string object) {
    const auto created =
        Do(store::Create{.resource = store::ResourceOf<T>(),
                         .namespace_ = T::KindInfo().is_namespaced ? "default" : "",
                         .object = std::move(object),
                         .options = {}});
    ASSERT_TRUE(created) << store::ToString(created.error());
  }

  template <class T>
  json::value Get(const std::string& name, const std::string& namespace_name = "default") {
    const auto got = Do(
        store::Get{.resource = store::ResourceOf<T>(), .namespace_ = namespace_name, .name = name});
    return got ? store::ParseJson(got->object.text()).value_or(nullptr) : json::value();
  }

  bool Eventually(const std::function<bool()>& holds) {
    const base::Time end = inbox_.Now() + kLong;
    while (!holds()) {
      if (inbox_.Now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  bool IsRunning(const std::string& job) {
    const json::value tree = Get<api::Job>(job);
    const json::value* suspend = store::FindJson(tree, {"spec", "suspend"});
    return suspend != nullptr && suspend->is_bool() && !suspend->get_bool();
  }

  // As the controller of jobs would, when its pods are through.
  void Complete(const std::string& job) {
    const auto done =
        Do(store::Patch{.resource = store::ResourceOf<api::Job>(),
                        .namespace_ = "default",
                        .name = job,
                        .subresource = "status",
                        .type = store::PatchType::kMerge,
                        .body = R"({"status":{"startTime":"2026-01-01T00:00:00Z","succeeded":1,
                    "completionTime":"2026-01-01T00:01:00Z",
                    "conditions":[{"type":"SuccessCriteriaMet","status":"True"},
                                  {"type":"Complete","status":"True",
                                   "message":"Job finished successfully"}]}})",
                        .options = {}});
    ASSERT_TRUE(done) << store::ToString(done.error());
  }

  // The Workloads that have a condition.
  size_t WorkloadsThatAre(std::string_view condition) {
    const auto list =
        Do(store::List{.resource = store::ResourceOf<api::Workload>(), .selection = {}});
    size_t count = 0;
    if (!list) return 0;
    for (const store::Object& object : list->items) {
      const auto workload = object.Decode<api::Workload>();
      if (!workload) continue;
      for (const api::Condition& c : workload->status.conditions)
        count += c.type == condition && c.status == "True" ? 1 : 0;
    }
    return count;
  }

  apiserver::testing::ApiServer server_;
  kube::Access access_;
  store::Inbox inbox_;
  std::unique_ptr<kube::Client> client_;
};

TEST_F(ReplicaTest, CarriesJobsFromQueueToEnd) {
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  Create<api::Job>(JobNamed("a"));
  Create<api::Job>(JobNamed("b"));
  ASSERT_TRUE(Eventually([&] { return IsRunning("a") || IsRunning("b"); }));
  const std::string first = IsRunning("a") ? "a" : "b";
  const std::string second = first == "a" ? "b" : "a";
  EXPECT_EQ(WorkloadsThatAre("Admitted"), 1u) << "the quota is for one";
  Complete(first);
  ASSERT_TRUE(Eventually([&] { return IsRunning(second); }));
  Complete(second);
  EXPECT_TRUE(Eventually([&] { return WorkloadsThatAre("Finished") == 2; }));
}

TEST_F(ReplicaTest, HandsOverToTheNextWhenItGoes) {
  auto first = StartReplica();
  ASSERT_NE(first, nullptr);
  ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  const auto second = StartReplica();
  ASSERT_NE(second, nullptr);
  ASSERT_TRUE(Eventually([&] { return second->IsReady(); }));
  EXPECT_FALSE(second->IsLeading());
  Create<api::Job>(JobNamed("a"));
  ASSERT_TRUE(Eventually([&] { return IsRunning("a"); }));
  first.reset();
  ASSERT_TRUE(Eventually([&] { return second->IsLeading(); }));
  Complete("a");
  Create<api::Job>(JobNamed("b"));
  EXPECT_TRUE(Eventually([&] { return IsRunning("b"); }));
}

TEST_F(ReplicaTest, ActsAloneWithoutAnElection) {
  const auto replica = StartReplica(false);
  ASSERT_NE(replica, nullptr);
  Create<api::Job>(JobNamed("a"));
  EXPECT_TRUE(Eventually([&] { return IsRunning("a"); }));
  EXPECT_TRUE(Get<api::Lease>(kLeaseName, "kueue-system").is_null());
}

TEST_F(ReplicaTest, HoldsTheLeaseThatKueueHolds) {
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  ASSERT_TRUE(Eventually([&] { return replica->IsLeading(); }));
  const json::value lease = Get<api::Lease>(kLeaseName, "kueue-system");
  EXPECT_NE(store::JsonStringAt(lease, {"spec", "holderIdentity"}), "");
}

TEST_F(ReplicaTest, AnswersProbes) {
  if (apiserver::testing::FindProgram("curl").empty()) GTEST_SKIP() << "curl is not installed";
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  const std::string base = "http://127.0.0.1:" + std::to_string(replica->probe_port());
  const auto code_of = [&](const std::string& path) {
    return apiserver::testing::RunCommand(
               {"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", base + path})
        .out;
  };
  EXPECT_EQ(code_of("/healthz"), "200");
  EXPECT_EQ(code_of("/nothing"), "404");
  ASSERT_TRUE(Eventually([&] { return replica->IsReady(); }));
  EXPECT_EQ(code_of("/readyz"), "200");
}

}  // namespace
}  // namespace berth::replica
