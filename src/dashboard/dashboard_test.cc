// The dashboard's server over real HTTP, on a live state.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "dashboard/local_server.h"
#include "dashboard/parameters.h"
#include "dashboard/route.h"
#include "http/testing/https_client.h"
#include "query/testing/cluster.h"
#include "store/inbox.h"

namespace berth::dashboard {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Ne;

// Has no objects.
class EmptyStore final : public store::Store {
 public:
  void Do(store::Call, store::Executor& executor, store::Answer answer) override {
    executor.Post([answer = std::move(answer)]() mutable { answer(store::Reply()); });
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }
};

class DashboardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workload::testing::ApplyYaml(query::testing::kTeams, cluster_);
    cluster_.Sync(query::testing::kNow);
    thread_ = std::thread([this] { controllers_.Run(); });
    LocalServer::Options options{.version = "1.2.3"};
    api::ApplyConfigurationDefaults(options.what_if.configuration);
    auto started = LocalServer::Start({.controllers = controllers_,
                                       .cluster = [this]() -> workload::ClusterState& {
                                         ++reads_;
                                         return cluster_;
                                       },
                                       .revision = [this] { return revision_.load(); },
                                       .store = store_},
                                      std::move(options));
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = *std::move(started);
  }
  void TearDown() override {
    server_.reset();
    controllers_.Stop();
    thread_.join();
  }

  void Add(const query::testing::SimWorkload& workload) {
    std::promise<void> done;
    controllers_.Post([&] {
      workload::testing::ApplyYaml(query::testing::TextOf(workload), cluster_);
      cluster_.Sync(query::testing::kNow);
      ++revision_;
      done.set_value();
    });
    done.get_future().wait();
  }

  std::pair<std::string, std::string> Bearer() const {
    return {"Authorization", "Bearer " + server_->token()};
  }
  HttpsResponse Get(std::string target) {
    HttpsClient client(server_->port());
    return client.Do({.target = std::move(target), .headers = {Bearer()}});
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  std::atomic<uint64_t> revision_ = 1;
  std::atomic<int> reads_ = 0;
  EmptyStore store_;
  store::Inbox controllers_;
  std::thread thread_;
  std::unique_ptr<LocalServer> server_;
};

// --- Who may ask --------------------------------------------------------------------------------

TEST_F(DashboardTest, AnswersNoOneWithoutToken) {
  HttpsClient client(server_->port());
  for (const char* path : {"session", "overview", "tree", "workloads", "updates", "flavors"})
    EXPECT_EQ(client.Get("/api/v1/" + std::string(path)).status, 401) << path;
  EXPECT_EQ(
      client.Do({.target = "/api/v1/tree", .headers = {{"Authorization", "Bearer guess"}}}).status,
      401);
}

TEST_F(DashboardTest, SlowsDownGuessesOfTokens) {
  HttpsClient client(server_->port());
  HttpsResponse last;
  for (int i = 0; i < 40 && last.status != 429; ++i) last = client.Get("/api/v1/session");
  EXPECT_EQ(last.status, 429);
  EXPECT_EQ(last.Header("Retry-After"), "1");
}

TEST_F(DashboardTest, RefusesForeignHostNames) {
  HttpsClient client(server_->port());
  client.Send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(client.Finish().status, 403);
}

TEST_F(DashboardTest, SaysWhoAsks) {
  EXPECT_THAT(Get("/api/v1/session").body,
              AllOf(HasSubstr(R"("user":"berth-admin","mode":"local","version":"1.2.3")"),
                    HasSubstr(R"("history":true)")));
}

// --- What may be asked --------------------------------------------------------------------------

