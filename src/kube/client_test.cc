// The client against our own API server, over real TLS.

#include "kube/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "apiserver/testing/api_server.h"
#include "kube/find_access.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/wait_for.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

constexpr base::Duration kLong = base::Duration::Seconds(60);

const store::Resource kConfigMaps{
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .is_namespaced = true};

std::string ConfigMapNamed(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default"}})";
}

store::Create CreateOf(const std::string& name) {
  return {.resource = kConfigMaps,
          .namespace_ = "default",
          .object = ConfigMapNamed(name),
          .options = {}};
}

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto access = FindAccess(server_.kubeconfig().string());
    ASSERT_TRUE(access) << base::ToString(access.error());
    access_ = std::move(*access);
    client_ = Connect();
  }

  std::unique_ptr<Client> Connect(ClientOptions options = {}) {
    auto client = Client::Make(access_, std::move(options));
    EXPECT_TRUE(client) << base::ToString(client.error());
    return client ? std::move(*client) : nullptr;
  }

  static store::Outcome<store::Reply> Do(Client& client, store::Call call) {
    return store::WaitFor(client, std::move(call), kLong);
  }
  store::Outcome<store::Reply> Do(store::Call call) { return Do(*client_, std::move(call)); }

  apiserver::testing::ApiServer server_;
  Access access_;
  store::Inbox inbox_;
  std::unique_ptr<Client> client_;
};

TEST_F(ClientTest, CreatesReadsChangesAndDeletes) {
  const auto created = Do(CreateOf("a"));
  ASSERT_TRUE(created) << store::ToString(created.error());
  EXPECT_TRUE(created->was_created);
  EXPECT_NE(created->object.uid, "");

  const auto patched = Do(store::Patch{.resource = kConfigMaps,
                                       .namespace_ = "default",
                                       .name = "a",
                                       .type = store::PatchType::kMerge,
                                       .body = R"({"data":{"k":"v"}})",
                                       .options = {}});
  ASSERT_TRUE(patched) << store::ToString(patched.error());
  const auto got = Do(store::Get{.resource = kConfigMaps, .namespace_ = "default", .name = "a"});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->object.text(), patched->object.text());

  const auto stale = Do(store::Update{.resource = kConfigMaps,
                                      .namespace_ = "default",
                                      .name = "a",
                                      .object = std::string(created->object.text()),
                                      .options = {}});
  ASSERT_FALSE(stale);
  EXPECT_TRUE(stale.error().IsConflict());

  const auto deleted = Do(
      store::Delete{.resource = kConfigMaps, .namespace_ = "default", .name = "a", .options = {}});
  ASSERT_TRUE(deleted) << store::ToString(deleted.error());
  EXPECT_TRUE(deleted->was_removed);
  EXPECT_TRUE(Do(store::Get{.resource = kConfigMaps, .namespace_ = "default", .name = "a"})
                  .error()
                  .IsNotFound());
}

TEST_F(ClientTest, SendsManyRequestsConcurrently) {
  int answers = 0, failures = 0;
  for (int i = 0; i < 500; ++i)
    client_->Do(CreateOf("m" + std::to_string(i)), inbox_, [&](store::Outcome<store::Reply> o) {
      ++answers;
      failures += o ? 0 : 1;
    });
  ASSERT_TRUE(inbox_.RunUntil([&] { return answers == 500; }, kLong));
  EXPECT_EQ(failures, 0);
  const auto page = Do(
      store::List{.resource = kConfigMaps, .selection = {.namespace_ = "default"}, .limit = 100});
  ASSERT_TRUE(page) << store::ToString(page.error());
  EXPECT_EQ(page->items.size(), 100u);
  EXPECT_NE(page->continue_token, "");
}

TEST_F(ClientTest, LimitsItsRequestRate) {
  const auto slow = Connect({.requests_per_second = 100, .burst = 1});
  const base::Time start = inbox_.Now();
  int answers = 0;
  for (int i = 0; i < 21; ++i)
    slow->Do(store::List{.resource = kConfigMaps, .selection = {}}, inbox_,
             [&](store::Outcome<store::Reply>) { ++answers; });
  ASSERT_TRUE(inbox_.RunUntil([&] { return answers == 21; }, kLong));
  EXPECT_GE(inbox_.Now() - start, base::Duration::Milliseconds(190));
}

TEST_F(ClientTest, DeliversWatchEvents) {
  const auto before = Do(CreateOf("a"));
  ASSERT_TRUE(before);
  std::vector<std::string> told;
  const store::Subscription subscription = client_->Subscribe(
      {.resource = kConfigMaps,
       .selection = {.namespace_ = "default"},
       .resource_version = before->object.resource_version},
      inbox_, [&](store::Outcome<store::Event> event) {
        told.push_back(event ? event->object.name : store::ToString(event.error()));
      });
  for (const char* name : {"b", "c"}) ASSERT_TRUE(Do(CreateOf(name)));
  EXPECT_TRUE(inbox_.RunUntil([&] { return told.size() == 2; }, kLong));
  EXPECT_THAT(told, ::testing::ElementsAre("b", "c"));
}

