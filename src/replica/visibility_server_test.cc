// Who waits, as the API server asks for its users and as somebody with a token asks.

#include "replica/visibility_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "api/config_map.h"
#include "apiserver/testing/api_server.h"
#include "apiserver/testing/directory.h"
#include "apiserver/testing/https_client.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "schema/json_writer.h"
#include "store/system_time.h"
#include "store/wait_for.h"

namespace berth::replica {
namespace {

using apiserver::testing::HttpsClient;
using apiserver::testing::HttpsResponse;
using ::testing::HasSubstr;

constexpr const char* kToken = "a-token-of-somebody";
constexpr const char* kQuery =
    "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/gpu/pendingworkloads?limit=3";

class VisibilityServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(api_.error(), "");
    client_ = std::move(*kube::Client::Make(*kube::FindAccess(api_.kubeconfig().string())));
    proxies_ = *apiserver::MakeAuthority("proxies", store::SystemTime());
    const auto made = store::WaitFor(*client_, MapOfProxies(), base::Duration::Seconds(20));
    ASSERT_TRUE(made) << store::ToString(made.error());
    // The test trusts this certificate only.
    std::ofstream(folder_.path() / "tls.crt") << api_.credentials().server.certificate;
    std::ofstream(folder_.path() / "tls.key") << api_.credentials().server.key;
    auto started = VisibilityServer::Start(
        *client_,
        {.address = {.ip = "127.0.0.1", .port = 0},
         .tls = {},
         .list =
             [](const observe::PendingQuery& query, store::Executor& executor, auto then) {
               executor.Post([query, then = std::move(then)]() mutable {
                 if (query.name != "gpu") return then(std::nullopt);
                 then("waiting in " + query.name + " " + std::to_string(query.limit));
               });
             },
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

  // A certificate of the proxies' authority, in the client's hands.
  apiserver::TlsCredentials CertificateOf(const std::string& name) const {
    return {.authority = api_.credentials().authority,
            .server = {},
            .admin = *apiserver::IssueClient(proxies_, {.user = name, .groups = {}},
                                             store::SystemTime())};
  }

  // Again and again until the answer is as expected or that is hopeless: who is trusted is found
  // out beside.
  HttpsResponse Ask(const std::string& who, const std::string& target, int expected) {
    HttpsResponse response;
    for (int i = 0; i < 2000 && response.status != expected; ++i) {
      HttpsClient client(server_->port(), CertificateOf(who), /*shows_certificate=*/true);
      if (client.is_connected())
        response = client.Do({.target = target, .headers = {{"X-Remote-User", "anna"}}});
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return response;
  }

  HttpsResponse AskWithToken(const std::string& token, const std::string& target) {
    for (int i = 0; i < 2000; ++i) {
      HttpsClient client(server_->port(), CertificateOf("nobody"), /*shows_certificate=*/false);
      HttpsResponse response;
      if (client.is_connected())
        response = client.Do(
            {.target = target,
             .headers = {{"Authorization", "Bearer " + token}, {"X-Remote-User", "anna"}}});
      if (response.status != 0) return response;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }

  apiserver::testing::Directory folder_;
  apiserver::testing::ApiServer api_{
      {.data_dir = "", .limits = {}, .tokens = std::string(kToken) + ",somebody,1\n"}};
  std::unique_ptr<kube::Client> client_;
  apiserver::KeyPair proxies_;
  std::unique_ptr<VisibilityServer> server_;
};

TEST_F(VisibilityServerTest, AnswersTheApiServer) {
  EXPECT_EQ(Ask("front", kQuery, 200).body, "waiting in gpu 3");
  const char* none = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cpu/pendingworkloads";
  EXPECT_THAT(Ask("front", none, 404).body, HasSubstr("there is no queue cpu"));
}

TEST_F(VisibilityServerTest, IsDiscovered) {
  EXPECT_THAT(Ask("front", "/apis", 200).body, HasSubstr("APIGroupList"));
  EXPECT_THAT(Ask("front", "/apis/visibility.kueue.x-k8s.io/v1beta1", 200).body,
              HasSubstr(R"("name":"localqueues/pendingworkloads")"));
}

TEST_F(VisibilityServerTest, AnswersWhoeverShowsAToken) {
  EXPECT_EQ(AskWithToken(kToken, kQuery).body, "waiting in gpu 3");
  EXPECT_EQ(AskWithToken("a-token-that-was-guessed", kQuery).status, 401);
}

TEST_F(VisibilityServerTest, DoesNotBelieveWhoeverSaysToAskForSomebody) {
  ASSERT_EQ(Ask("front", kQuery, 200).status, 200) << "from now on proxies are known";
  EXPECT_EQ(Ask("mallory", kQuery, 401).status, 401);
  EXPECT_EQ(AskWithToken("", kQuery).status, 401);
}

}  // namespace
}  // namespace berth::replica
