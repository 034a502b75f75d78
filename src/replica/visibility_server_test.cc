// Pending workloads, requested through the API server and with a bearer token.

#include "replica/visibility_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/config_map.h"
#include "apiserver/testing/api_server.h"
#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "schema/json/writer.h"
#include "store/system_time.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"

namespace berth::replica {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using ::testing::HasSubstr;

constexpr const char* kToken = "a-token-of-a-viewer";
constexpr const char* kQuery =
    "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/gpu/pendingworkloads?limit=3";

class VisibilityServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(api_.error(), "");
    client_ = std::move(*kube::Client::Make(*kube::FindAccess(api_.kubeconfig().string())));
    proxies_ = *http::MakeAuthority("proxies", store::SystemTime());
    const auto made = store::WaitFor(*client_, MapOfProxies(), base::Duration::Seconds(20));
    ASSERT_TRUE(made) << store::ToString(made.error());
    // The test trusts only this certificate, not the self-signed one.
    folder_.Write("tls.crt", api_.credentials().server.certificate);
    folder_.Write("tls.key", api_.credentials().server.key);
    auto started = VisibilityServer::Start(
        *client_,
        [](const observe::PendingQuery& query, store::Executor& executor, auto then) {
          executor.Post([query, then = std::move(then)]() mutable {
            if (query.name != "gpu") return then(std::nullopt);
            then("waiting in " + query.name + " " + std::to_string(query.limit));
          });
        },
        {.address = {.ip = "127.0.0.1", .port = 0},
         .tls = {},
         .certificates = folder_.path().string()});
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = std::move(*started);
  }

  store::Call MapOfProxies() const {
    schema::JsonWriter w;
    w.BeginObject().Member("apiVersion", "v1").Member("kind", "ConfigMap");
    w.Key("metadata")
        .BeginObject()
        .Member("name", "extension-apiserver-authentication")
        .EndObject();
    w.Key("data").BeginObject().Member("requestheader-client-ca-file", proxies_.certificate);
    w.Member("requestheader-allowed-names", R"(["front"])").EndObject().EndObject();
    return store::Create{.resource = store::ResourceOf<api::ConfigMap>(),
                         .namespace_ = "kube-system",
                         .object = w.Take(),
                         .options = {}};
  }

  // A client certificate issued by the request-header CA.
  http::TlsCredentials CertificateOf(const std::string& name) const {
    return {
        .authority = api_.credentials().authority,
        .server = {},
        .admin = *http::IssueClient(proxies_, {.user = name, .groups = {}}, store::SystemTime())};
  }

  // Retries until the status is as expected, because the front proxy is looked up asynchronously.
  HttpsResponse AskAs(const std::string& proxy, const std::string& target, int expected) {
    HttpsResponse response;
    EXPECT_TRUE(store::testing::Eventually([&] {
      HttpsClient client(server_->port(), CertificateOf(proxy), /*shows_certificate=*/true);
      if (client.is_connected())
        response = client.Do({.target = target, .headers = {{"X-Remote-User", "anna"}}});
      return response.status == expected;
    })) << response.status
        << " " << response.body;
    return response;
  }

  HttpsResponse AskWithToken(const std::string& token, const std::string& target) {
    HttpsResponse response;
    EXPECT_TRUE(store::testing::Eventually([&] {
      HttpsClient client(server_->port(), CertificateOf("anonymous"), /*shows_certificate=*/false);
      if (client.is_connected())
        response = client.Do(
            {.target = target,
             .headers = {{"Authorization", "Bearer " + token}, {"X-Remote-User", "anna"}}});
      return response.status != 0;
    }));
    return response;
  }

  http::testing::Directory folder_;
  apiserver::testing::ApiServer api_{
      {.data_dir = "", .limits = {}, .tokens = std::string(kToken) + ",viewer,1\n"}};
  std::unique_ptr<kube::Client> client_;
  http::KeyPair proxies_;
  std::unique_ptr<VisibilityServer> server_;
};

TEST_F(VisibilityServerTest, AnswersTheApiServer) {
  EXPECT_EQ(AskAs("front", kQuery, 200).body, "waiting in gpu 3");
  const char* none = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cpu/pendingworkloads";
  EXPECT_THAT(AskAs("front", none, 404).body, HasSubstr("queue cpu not found"));
}

TEST_F(VisibilityServerTest, ServesDiscovery) {
  EXPECT_THAT(AskAs("front", "/apis", 200).body, HasSubstr("APIGroupList"));
  EXPECT_THAT(AskAs("front", "/apis/visibility.kueue.x-k8s.io/v1beta1", 200).body,
              HasSubstr(R"("name":"localqueues/pendingworkloads")"));
}

TEST_F(VisibilityServerTest, AnswersBearerTokens) {
  EXPECT_EQ(AskWithToken(kToken, kQuery).body, "waiting in gpu 3");
  EXPECT_EQ(AskWithToken("a-token-that-was-guessed", kQuery).status, 401);
}

TEST_F(VisibilityServerTest, IgnoresUserHeadersOfOtherClients) {
  ASSERT_EQ(AskAs("front", kQuery, 200).status, 200) << "the front proxy is known from here on";
  EXPECT_EQ(AskAs("mallory", kQuery, 401).status, 401);
  EXPECT_EQ(AskWithToken("", kQuery).status, 401);
}

}  // namespace
}  // namespace berth::replica
