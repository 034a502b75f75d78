#include "replica/front_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::replica {
namespace {

constexpr std::string_view kMap = R"({"data": {
  "client-ca-file": "PEM of users",
  "requestheader-client-ca-file": "PEM of proxies",
  "requestheader-allowed-names": "[\"front-proxy\"]"}})";

http::Request RequestOf(const std::string& who) {
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

TEST(FrontProxy, IsReadFromTheApiServersConfigMap) {
  const std::optional<FrontProxy> proxy = FrontProxy::FromConfigMap(kMap);
  ASSERT_TRUE(proxy);
  EXPECT_EQ(proxy->authority, "PEM of proxies");
  EXPECT_THAT(proxy->names, ::testing::ElementsAre("front-proxy"));
  EXPECT_EQ(FrontProxy::FromConfigMap(R"({"data":{}})"), std::nullopt);
  EXPECT_EQ(FrontProxy::FromConfigMap("{"), std::nullopt);
}

TEST(FrontProxy, NamesTheUserInHeaders) {
  const json::object user =
      FrontProxy::FromConfigMap(kMap)->ForwardedUser(RequestOf("front-proxy"));
  EXPECT_EQ(
      json::Print(user),
      R"({"user":"anna","groups":["dev","ops"],"uid":"7","extra":{"scopes/a":["one","two"]}})");
}

TEST(FrontProxy, NeedsAnAllowedClientCertificate) {
  const FrontProxy proxy = *FrontProxy::FromConfigMap(kMap);
  EXPECT_TRUE(proxy.ForwardedUser(RequestOf("mallory")).empty()) << "certificate of another name";
  EXPECT_TRUE(proxy.ForwardedUser(RequestOf("")).empty()) << "no certificate";
  EXPECT_TRUE(FrontProxy().ForwardedUser(RequestOf("")).empty()) << "no proxy configured";
}

TEST(FrontProxy, ForwardsNoUserWithoutAName) {
  http::Request request = RequestOf("front-proxy");
  request.remote.erase(request.remote.begin());
  EXPECT_TRUE(FrontProxy::FromConfigMap(kMap)->ForwardedUser(request).empty());
}

}  // namespace
}  // namespace berth::replica
