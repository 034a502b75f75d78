#include "replica/front_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::replica {
namespace {

constexpr std::string_view kMap = R"({"data": {
  "client-ca-file": "PEM of users",
  "requestheader-client-ca-file": "PEM of proxies",
  "requestheader-allowed-names": "[\"front-proxy\"]"}})";

apiserver::HttpRequest RequestOf(const std::string& who) {
  return {.method = "GET",
          .target = "/apis",
          .remote = {{"x-remote-user", "anna"},
                     {"x-remote-group", "dev"},
                     {"x-remote-group", "ops"},
                     {"x-remote-uid", "7"},
                     {"x-remote-extra-scopes%2fa", "one"},
                     {"x-remote-extra-scopes%2fa", "two"}},
          .subject = {.user = who, .groups = {}}};
}

TEST(FrontProxies, AreThoseOfTheApiServersMap) {
  const std::optional<FrontProxy> proxy = FrontProxy::FromConfigMap(kMap);
  ASSERT_TRUE(proxy);
  EXPECT_EQ(proxy->authority, "PEM of proxies");
  EXPECT_THAT(proxy->names, ::testing::ElementsAre("front-proxy"));
  EXPECT_EQ(FrontProxy::FromConfigMap(R"({"data":{}})"), std::nullopt);
  EXPECT_EQ(FrontProxy::FromConfigMap("{"), std::nullopt);
}

TEST(FrontProxies, SayForWhomTheyAsk) {
  const store::json::object user =
      FrontProxy::FromConfigMap(kMap)->UserBehind(RequestOf("front-proxy"));
  EXPECT_EQ(
      store::PrintJson(user),
      R"({"user":"anna","groups":["dev","ops"],"uid":"7","extra":{"scopes/a":["one","two"]}})");
}

TEST(FrontProxies, AreNotWhoeverSaysSo) {
  const FrontProxy proxy = *FrontProxy::FromConfigMap(kMap);
  EXPECT_TRUE(proxy.UserBehind(RequestOf("mallory")).empty()) << "a certificate of another name";
  EXPECT_TRUE(proxy.UserBehind(RequestOf("")).empty()) << "no certificate";
  EXPECT_TRUE(FrontProxy().UserBehind(RequestOf("")).empty()) << "no proxy is known";
}

TEST(FrontProxies, AskForNobodyWithoutAName) {
  apiserver::HttpRequest request = RequestOf("front-proxy");
  request.remote.erase(request.remote.begin());
  EXPECT_TRUE(FrontProxy::FromConfigMap(kMap)->UserBehind(request).empty());
}

}  // namespace
}  // namespace berth::replica
