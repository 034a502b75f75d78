// Scrapes over TLS with bearer tokens of the embedded API server.

#include "replica/metrics_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/api_server.h"
#include "http/testing/directory.h"
#include "http/testing/https_client.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/testing/eventually.h"

namespace berth::replica {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsResponse;
using ::testing::HasSubstr;

constexpr const char* kToken = "a-token-of-prometheus";

class MetricsServerTest : public ::testing::Test {
 protected:
  MetricsServerTest() {
    apiserver::testing::ApiServer::Options options;
    options.tokens = std::string(kToken) + ",prometheus,1\n";
    api_ = std::make_unique<apiserver::testing::ApiServer>(options);
  }

  void SetUp() override {
    ASSERT_EQ(api_->error(), "");
    auto client = kube::Client::Make(*kube::FindAccess(api_->kubeconfig().string()));
    ASSERT_TRUE(client);
    client_ = std::move(*client);
    // The test trusts only this certificate, not the self-signed one.
    folder_.Write("tls.crt", api_->credentials().server.certificate);
    folder_.Write("tls.key", api_->credentials().server.key);
    auto started = MetricsServer::Start(
        *client_,
        [](store::Executor& executor, std::move_only_function<void(std::string)> then) {
          executor.Post([then = std::move(then)]() mutable { then("numbers 1\n"); });
        },
        {.address = {.ip = "127.0.0.1", .port = 0},
         .tls = {.needs_tls13 = true},
         .certificates = folder_.path().string()});
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = std::move(*started);
  }

  HttpsResponse Get(const std::string& target, const std::string& authorization) {
    HttpsResponse response;
    EXPECT_TRUE(store::testing::Eventually([&] {
      HttpsClient client(server_->port(), api_->credentials(), /*shows_certificate=*/false);
      if (client.is_connected())
        response = client.Do({.target = target, .headers = {{"Authorization", authorization}}});
      return response.status != 0;
    }));
    return response;
  }

  std::unique_ptr<apiserver::testing::ApiServer> api_;
  std::unique_ptr<kube::Client> client_;
  http::testing::Directory folder_;
  std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, ServesMetricsToAuthorizedTokens) {
  const HttpsResponse response = Get("/metrics", std::string("Bearer ") + kToken);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "numbers 1\n");
  EXPECT_THAT(response.Header("Content-Type"), HasSubstr("version=0.0.4"));
}

TEST_F(MetricsServerTest, RejectsUnauthenticatedRequests) {
  EXPECT_EQ(Get("/metrics", "Bearer a-token-that-was-guessed").status, 401);
  EXPECT_EQ(Get("/metrics", "").status, 401);
}

TEST_F(MetricsServerTest, ServesNoOtherPath) {
  EXPECT_EQ(Get("/debug", std::string("Bearer ") + kToken).status, 404);
}

}  // namespace
}  // namespace berth::replica
