#include "kube/exec_credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

const ExecPlugin kLogin{.api_version = "client.authentication.k8s.io/v1", .command = "login"};

TEST(ExecCredential, PassesTheClusterToThePlugin) {
  Access access{.server = "https://a:1", .exec = kLogin};
  EXPECT_EQ(ExecInfo(access),
            R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
            R"("spec":{"interactive":false}})");
  access.exec->wants_cluster = true;
  EXPECT_THAT(ExecInfo(access), HasSubstr(R"("cluster":{"server":"https://a:1"})"));
}

TEST(ExecCredential, IsParsedFromTheOutputOfThePlugin) {
  const auto read = ReadExecCredential(
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
          "status":{"token":"t","expirationTimestamp":"2026-01-02T15:04:05Z"}})",
      kLogin);
  ASSERT_TRUE(read) << base::ToString(read.error());
  EXPECT_EQ(read->token, "t");
  const base::Time end = *base::ParseTime("2026-01-02T15:04:05Z");
  EXPECT_FALSE(IsStale(*read, end - base::Duration::Seconds(60)));
  EXPECT_TRUE(IsStale(*read, end - base::Duration::Seconds(10))) << "a little before the end";
}

TEST(ExecCredential, WithoutExpiryIsKept) { EXPECT_FALSE(IsStale({.token = "t"}, {1LL << 60})); }

TEST(ExecCredential, MustHaveTheRequestedVersion) {
  for (const char* text :
       {"", "{}", R"({"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential",
                      "status":{"token":"t"}})",
        R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"})",
        R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
            "status":{"clientKeyData":"k"}})"}) {
    const auto read = ReadExecCredential(text, kLogin);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("login"));
  }
}

}  // namespace
}  // namespace berth::kube
