// The dashboard of a cluster: every user sees what RBAC allows, over HTTPS.

#include "replica/dashboard_server.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "json/json.h"
#include "query/testing/cluster.h"
#include "store/inbox.h"
#include "store/system_time.h"
#include "store/testing/eventually.h"

namespace berth::replica {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kSecrets[] = {"token-of-admin", "token-of-red", "token-of-blue"};

// An API server whose tokens are "token-of-" and the user: admin, who may list everything, and red
// and blue, who may list Workloads and LocalQueues in the namespace of their name.
class RbacStore final : public store::Store {
 public:
  void Do(store::Call call, store::Executor& executor, store::Answer answer) override {
    const auto& create = std::get<store::Create>(call);
    ++reviews;
    const auto spec = *json::Parse(create.object);
    const std::string status = create.resource.plural == "tokenreviews"
                                   ? TokenStatus(json::StringAt(spec, {"spec", "token"}))
                                   : AccessStatus(*json::Find(spec, {"spec"}));
    executor.Post([this, status, answer = std::move(answer)]() mutable {
      if (is_down) return answer(std::unexpected(store::Unreachable("it is down")));
      store::Reply reply;
      reply.object = *store::Object::FromJson(R"({"metadata":{},"status":)" + status + "}");
      answer(std::move(reply));
    });
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }

  std::atomic<int> reviews = 0;
  std::atomic<bool> is_down = false;

 private:
  static std::string TokenStatus(std::string_view token) {
    if (std::ranges::find(kSecrets, token) == std::end(kSecrets))
      return R"({"authenticated":false})";
    return R"({"authenticated":true,"user":{"username":")" + std::string(token.substr(9)) + "\"}}";
  }

  static std::string AccessStatus(const json::value& spec) {
    const std::string_view user = json::StringAt(spec, {"user"});
    const std::string_view space = json::StringAt(spec, {"resourceAttributes", "namespace"});
    const std::string_view plural = json::StringAt(spec, {"resourceAttributes", "resource"});
    const bool is_list = json::StringAt(spec, {"resourceAttributes", "verb"}) == "list";
    const bool is_namespaced = plural == "workloads" || plural == "localqueues";
    const bool is_allowed = is_list && (user == "admin" || (is_namespaced && space == user));
    return is_allowed ? R"({"allowed":true})" : R"({"allowed":false})";
  }
};

class DashboardServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workload::testing::ApplyYaml(query::testing::kTeams, cluster_);
    for (const char* team : {"red", "blue"})
      workload::testing::ApplyYaml(
          query::testing::TextOf({.team = team, .name = std::string("job-of-") + team}), cluster_);
    cluster_.Sync(query::testing::kNow);
    thread_ = std::thread([this] { controllers_.Run(); });
    credentials_ = *http::MakeTlsCredentials({}, store::SystemTime());
    folder_.Write("tls.crt", credentials_.server.certificate);
    folder_.Write("tls.key", credentials_.server.key);
    auto started =
        DashboardServer::Start(store_,
                               {.controllers = controllers_,
                                .cluster = [this]() -> workload::ClusterState& { return cluster_; },
                                .revision = [this] { return revision_.load(); },
                                .store = store_},
                               {.mode = "cluster", .version = "1", .hosts = {}, .what_if = {}},
                               {.address = {.ip = "127.0.0.1", .port = 0},
                                .tls = {},
                                .certificates = folder_.path().string(),
                                .log = [this](std::string_view line) {
                                  const std::lock_guard lock(mutex_);
                                  log_.emplace_back(line);
                                }});
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = *std::move(started);
  }
  void TearDown() override {
    server_.reset();
    controllers_.Stop();
    thread_.join();
  }

  static http::testing::HttpsRequest RequestAs(const std::string& user, std::string target) {
    http::testing::HttpsRequest request{.target = std::move(target)};
    if (!user.empty()) request.headers.emplace_back("Authorization", "Bearer token-of-" + user);
    return request;
  }
  // Retried until the server has its certificate.
  HttpsResponse Ask(const http::testing::HttpsRequest& request) {
    HttpsResponse response;
    EXPECT_TRUE(store::testing::Eventually([&] {
      HttpsClient client(server_->port(), credentials_, /*shows_certificate=*/false);
      if (client.is_connected()) response = client.Do(request);
      return response.status != 0;
    }));
    return response;
  }
  HttpsResponse GetAs(const std::string& user, std::string target) {
    return Ask(RequestAs(user, std::move(target)));
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  std::atomic<uint64_t> revision_ = 1;
  RbacStore store_;
  store::Inbox controllers_;
  std::thread thread_;
  http::TlsCredentials credentials_;
  http::testing::Directory folder_;
  std::mutex mutex_;
  std::vector<std::string> log_;
  std::unique_ptr<DashboardServer> server_;
};

