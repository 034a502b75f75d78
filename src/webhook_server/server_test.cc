// Webhook calls over TLS, with the certificate of the Secret.

#include "webhook_server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>

#include "api/core/namespace.h"
#include "api/core/secret.h"
#include "apiserver/testing/api_server.h"
#include "base/base64.h"
#include "http/certificates.h"
#include "http/testing/directory.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "kube/wire.h"
#include "store/inbox.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"

namespace berth::webhook_server {
namespace {

using ::testing::HasSubstr;

constexpr base::Duration kLong = base::Duration::Seconds(60);

class WebhookServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(api_server_.error(), "");
    auto client = kube::Client::Make(*kube::FindAccess(api_server_.kubeconfig().string()));
    ASSERT_TRUE(client);
    client_ = std::move(*client);
    const auto created = store::WaitFor(
        *client_,
        store::Create{
            .resource = store::ResourceOf<api::Namespace>(),
            .namespace_ = "",
            .object =
                R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kueue-system"}})",
            .options = {}},
        kLong);
    ASSERT_TRUE(created) << store::ToString(created.error());
  }

  static Server::Options LocalOptions() {
    Server::Options options;
    options.configuration.webhook.host = "127.0.0.1";
    options.configuration.webhook.port = 0;
    api::ApplyConfigurationDefaults(options.configuration);
    return options;
  }

  std::unique_ptr<Server> StartServer(Server::Options options = LocalOptions()) {
    auto server = std::make_unique<Server>(*client_, std::move(options));
    EXPECT_TRUE(store::testing::Eventually([&] { return server->IsReady(); }));
    return server;
  }

  std::string Authority() {
    const auto got = store::WaitFor(*client_,
                                    store::Get{.resource = store::ResourceOf<api::Secret>(),
                                               .namespace_ = "kueue-system",
                                               .name = "kueue-webhook-server-cert"},
                                    kLong);
    if (!got) return store::ToString(got.error());
    const auto secret = got->object.Decode<api::Secret>();
    const std::string* file = secret ? secret->data.Find("ca.crt") : nullptr;
    return file != nullptr ? base::DecodeBase64(*file).value_or("") : "";
  }

  kube::Response Post(const Server& server, const std::string& path, const std::string& body) {
    return Post(server, path, body, Authority(), "kueue-webhook-service.kueue-system.svc");
  }
  static kube::Response Post(const Server& server, const std::string& path, const std::string& body,
                             const std::string& authority, const std::string& name) {
    auto wire = kube::Wire::Open({.server = {.host = "127.0.0.1", .port = server.port()},
                                  .proxy = {},
                                  .server_name = name,
                                  .identity = {.authority = authority}});
    EXPECT_TRUE(wire);
    std::promise<kube::Response> answer;
    (*wire)->Post([&] {
      (*wire)->Send(
          {.method = "POST", .target = path, .content_type = "application/json", .body = body}, "",
          [&](store::Outcome<kube::Response> response, bool) {
            answer.set_value(response ? *response
                                      : kube::Response{.body = response.error().message()});
          });
    });
    return answer.get_future().get();
  }

  apiserver::testing::ApiServer api_server_;
  std::unique_ptr<kube::Client> client_;
};

TEST_F(WebhookServerTest, ServesWebhooksAtKueuesPaths) {
  const auto server = StartServer();
  const kube::Response mutated =
      Post(*server, "/mutate-batch-v1-job?timeout=10s",
           R"({"request":{"uid":"u","operation":"CREATE","namespace":"default",
               "kind":{"group":"batch","version":"v1","kind":"Job"},
               "object":{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a",
               "namespace":"default","labels":{"kueue.x-k8s.io/queue-name":"q"}},
               "spec":{"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}}}})");
  EXPECT_EQ(mutated.status, 200) << mutated.body;
  EXPECT_THAT(mutated.body, HasSubstr(R"("patchType":"JSONPatch")"));
  const kube::Response converted =
      Post(*server, "/convert",
           R"({"request":{"uid":"u","desiredAPIVersion":"kueue.x-k8s.io/v1beta2","objects":[]}})");
  EXPECT_THAT(converted.body, HasSubstr(R"("status":"Success")"));
  EXPECT_EQ(Post(*server, "/other", "{}").status, 404);
  EXPECT_EQ(Post(*server, "/validate-batch-v1-job", "{}").status, 400);
}

TEST_F(WebhookServerTest, SharesTheCertificateBetweenReplicas) {
  const auto first = StartServer();
  const std::string authority = Authority();
  const auto second = StartServer();
  EXPECT_EQ(Authority(), authority);
  EXPECT_EQ(Post(*second, "/convert", R"({"request":{}})").status, 200);
}

TEST_F(WebhookServerTest, ServesTheCertificateOfADirectory) {
  const http::testing::Directory folder;
  const base::Time now = store::Inbox().Now();
  const auto authority = http::MakeAuthority("ca", now);
  const std::vector<std::string> names{"webhooks.example"};
  const auto pair = http::IssueServer(*authority, names, now);
  std::ofstream(folder.path() / "tls.crt") << pair->certificate;
  std::ofstream(folder.path() / "tls.key") << pair->key;
  Server::Options options = LocalOptions();
  options.configuration.internal_cert_management->enable = false;
  options.configuration.webhook.cert_dir = folder.path().string();
  const auto server = StartServer(std::move(options));
  EXPECT_EQ(
      Post(*server, "/convert", R"({"request":{}})", authority->certificate, "webhooks.example")
          .status,
      200);
  EXPECT_THAT(Authority(), HasSubstr("404")) << "no Secret is created";
}

}  // namespace
}  // namespace berth::webhook_server
