#include "kube/find_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/directory.h"

namespace berth::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kOneCluster = R"(
current-context: here
clusters: [{name: c, cluster: {server: "https://a.example"}}]
contexts: [{name: here, context: {cluster: c, user: u, namespace: team-a}}]
users: [{name: u, user: {token: old, tokenFile: t}}]
)";

class AccessFlagsTest : public ::testing::Test {
 protected:
  base::Result<Access> Find(AccessFlags flags) {
    flags.kubeconfig = kubeconfig_;
    return FindAccess(flags);
  }

  http::testing::Directory folder_;
  std::string kubeconfig_ = folder_.Write("config", kOneCluster);
};

TEST_F(AccessFlagsTest, OverrideTheKubeconfig) {
  const auto access = Find({.server = "https://b.example",
                            .certificate_authority = folder_.Write("ca", "CA"),
                            .token = "new",
                            .as = "eve",
                            .as_groups = {"g1", "g2"},
                            .skips_verification = true});
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(access->server, "https://b.example");
  EXPECT_EQ(access->authority, "CA");
  EXPECT_EQ(access->token, "new");
  EXPECT_EQ(access->token_file, "");
  EXPECT_EQ(access->impersonated_user, "eve");
  EXPECT_THAT(access->impersonated_groups, ElementsAre("g1", "g2"));
  EXPECT_TRUE(access->skips_verification);
  EXPECT_EQ(access->namespace_, "team-a");
}

TEST_F(AccessFlagsTest, ChangeNothingIfEmpty) {
  const auto access = Find({});
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(*access, *FindAccess(kubeconfig_));
}

TEST_F(AccessFlagsTest, MustMakeSense) {
  EXPECT_THAT(base::ToString(Find({.as_groups = {"g"}}).error()), HasSubstr("--as-group without"));
  EXPECT_THAT(base::ToString(Find({.user = "none"}).error()), HasSubstr("no user \"none\""));
  EXPECT_FALSE(Find({.client_key = "/nowhere"}));
}

}  // namespace
}  // namespace berth::kube
