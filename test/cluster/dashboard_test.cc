// The dashboard of a replica on a real control plane: tokens of service accounts, reviewed by the
// API server, and its RBAC. Each user sees what `kubectl get` would show.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/command.h"
#include "cluster/control_plane.h"
#include "embedded/testing/live_cluster.h"
#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "json/json.h"
#include "replica/replica.h"
#include "store/system_time.h"

namespace berth::cluster {
namespace {

using apiserver::testing::FindKubectl;
using apiserver::testing::RunCommand;
using embedded::testing::Job;
using embedded::testing::Team;
using http::testing::HttpsClient;
using http::testing::HttpsRequest;
using http::testing::HttpsResponse;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// red/viewer and blue/viewer may list Workloads and LocalQueues of their namespace, red/admin those
// of all, and the cluster's kinds.
constexpr std::string_view kRights = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dashboard-test-namespace}
rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads, localqueues], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dashboard-test-all}
rules: [{apiGroups: [kueue.x-k8s.io], resources: ["*"], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dashboard-test-all}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dashboard-test-all}
subjects: [{kind: ServiceAccount, name: admin, namespace: red}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: admin, namespace: red}
)";

std::string ViewerOf(const std::string& team) {
  return "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: viewer, namespace: " + team +
         "}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n"
         "metadata: {name: viewer, namespace: " +
         team +
         "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, "
         "name: dashboard-test-namespace}\n"
         "subjects: [{kind: ServiceAccount, name: viewer, namespace: " +
         team + "}]\n";
}

std::string JobOf(const std::string& team) {
  return Job({.name = "job-of-" + team, .space = team});
}

class DashboardOfReplica : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FindKubectl(BERTH_SOURCE_DIR).empty())
      GTEST_SKIP() << "there is no kubectl on this machine; tools/setup-clients gets it";
    api::ApplyConfigurationDefaults(configuration_);
    ASSERT_TRUE(plane_.RunPods(false));
    ASSERT_TRUE(plane_.Clear());
    ASSERT_TRUE(plane_.Install(configuration_));
    StartReplica();
    Kubectl({"apply", "-f", "-"}, Team("red", 4) + "---\n" + Team("blue", 4));
    Kubectl({"apply", "-f", "-"}, std::string(kRights) + ViewerOf("red") + ViewerOf("blue"));
    Kubectl({"apply", "-f", "-"}, JobOf("red") + "---\n" + JobOf("blue"));
    admin_ = TokenOf("red", "admin");
    red_ = TokenOf("red", "viewer");
    blue_job_ = NameWhenSeen("job-of-blue");
    red_job_ = NameWhenSeen("job-of-red");
  }
  void TearDown() override {
    replica_.reset();
    if (IsSkipped()) return;
    EXPECT_TRUE(plane_.Clear());
    Kubectl({"delete", "--ignore-not-found", "clusterrolebinding/dashboard-test-all",
             "clusterrole/dashboard-test-all", "clusterrole/dashboard-test-namespace"});
  }

  void StartReplica() {
    api::Configuration configuration = configuration_;
    configuration.webhook.host = "127.0.0.1";
    configuration.webhook.port = 0;
    configuration.visibility_server = api::VisibilityServerSettings{
        .bind_address = "127.0.0.1", .bind_port = plane_.visibility_port()};
    configuration.health.health_probe_bind_address = "0";
    configuration.metrics.bind_address = "0";
    folder_.Write("tls.crt", credentials_.server.certificate);
    folder_.Write("tls.key", credentials_.server.key);
    auto started = replica::Replica::Start({.access = plane_.account(),
                                            .configuration = configuration,
                                            .dashboard_address = "127.0.0.1:0",
                                            .dashboard_certificates = folder_.path().string()});
    ASSERT_TRUE(started) << base::ToString(started.error());
    replica_ = *std::move(started);
    ASSERT_TRUE(ControlPlane::Eventually([&] { return replica_->IsLeading(); }));
    ASSERT_NE(replica_->dashboard_port(), 0);
  }

  std::string Kubectl(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(),
                     {FindKubectl(BERTH_SOURCE_DIR), "--kubeconfig", plane_.kubeconfig()});
    const auto result = RunCommand(arguments, input);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  std::string TokenOf(const std::string& space, const std::string& account) {
    std::string token = Kubectl({"create", "token", account, "--namespace", space});
    while (token.ends_with('\n')) token.pop_back();
    return token;
  }

  // Retried until the server has its certificate, and while it limits requests.
  HttpsResponse GetWith(const std::string& token, const std::string& target) {
    HttpsRequest request{.target = target};
    if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
    HttpsResponse response;
    EXPECT_TRUE(ControlPlane::Eventually([&] {
      HttpsClient client(replica_->dashboard_port(), credentials_, /*shows_certificate=*/false);
      if (client.is_connected()) response = client.Do(request);
      return response.status != 0 && response.status != 429;
    }));
    return response;
  }
  // The Workload of the job, once the administrator sees it.
  std::string NameWhenSeen(const std::string& job) {
    std::string name;
    EXPECT_TRUE(ControlPlane::Eventually([&] {
      const auto list = json::Parse(GetWith(admin_, "/api/v1/workloads?q=" + job).body);
      const json::value* items = list ? json::Find(*list, {"items"}) : nullptr;
      if (items == nullptr || !items->is_array() || items->get_array().empty()) return false;
      name = json::StringAt(items->get_array().front(), {"name"});
      return true;
    }));
    return name;
  }
  std::string UidOf(const std::string& workload) {
    return Kubectl({"get", "workload", workload, "-n", "blue", "-o", "jsonpath={.metadata.uid}"});
  }

  // Every way to ask for what belongs to blue.
  std::vector<std::string> PathsToBlue() {
    const std::string uid = UidOf(blue_job_);
    const std::string paths[] = {"session",
                                 "overview",
                                 "tree",
                                 "flavors",
                                 "clusterqueues/blue",
                                 "localqueues/blue/main",
                                 "localqueues/red%2F..%2Fblue/main",
                                 "workloads",
                                 "workloads?namespace=blue",
                                 "workloads?clusterQueue=blue",
                                 "workloads?localQueue=blue/main",
                                 "workloads?q=job-of-blue",
                                 "workloads?q=" + uid,
                                 "workloads/blue/" + blue_job_,
                                 "workloads/blue/" + uid,
                                 "workloads/red/" + blue_job_,
                                 "workloads/red/../blue/" + blue_job_,
                                 "workloads/red%2F..%2Fblue/" + blue_job_,
                                 "workloads//" + blue_job_,
                                 "workloads/blue/" + blue_job_ + "/eta",
                                 "workloads/blue/" + blue_job_ + "/history",
                                 "manifests/workloads/blue/" + blue_job_,
                                 "manifests/localqueues/blue/main",
                                 "manifests/clusterqueues/blue",
                                 "history/usage?kind=ClusterQueue&name=blue",
                                 "history/usage?kind=Cohort&name=blue",
                                 "clusterqueues/blue/history?at=1"};
    std::vector<std::string> all;
    for (const std::string& path : paths) all.push_back("/api/v1/" + path);
    return all;
  }

  ControlPlane& plane_ = ControlPlane::Get();
  api::Configuration configuration_;
  http::testing::Directory folder_;
  http::TlsCredentials credentials_ = *http::MakeTlsCredentials({}, store::SystemTime());
  std::unique_ptr<replica::Replica> replica_;
  std::string admin_, red_, red_job_, blue_job_;
};