constexpr const char* kAnswers[] = {
    "/api/v1/session",
    "/api/v1/overview",
    "/api/v1/tree",
    "/api/v1/clusterqueues/blue",
    "/api/v1/localqueues/blue/main",
    "/api/v1/workloads",
    "/api/v1/workloads?namespace=blue",
    "/api/v1/workloads?q=job-of-blue",
    "/api/v1/workloads/blue/job-of-blue",
    "/api/v1/workloads/blue/job-of-blue/eta",
    "/api/v1/workloads/blue/job-of-blue/history",
    "/api/v1/clusterqueues/blue/history?at=1800000000",
    "/api/v1/flavors",
    "/api/v1/manifests/workloads/blue/job-of-blue",
    "/api/v1/manifests/clusterqueues/blue",
    "/api/v1/manifests/localqueues/blue/main",
    "/api/v1/history/usage?kind=ClusterQueue&name=blue",
    "/api/v1/history/usage?kind=Cohort&name=all",
};

TEST_F(DashboardServerTest, AnonymousUserSeesNothing) {
  for (const char* path : kAnswers) EXPECT_EQ(GetAs("", path).status, 401) << path;
  EXPECT_EQ(GetAs("", "/api/v1/updates").status, 401);
  EXPECT_EQ(GetAs("stranger", "/api/v1/tree").status, 401);
  EXPECT_EQ(GetAs("", "/").status, 200) << "the login is a page";
}

TEST_F(DashboardServerTest, UserOfOneNamespaceSeesNothingOfAnother) {
  for (const char* path : kAnswers) {
    const HttpsResponse response = GetAs("red", path);
    EXPECT_THAT(response.body, Not(HasSubstr("job-of-blue"))) << path;
    EXPECT_THAT(response.body, Not(HasSubstr(R"("namespace":"blue")"))) << path;
  }
  EXPECT_EQ(GetAs("red", "/api/v1/workloads/blue/job-of-blue").status, 404);
  EXPECT_EQ(GetAs("red", "/api/v1/workloads/blue/job-of-blue/eta").status, 404);
  EXPECT_EQ(GetAs("red", "/api/v1/workloads/blue/job-of-blue/history").status, 404);
  EXPECT_EQ(GetAs("red", "/api/v1/clusterqueues/red/history?at=1").status, 404);
  EXPECT_EQ(GetAs("red", "/api/v1/clusterqueues/red").status, 404) << "RBAC allows no such list";
  EXPECT_THAT(GetAs("red", "/api/v1/workloads").body, HasSubstr("job-of-red"));
  EXPECT_THAT(GetAs("red", "/api/v1/overview").body, HasSubstr(R"("pending":1)"));
}

// The same question of two users, one after the other: a kept answer is not shared across rights.
TEST_F(DashboardServerTest, KeptAnswersAreNotSharedAcrossRights) {
  EXPECT_THAT(GetAs("admin", "/api/v1/workloads").body, HasSubstr("job-of-blue"));
  EXPECT_THAT(GetAs("red", "/api/v1/workloads").body, Not(HasSubstr("job-of-blue")));
  const std::string tag = GetAs("admin", "/api/v1/tree").Header("ETag");
  auto request = RequestAs("red", "/api/v1/tree");
  request.headers.emplace_back("If-None-Match", tag);
  EXPECT_EQ(Ask(request).status, 200);
}

TEST_F(DashboardServerTest, PlansNeedAllRights) {
  auto request = RequestAs("red", "/api/v1/plan");
  request.method = "POST";
  request.body = "kind: ClusterQueue";
  EXPECT_EQ(Ask(request).status, 403);
}

TEST_F(DashboardServerTest, StreamOfUpdatesHoldsRevisionsOnly) {
  GetAs("red", "/api/v1/session");
  HttpsClient client(server_->port(), credentials_, /*shows_certificate=*/false);
  client.Begin(RequestAs("red", "/api/v1/updates"));
  const std::string event = client.NextChunk().value_or("");
  EXPECT_THAT(event, AllOf(HasSubstr("\"revision\""), Not(HasSubstr("job-of"))));
  ++revision_;
  EXPECT_THAT(client.NextChunk().value_or(""), HasSubstr("event: change"));
}

TEST_F(DashboardServerTest, RightsAreReviewedOnceForManyRequests) {
  GetAs("red", "/api/v1/session");
  const int before = store_.reviews;
  for (int i = 0; i < 5; ++i) GetAs("red", "/api/v1/workloads");
  EXPECT_EQ(store_.reviews, before);
}

TEST_F(DashboardServerTest, IsUnavailableWhileReviewsFail) {
  store_.is_down = true;
  EXPECT_EQ(GetAs("red", "/api/v1/tree").status, 503);
  store_.is_down = false;
  EXPECT_EQ(GetAs("red", "/api/v1/tree").status, 200);
}

TEST_F(DashboardServerTest, LogsNoToken) {
  for (const char* user : {"admin", "red", "stranger"}) GetAs(user, "/api/v1/tree");
  const std::lock_guard lock(mutex_);
  EXPECT_THAT(log_, Each(Not(HasSubstr("token-of"))));
}

}  // namespace
}  // namespace berth::replica
