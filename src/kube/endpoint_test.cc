#include "kube/endpoint.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

TEST(Endpoint, IsParsedFromAUrl) {
  EXPECT_EQ(*ParseEndpoint("https://a.example:6443/k8s/"),
            (Endpoint{.host = "a.example", .port = 6443, .prefix = "/k8s"}));
  EXPECT_EQ(*ParseEndpoint("https://[::1]:6443"), (Endpoint{.host = "::1", .port = 6443}));
  EXPECT_EQ(*ParseEndpoint("http://me:secret@proxy:3128"),
            (Endpoint{.is_tls = false, .host = "proxy", .port = 3128, .user = "me:secret"}));
  EXPECT_EQ(ParseEndpoint("https://a")->port, 443);
  EXPECT_EQ(ParseEndpoint("http://a")->port, 80);
  EXPECT_EQ(ParseEndpoint("10.0.0.1:6443")->port, 6443);
}

TEST(Endpoint, FormatsItsAuthority) {
  EXPECT_EQ(ParseEndpoint("https://[::1]:6443")->Authority(), "[::1]:6443");
  EXPECT_EQ(ParseEndpoint("https://a")->Authority(), "a:443");
}

TEST(Endpoint, RejectsInvalidUrls) {
  for (const char* url : {"", "https://", "https://a:0", "https://a:x", "https://a:70000",
                          "socks5://a", "https://a b", "https://a/b?c", "https://a/\r\nX: y"})
    EXPECT_FALSE(ParseEndpoint(url)) << url;
}

}  // namespace
}  // namespace berth::kube