TEST_F(DashboardOfReplica, LetsInWhoHasATokenOfTheCluster) {
  EXPECT_THAT(GetWith(admin_, "/api/v1/session").body,
              HasSubstr(R"("user":"system:serviceaccount:red:admin")"));
  EXPECT_THAT(GetWith(admin_, "/api/v1/tree").body,
              AllOf(HasSubstr(R"("name":"red")"), HasSubstr(R"("name":"blue")")));
  EXPECT_EQ(GetWith("", "/").status, 200) << "the page with the login";
}

TEST_F(DashboardOfReplica, ShowsNothingWithoutOne) {
  std::vector<std::string> paths = PathsToBlue();
  paths.emplace_back("/api/v1/updates");
  for (const std::string& path : paths) {
    const HttpsResponse response = GetWith("", path);
    EXPECT_THAT(response.status, ::testing::AnyOf(401, 404)) << path;
    EXPECT_THAT(response.body, Not(HasSubstr("job-of-"))) << path;
  }
  EXPECT_EQ(GetWith(red_ + "x", "/api/v1/tree").status, 401) << "a forged token";
}

TEST_F(DashboardOfReplica, ShowsAUserOfOneNamespaceNothingOfAnother) {
  EXPECT_THAT(GetWith(red_, "/api/v1/workloads").body, HasSubstr(red_job_));
  EXPECT_EQ(GetWith(red_, "/api/v1/workloads/red/" + red_job_).status, 200);
  for (const std::string& path : PathsToBlue()) {
    const HttpsResponse response = GetWith(red_, path);
    EXPECT_THAT(response.body, Not(HasSubstr("job-of-blue"))) << path;
    EXPECT_THAT(response.body, Not(HasSubstr(R"("name":"blue")"))) << path;
    EXPECT_THAT(response.body, Not(HasSubstr(R"("namespace":"blue")"))) << path;
  }
  EXPECT_EQ(GetWith(red_, "/api/v1/workloads/blue/" + blue_job_).status, 404);
  EXPECT_EQ(GetWith(red_, "/api/v1/clusterqueues/red").status, 404) << "no right to list them";
}

TEST_F(DashboardOfReplica, StreamsNothingOfAnotherNamespace) {
  ASSERT_EQ(GetWith(red_, "/api/v1/session").status, 200);
  HttpsClient client(replica_->dashboard_port(), credentials_, /*shows_certificate=*/false);
  client.Begin({.target = "/api/v1/updates?namespace=blue",
                .headers = {{"Authorization", "Bearer " + red_}}});
  std::string told = client.NextChunk().value_or("");
  Kubectl({"apply", "-f", "-"}, Job({.name = "later-job-of-blue", .space = "blue"}));
  told += client.NextChunk().value_or("");
  EXPECT_THAT(told, AllOf(HasSubstr("event: change"), Not(HasSubstr("blue"))));
}

}  // namespace
}  // namespace berth::cluster
