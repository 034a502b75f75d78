// The dashboard of a running cluster over HTTP.

#include <gmock/gmock.h>

#include <mutex>
#include <string>

#include "api/meta/manifest.h"
#include "embedded/cluster.h"
#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "json/json.h"
#include "query/testing/cluster.h"
#include "store/system_time.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"

namespace berth::embedded {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kNamespaces = R"(
apiVersion: v1
kind: Namespace
metadata: {name: red}
---
apiVersion: v1
kind: Namespace
metadata: {name: blue}
)";

std::string JobOf(const std::string& team, const std::string& name, int cpu) {
  return R"(
apiVersion: batch/v1
kind: Job
metadata: {name: )" +
         name + ", namespace: " + team + R"(, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: )" +
         std::to_string(cpu) + "}}}]\n";
}

class DashboardOfCluster : public ::testing::Test {
 protected:
  void SetUp() override {
    Cluster::Options options{.serves_https = false,
                             .nodes = std::nullopt,
                             .log =
                                 [this](std::string_view line) {
                                   const std::lock_guard lock(mutex_);
                                   log_ += line;
                                 },
                             .journal = journal::Settings{.directory = journal_.path()},
                             .dashboard_port = 0};
    api::ApplyConfigurationDefaults(options.configuration);
    cluster_ = std::move(*Cluster::Start(std::move(options)));
    const std::string url = cluster_->dashboard_url();
    const size_t port = url.find(':', 7) + 1, mark = url.find("/#token=");
    port_ = static_cast<uint16_t>(std::stoi(url.substr(port, mark - port)));
    token_ = url.substr(mark + 8);
    Create(kNamespaces);
    Create(query::testing::kTeams);
  }

  void Create(std::string_view yaml) {
    for (const api::Manifest& manifest : api::ReadManifests(yaml)) {
      const auto made =
          store::WaitFor(cluster_->store(),
                         store::Create{.resource = store::ResourceOf(manifest.object->kind()),
                                       .namespace_ = manifest.object->metadata()->namespace_,
                                       .object = manifest.object->Encode(),
                                       .options = {}},
                         base::Duration::Seconds(60));
      ASSERT_TRUE(made) << store::ToString(made.error());
    }
  }

  HttpsResponse Do(http::testing::HttpsRequest request) {
    request.headers.emplace_back("Authorization", "Bearer " + token_);
    HttpsClient client(port_);
    return client.Do(request);
  }
  HttpsResponse Get(std::string target) { return Do({.target = std::move(target)}); }
  // The first answer that holds the text.
  std::string GetUntil(const std::string& target, const std::string& text) {
    std::string body;
    EXPECT_TRUE(store::testing::Eventually([&] {
      body = Get(target).body;
      return body.find(text) != std::string::npos;
    })) << body;
    return body;
  }
  // The Workload of a job.
  std::string WorkloadOf(const std::string& team, const std::string& job) {
    const std::string body =
        GetUntil("/api/v1/workloads?q=" + job + "&namespace=" + team, R"("total":1)");
    const auto tree = *json::Parse(body);
    return std::string(json::StringAt(tree.at("items").at(0), {"name"}));
  }

  http::testing::Directory journal_;
  std::mutex mutex_;
  std::string log_;
  std::unique_ptr<Cluster> cluster_;
  uint16_t port_ = 0;
  std::string token_;
};

TEST_F(DashboardOfCluster, ShowsAJobFromItsCreationOn) {
  Create(JobOf("red", "small", 3));
  GetUntil("/api/v1/workloads?q=small", R"("status":"Admitted")");
  const std::string tree = Get("/api/v1/tree").body;
  EXPECT_THAT(tree, AllOf(HasSubstr(R"("used":3)"), HasSubstr(R"("admitted":1)")));
  const std::string page = Get("/api/v1/workloads/red/" + WorkloadOf("red", "small")).body;
  EXPECT_THAT(page, AllOf(HasSubstr(R"("owner":{"kind":"Job","name":"small"})"),
                          HasSubstr(R"("type":"QuotaReserved")"),
                          HasSubstr(R"("flavors":[{"resource":"cpu","flavor":"standard"}])")));
}

TEST_F(DashboardOfCluster, ExplainsWhyAJobWaits) {
  Create(JobOf("red", "large", 50));
  GetUntil("/api/v1/workloads?q=large", R"("reason":")");
  const std::string page =
      GetUntil("/api/v1/workloads/red/" + WorkloadOf("red", "large"), R"("explanation":{)");
  EXPECT_THAT(page, AllOf(HasSubstr(R"("position":0)"), HasSubstr("explanationText")));
}

TEST_F(DashboardOfCluster, TellsOfAChange) {
  HttpsClient client(port_);
  client.Begin({.target = "/api/v1/updates", .headers = {{"Authorization", "Bearer " + token_}}});
  ASSERT_TRUE(client.NextChunk());
  Create(JobOf("red", "small", 3));
  EXPECT_THAT(client.NextChunk().value_or(""), HasSubstr("event: change"));
}

TEST_F(DashboardOfCluster, PlansAndEstimatesFromTheObjects) {
  Create(JobOf("red", "first", 20));
  GetUntil("/api/v1/workloads?q=first", R"("status":"Admitted")");
  Create(JobOf("blue", "second", 8));
  GetUntil("/api/v1/workloads?q=second", R"("status":"Pending")");
  const HttpsResponse plan =
      Do({.method = "POST",
          .target = "/api/v1/plan",
          .body = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"
                  "metadata: {name: blue}\nspec:\n  cohortName: all\n  namespaceSelector: {}\n"
                  "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors: [{name: standard, "
                  "resources: [{name: cpu, nominalQuota: 30}]}]\n"});
  EXPECT_EQ(plan.status, 200) << plan.body;
  EXPECT_THAT(plan.body, HasSubstr(R"("admitted":["blue/)"));
  const HttpsResponse eta = Get("/api/v1/workloads/blue/" + WorkloadOf("blue", "second") + "/eta");
  EXPECT_EQ(eta.status, 200) << eta.body;
  EXPECT_THAT(eta.body, HasSubstr("startsWithin"));
}

TEST_F(DashboardOfCluster, TellsThePastFromTheJournal) {
  EXPECT_THAT(Get("/api/v1/session").body, HasSubstr(R"("journal":true)"));
  Create(JobOf("red", "small", 3));
  GetUntil("/api/v1/workloads?q=small", R"("status":"Admitted")");
  const std::string name = WorkloadOf("red", "small");
  EXPECT_THAT(GetUntil("/api/v1/workloads/red/" + name + "/history", R"("what":"Admitted")"),
              AllOf(HasSubstr(R"("what":"Created","detail":"in LocalQueue main")"),
                    HasSubstr(R"("what":"QuotaReserved")")));
  const int64_t later = store::SystemTime().seconds() + 1;
  EXPECT_THAT(Get("/api/v1/clusterqueues/red/history?at=" + std::to_string(later)).body,
              AllOf(HasSubstr(R"("used":"3","nominal":"10")"),
                    HasSubstr(R"("holders":[{"workload":"red/)" + name)));
  EXPECT_EQ(Get("/api/v1/clusterqueues/red/history?at=5").status, 404) << "before the journal";
  EXPECT_EQ(Get("/api/v1/clusterqueues/red/history?at=soon").status, 400);
}

TEST_F(DashboardOfCluster, LogsNoToken) {
  Get("/api/v1/tree?token=" + token_);
  Get("/api/v1/none");
  const std::lock_guard lock(mutex_);
  EXPECT_THAT(log_, Not(HasSubstr(token_)));
}

}  // namespace
}  // namespace berth::embedded