TEST_F(DashboardTest, ServesThePageWithSecurityHeaders) {
  HttpsClient client(server_->port());
  const HttpsResponse page = client.Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.Header("Content-Security-Policy"),
              AllOf(HasSubstr("default-src 'none'"), HasSubstr("frame-ancestors 'none'")));
  EXPECT_EQ(page.Header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page.Header("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(client.Do({.headers = {{"If-None-Match", page.Header("ETag")}}}).status, 304);
  EXPECT_EQ(client.Do({.method = "HEAD"}).status, 200);
}

TEST_F(DashboardTest, ForgedPathsLeadNowhere) {
  for (const char* path :
       {"/../../etc/passwd", "/api/v1/workloads/red%2Fmain/a", "/api/v1/workloads/red/..%2f..",
        "/api/v1/manifests/secrets/kube-system/token", "/api/v1/clusterqueues/", "//", "/a/b",
        "/api/v1/clusterqueues/%00", "/api/v2/tree", "/app.js.map"})
    EXPECT_EQ(Get(path).status, 404) << path;
}

TEST_F(DashboardTest, RefusesMalformedParameters) {
  EXPECT_EQ(Get("/api/v1/workloads?limit=-1").status, 400);
  EXPECT_EQ(Get("/api/v1/workloads?sort=uid").status, 400);
  EXPECT_EQ(Get("/api/v1/history/usage?from=2&to=1").status, 400);
}

TEST_F(DashboardTest, IsReadOnly) {
  HttpsClient client(server_->port());
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH"})
    EXPECT_EQ(
        client.Do({.method = method, .target = "/api/v1/workloads", .headers = {Bearer()}}).status,
        405);
}

TEST_F(DashboardTest, RefusesOversizedBodies) {
  HttpsClient client(server_->port());
  client.Start({.method = "POST",
                .target = "/api/v1/plan",
                .headers = {Bearer()},
                .body = std::string(2 << 20, 'x')});
  EXPECT_EQ(client.Finish().status, 413);
}

// --- Answers ------------------------------------------------------------------------------------

TEST_F(DashboardTest, AnswersFromTheLiveState) {
  Add({.team = "red", .name = "job"});
  EXPECT_THAT(Get("/api/v1/workloads?q=job").body, HasSubstr(R"("total":1)"));
  EXPECT_THAT(Get("/api/v1/workloads/red/job").body,
              AllOf(HasSubstr(R"("position":0)"), HasSubstr(R"("explanation":{)")));
  EXPECT_THAT(Get("/api/v1/clusterqueues/red").body, HasSubstr(R"("pendingTotal":1)"));
  EXPECT_THAT(Get("/api/v1/localqueues/red/main").body, HasSubstr(R"("clusterQueue":"red")"));
  EXPECT_THAT(Get("/api/v1/overview").body, HasSubstr(R"("clusterQueues":2)"));
  EXPECT_THAT(Get("/api/v1/flavors").body, HasSubstr(R"("name":"standard")"));
  const HttpsResponse manifest = Get("/api/v1/manifests/clusterqueues/red");
  EXPECT_THAT(manifest.body, HasSubstr("kind: ClusterQueue"));
  EXPECT_THAT(manifest.Header("Content-Type"), HasSubstr("text/yaml"));
  EXPECT_THAT(Get("/api/v1/history/usage?kind=ClusterQueue&name=red").body,
              HasSubstr(R"("step":5)"));
}

TEST_F(DashboardTest, UnchangedAnswerIsNotSentAgain) {
  const std::string tag = Get("/api/v1/tree").Header("ETag");
  HttpsClient client(server_->port());
  const auto again = [&] {
    return client.Do({.target = "/api/v1/tree", .headers = {Bearer(), {"If-None-Match", tag}}})
        .status;
  };
  EXPECT_EQ(again(), 304);
  Add({.team = "red", .name = "job"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // longer than an answer is kept
  EXPECT_EQ(again(), 200);
}

TEST_F(DashboardTest, ManyClientsShareOneAnswer) {
  Get("/api/v1/tree");
  const int before = reads_;
  for (int i = 0; i < 10; ++i) Get("/api/v1/tree");
  EXPECT_LT(reads_ - before, 10);
}

TEST_F(DashboardTest, TellsClientsOfChanges) {
  HttpsClient client(server_->port());
  const HttpsResponse head = client.Begin({.target = "/api/v1/updates", .headers = {Bearer()}});
  EXPECT_THAT(head.Header("Content-Type"), HasSubstr("text/event-stream"));
  const std::string first = client.NextChunk().value_or("");
  EXPECT_THAT(first, HasSubstr("event: change\ndata: {\"revision\":\""));
  Add({.team = "red", .name = "job"});
  const std::string second = client.NextChunk().value_or("");
  EXPECT_THAT(second, AllOf(HasSubstr("event: change"), Ne(first)));
}

TEST_F(DashboardTest, ASlowClientDelaysNoOther) {
  HttpsClient slow(server_->port());
  slow.Send("GET /api/v1/tree HTTP/1.1\r\nHost: loc");  // and no more
  HttpsClient silent(server_->port());
  silent.Start({.target = "/api/v1/tree", .headers = {Bearer()}});  // reads nothing
  EXPECT_EQ(Get("/api/v1/tree").status, 200);
}

// --- What if ------------------------------------------------------------------------------------

TEST_F(DashboardTest, ProblemsOfAPlanHaveTheirPlace) {
  HttpsClient client(server_->port());
  const HttpsResponse response = client.Do(
      {.method = "POST",
       .target = "/api/v1/plan",
       .headers = {Bearer()},
       .body = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: red}\n"
               "spec:\n  queueingStrategy: Random\n"});
  EXPECT_EQ(response.status, 422);
  EXPECT_THAT(response.body, AllOf(HasSubstr(R"("line":5)"), HasSubstr("queueingStrategy")));
}

TEST_F(DashboardTest, PlansAValidChange) {
  HttpsClient client(server_->port());
  const HttpsResponse response =
      client.Do({.method = "POST",
                 .target = "/api/v1/plan",
                 .headers = {Bearer()},
                 .body = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"
                         "metadata: {name: red}\nspec: {namespaceSelector: {}}\n"});
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_THAT(response.body, AllOf(HasSubstr(R"("evicted":[])"), HasSubstr(R"("text":")")));
}

TEST_F(DashboardTest, HasNoEstimateForAMissingWorkload) {
  EXPECT_EQ(Get("/api/v1/workloads/red/none/eta").status, 409);
}

// --- Routes and limits --------------------------------------------------------------------------

TEST(Route, NamesTheObject) {
  const Route route = ParseRoute("/api/v1/workloads/team%20a/x%25?limit=5");
  EXPECT_EQ(route.endpoint, Endpoint::kWorkload);
  EXPECT_EQ(route.NamespacedName(), "team a/x%");
  EXPECT_EQ(PageOf(route.query)->limit, 5u);
}

// The part of a minute, in percent, that answers of 10 ms each take of a thread that is busy for
// this share of the rest.
double ShareOfAnswers(double busy_share) {
  constexpr int64_t kAnswer = 10'000'000, kMinute = 60'000'000'000;
  ThreadBudget budget;
  int64_t now = 0, busy = 0, answers = 0;
  while (now < kMinute) {
    const int64_t wait = budget.UntilNext({now}, {busy}).nanos;
    if (wait == 0) budget.Pay({kAnswer});
    answers += wait == 0 ? kAnswer : 0;
    now += wait == 0 ? kAnswer : wait;
    busy += wait == 0 ? kAnswer : static_cast<int64_t>(static_cast<double>(wait) * busy_share);
  }
  return 100.0 * static_cast<double>(answers) / kMinute;
}

TEST(ThreadBudget, AnswersOfBusyControllersTakeTheirShareAtMost) {
  EXPECT_LT(ShareOfAnswers(1), 2);
  EXPECT_GT(ShareOfAnswers(1), 1);
}

TEST(ThreadBudget, AnswersOfIdleControllersArePrompt) { EXPECT_GT(ShareOfAnswers(0.01), 9); }

TEST(TokenBuckets, RefillWithTime) {
  TokenBuckets buckets(1, 2);
  const base::Time now = base::Time::FromSeconds(100);
  EXPECT_TRUE(buckets.Take("a", now) && buckets.Take("a", now));
  EXPECT_FALSE(buckets.Take("a", now));
  EXPECT_TRUE(buckets.Take("b", now)) << "clients do not share a limit";
  EXPECT_TRUE(buckets.Take("a", now + base::Duration::Seconds(1)));
}

}  // namespace
}  // namespace berth::dashboard