TEST_F(ClientTest, ReportsTheEndOfAWatch) {
  std::optional<store::Outcome<store::Event>> last;
  const store::Subscription subscription = client_->Subscribe(
      {.resource = kConfigMaps, .selection = {}, .timeout = base::Duration::Seconds(1)}, inbox_,
      [&](store::Outcome<store::Event> event) { last = std::move(event); });
  EXPECT_TRUE(inbox_.RunUntil(
      [&] { return last && last->has_value() && (*last)->kind == store::Event::Kind::kEnd; },
      kLong));
}

TEST_F(ClientTest, FailsAWatchOfAKindThatIsNotServed) {
  std::optional<store::Outcome<store::Event>> last;
  const store::Subscription subscription = client_->Subscribe(
      {.resource = {.version = "v1", .plural = "nothings", .kind = "Nothing"}, .selection = {}},
      inbox_, [&](store::Outcome<store::Event> event) { last = std::move(event); });
  ASSERT_TRUE(inbox_.RunUntil([&] { return last.has_value(); }, kLong));
  ASSERT_FALSE(*last);
  EXPECT_TRUE(last->error().IsNotFound()) << store::ToString(last->error());
}

TEST_F(ClientTest, DeliversNoEventAfterUnsubscribing) {
  int told = 0;
  {
    const store::Subscription subscription =
        client_->Subscribe({.resource = kConfigMaps, .selection = {}}, inbox_,
                           [&](store::Outcome<store::Event>) { ++told; });
  }
  ASSERT_TRUE(Do(CreateOf("a")));
  inbox_.RunReady();
  EXPECT_EQ(told, 0);
}

TEST_F(ClientTest, FeedsAnInformer) {
  ASSERT_TRUE(Do(CreateOf("a")));
  store::Informer informer(*client_, inbox_, kConfigMaps, {.namespace_ = "default"},
                           store::Informer::Handlers(), {.page_size = 1});
  ASSERT_TRUE(inbox_.RunUntil([&] { return informer.is_synced(); }, kLong));
  ASSERT_TRUE(Do(CreateOf("b")));
  EXPECT_TRUE(inbox_.RunUntil(
      [&] { return informer.Find({.namespace_ = "default", .name = "b"}) != nullptr; }, kLong));
}

TEST_F(ClientTest, FailsRequestsToAnUnreachableServer) {
  access_.server = "https://127.0.0.1:1";
  const auto disconnected = Connect({.retry = {.most_attempts = 2}});
  const auto answer = Do(*disconnected, CreateOf("a"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), 0);
  EXPECT_THAT(answer.error().message(), HasSubstr("cannot connect to 127.0.0.1:1"));
}

TEST_F(ClientTest, VerifiesTheServerCertificate) {
  access_.authority = "";
  const auto wary = Connect({.retry = {.most_attempts = 1}});
  const auto answer = Do(*wary, store::List{.resource = kConfigMaps, .selection = {}});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message(), HasSubstr("cannot speak TLS"));
  access_.skips_verification = true;
  EXPECT_TRUE(Do(*Connect(), store::List{.resource = kConfigMaps, .selection = {}}));
}

TEST_F(ClientTest, ChecksTheNameInTheCertificate) {
  access_.tls_server_name = "another.example";
  const auto wary = Connect({.retry = {.most_attempts = 1}});
  EXPECT_FALSE(Do(*wary, store::List{.resource = kConfigMaps, .selection = {}}));
  access_.tls_server_name = "localhost";
  EXPECT_TRUE(Do(*Connect(), store::List{.resource = kConfigMaps, .selection = {}}));
}

TEST_F(ClientTest, FailsWithoutCredentials) {
  access_.certificate = access_.key = "";
  access_.token = "wrong";
  const auto answer = Do(*Connect(), store::List{.resource = kConfigMaps, .selection = {}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), 401);
}

TEST_F(ClientTest, SendsNoWriteWhenFenced) {
  std::atomic<bool> may_write = false;
  const auto follower = Connect({.may_write = [&] { return may_write.load(); }});
  EXPECT_EQ(Do(*follower, CreateOf("a")).error().code(), 503);
  EXPECT_TRUE(Do(*follower, store::List{.resource = kConfigMaps, .selection = {}}));
  may_write = true;
  EXPECT_TRUE(Do(*follower, CreateOf("a")));
}

TEST_F(ClientTest, MayBeDestroyedWithRequestsInFlight) {
  std::vector<int> answers(100);
  for (size_t i = 0; i < answers.size(); ++i)
    client_->Do(CreateOf("x" + std::to_string(i)), inbox_,
                [&answers, i](store::Outcome<store::Reply>) { ++answers[i]; });
  client_.reset();
  inbox_.RunReady();
  EXPECT_THAT(answers, ::testing::Each(::testing::Le(1)));
}

TEST(FindAccess, ReadsTheServiceAccountOfThePod) {
  const http::testing::Directory directory;
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(directory.path() / name) << text;
  };
  write("token", "t");
  write("ca.crt", "CA");
  write("namespace", "kueue-system");
  const auto access = InClusterAccess("fd00::1", "443", directory.path().string());
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->authority, "CA");
  EXPECT_EQ(access->namespace_, "kueue-system");
  EXPECT_EQ(access->token_file, (directory.path() / "token").string());
  EXPECT_FALSE(InClusterAccess("a", "443", "/nonexistent"));
}

}  // namespace
}  // namespace berth::kube
