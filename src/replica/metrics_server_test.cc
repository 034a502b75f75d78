// Metrics as Prometheus scrapes them: over TLS, with a token that our own API server knows.

#include "replica/metrics_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "apiserver/testing/api_server.h"
#include "apiserver/testing/directory.h"
#include "apiserver/testing/https_client.h"
#include "kube/client.h"
#include "kube/find_access.h"

namespace berth::replica {
namespace {

using apiserver::testing::HttpsClient;
using apiserver::testing::HttpsResponse;
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
    // Somebody has put a certificate there. The test trusts that one only.
    const auto& credentials = api_->credentials();
    std::ofstream(folder_.path() / "tls.crt") << credentials.server.certificate;
    std::ofstream(folder_.path() / "tls.key") << credentials.server.key;
    auto started = MetricsServer::Start(
        *client_,
        {.address = {.ip = "127.0.0.1", .port = 0},
         .tls = {.needs_tls13 = true},
         .certificates = folder_.path().string(),
         .scrape = [](store::Executor& executor, std::move_only_function<void(std::string)> then) {
           executor.Post([then = std::move(then)]() mutable { then("numbers 1\n"); });
         }});
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = std::move(*started);
  }

  HttpsResponse Get(const std::string& target, const std::string& authorization) {
    for (int i = 0; i < 2000; ++i) {
      HttpsClient client(server_->port(), api_->credentials(), /*shows_certificate=*/false);
      HttpsResponse response;
      if (client.is_connected())
        response = client.Do({.target = target, .headers = {{"Authorization", authorization}}});
      if (response.status != 0) return response;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }

  std::unique_ptr<apiserver::testing::ApiServer> api_;
  std::unique_ptr<kube::Client> client_;
  apiserver::testing::Directory folder_;
  std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, GivesMetricsToWhomTheClusterAllowsThem) {
  const HttpsResponse response = Get("/metrics", std::string("Bearer ") + kToken);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "numbers 1\n");
  EXPECT_THAT(response.Header("Content-Type"), HasSubstr("version=0.0.4"));
}

TEST_F(MetricsServerTest, GivesNothingToStrangers) {
  EXPECT_EQ(Get("/metrics", "Bearer a-token-that-was-guessed").status, 401);
  EXPECT_EQ(Get("/metrics", "").status, 401);
}

TEST_F(MetricsServerTest, HasNothingElse) {
  EXPECT_EQ(Get("/debug", std::string("Bearer ") + kToken).status, 404);
}

}  // namespace
}  // namespace berth::replica
