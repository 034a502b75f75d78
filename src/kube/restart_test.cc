// What clients see of an API server that goes down and comes back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "apiserver/embedded_store.h"
#include "apiserver/handler/api_handler.h"
#include "apiserver/rest/router.h"
#include "http/server.h"
#include "http/tls_credentials.h"
#include "kube/client.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/system_time.h"
#include "store/wait_for.h"

namespace berth::kube {
namespace {

using ::testing::ElementsAre;

constexpr base::Duration kPatience = base::Duration::Seconds(60);

const store::Resource kMaps{
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .is_namespaced = true};

store::Create MapNamed(const std::string& name) {
  return {.resource = kMaps,
          .namespace_ = "default",
          .object = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                    R"(","namespace":"default"}})",
          .options = {}};
}

class RestartTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto service = apiserver::ApiHandler::Open({.storage = {}});
    ASSERT_TRUE(service);
    service_ = std::move(*service);
    store_ = std::make_unique<apiserver::EmbeddedStore>(*service_);
    front_ = std::make_unique<apiserver::RestRouter>(
        *service_, apiserver::RestRouterOptions{.address = "127.0.0.1"});
    auto credentials = http::MakeTlsCredentials({}, store::SystemTime());
    ASSERT_TRUE(credentials);
    credentials_ = std::move(*credentials);
    StartServer();
    auto client = Client::Make({.server = "https://127.0.0.1:" + std::to_string(port_),
                                .authority = credentials_.authority,
                                .certificate = credentials_.admin.certificate,
                                .key = credentials_.admin.key});
    ASSERT_TRUE(client);
    client_ = std::move(*client);
  }

  // At the same place each time.
  void StartServer() {
    auto server = http::Server::Start(
        {.port = port_, .credentials = credentials_, .tokens = {}, .limits = {}}, *front_);
    ASSERT_TRUE(server) << base::ToString(server.error());
    server_ = std::move(*server);
    port_ = server_->port();
  }
  // All connections are cut.
  void StopServer() { server_.reset(); }

  static store::Outcome<store::Reply> Do(store::Store& store, store::Call call) {
    return store::WaitFor(store, std::move(call), kPatience);
  }

  std::unique_ptr<apiserver::ApiHandler> service_;
  std::unique_ptr<apiserver::EmbeddedStore> store_;
  std::unique_ptr<apiserver::RestRouter> front_;
  http::TlsCredentials credentials_;
  uint16_t port_ = 0;
  std::unique_ptr<http::Server> server_;
  store::Inbox inbox_;
  std::unique_ptr<Client> client_;
};

TEST_F(RestartTest, LosesAndRepeatsNoEvent) {
  std::vector<std::string> told;
  store::Informer informer(
      *client_, inbox_, kMaps, {.namespace_ = "default"},
      {.on_change = [&](const store::Change& change) {
        told.push_back((change.after == nullptr ? "-" : "+") +
                       (change.after != nullptr ? change.after : change.before)->name);
      }});
  ASSERT_TRUE(inbox_.RunUntil([&] { return informer.is_synced(); }, kPatience));
  ASSERT_TRUE(Do(*store_, MapNamed("a")));
  ASSERT_TRUE(inbox_.RunUntil([&] { return told.size() == 1; }, kPatience));
  StopServer();
  ASSERT_TRUE(Do(*store_, MapNamed("b"))) << "while no watch is connected";
  StartServer();
  ASSERT_TRUE(Do(*store_, MapNamed("c")));
  ASSERT_TRUE(inbox_.RunUntil([&] { return told.size() >= 3; }, kPatience));
  EXPECT_THAT(told, ElementsAre("+a", "+b", "+c"));
}

TEST_F(RestartTest, IsSurvivedByPendingRequests) {
  ASSERT_TRUE(Do(*client_, MapNamed("a"))) << "so that there is a connection to be cut";
  StopServer();
  bool is_answered = false, is_well = false;
  client_->Do(MapNamed("b"), inbox_, [&](store::Outcome<store::Reply> outcome) {
    is_answered = true;
    is_well = outcome.has_value();
  });
  inbox_.RunUntil([&] { return is_answered; }, base::Duration::Milliseconds(150));
  EXPECT_FALSE(is_answered);
  StartServer();
  ASSERT_TRUE(inbox_.RunUntil([&] { return is_answered; }, kPatience));
  EXPECT_TRUE(is_well);
}

}  // namespace
}  // namespace berth::kube
