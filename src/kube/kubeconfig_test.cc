#include "kube/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace berth::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::string_view kTwoContexts = R"(
apiVersion: v1
kind: Config
current-context: test
clusters:
- name: near
  cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: Q0E=}
- name: far
  cluster:
    server: https://far.example:443/prefix
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
contexts:
- name: test
  context: {cluster: near, user: cert}
- name: prod
  context: {cluster: far, user: plugin, namespace: team-a}
- name: bare
  context: {cluster: near}
users:
- name: cert
  user: {client-certificate-data: Q0VSVA==, client-key-data: S0VZ}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [get, token]
      env: [{name: REGION, value: eu}]
      provideClusterInfo: true
)";

class KubeconfigTest : public ::testing::Test {
 protected:
  base::Result<Access> Read(std::string_view text, std::string_view context = "") {
    const KubeconfigFile file{.path = "/home/me/config", .text = std::string(text)};
    return AccessFrom({&file, 1}, context, read_file_);
  }
  std::string ErrorOf(std::string_view text, std::string_view context = "") {
    const auto access = Read(text, context);
    return access ? "" : base::ToString(access.error());
  }

  std::map<std::string, std::string> files_{{"/home/me/pki/ca.crt", "FAR CA"}};
  ReadFile read_file_ = [this](const std::string& path) -> base::Result<std::string> {
    const auto found = files_.find(path);
    if (found == files_.end()) return base::Fail("cannot read " + path);
    return found->second;
  };
};

TEST_F(KubeconfigTest, ReadsTheCurrentContext) {
  const auto access = Read(kTwoContexts);
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(*access, (Access{.server = "https://127.0.0.1:6443",
                             .authority = "CA",
                             .namespace_ = "default",
                             .certificate = "CERT",
                             .key = "KEY"}));
}

TEST_F(KubeconfigTest, ReadsANamedContext) {
  const auto access = Read(kTwoContexts, "prod");
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(access->authority, "FAR CA") << "a path is relative to the file";
  EXPECT_EQ(access->tls_server_name, "kubernetes");
  EXPECT_EQ(access->proxy, "http://proxy:3128");
  EXPECT_EQ(access->namespace_, "team-a");
  ASSERT_TRUE(access->exec);
  EXPECT_EQ(access->exec->command, "/home/me/./bin/login");
  EXPECT_THAT(access->exec->arguments, ElementsAre("get", "token"));
  EXPECT_THAT(access->exec->environment, ElementsAre(Pair("REGION", "eu")));
  EXPECT_TRUE(access->exec->wants_cluster);
}

TEST_F(KubeconfigTest, NeedsNoUser) { EXPECT_TRUE(Read(kTwoContexts, "bare")); }

TEST_F(KubeconfigTest, PrefersTheFirstOfSeveralFiles) {
  const KubeconfigFile files[] = {
      {.path = "/a/one", .text = "clusters: [{name: near, cluster: {server: 'https://first'}}]"},
      {.path = "/b/two", .text = std::string(kTwoContexts)}};
  const auto access = AccessFrom(files, "", read_file_);
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(access->server, "https://first");
  EXPECT_EQ(access->certificate, "CERT");
}

TEST_F(KubeconfigTest, NamesMissingEntries) {
  EXPECT_THAT(ErrorOf(kTwoContexts, "other"),
              HasSubstr("there is no context \"other\" in /home/me/config"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("no current context"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("is no kubeconfig"));
  EXPECT_THAT(ErrorOf("a: {"), HasSubstr("/home/me/config:"));
  files_.clear();
  EXPECT_THAT(ErrorOf(kTwoContexts, "prod"), HasSubstr("cannot read /home/me/pki/ca.crt"));
}

TEST_F(KubeconfigTest, RejectsUnsupportedFeatures) {
  constexpr std::string_view kHead =
      "{current-context: a, contexts: [{name: a, context: {cluster: c, user: u}}], "
      "clusters: [{name: c, cluster: {server: 'https://x'}}], users: [{name: u, user: ";
  const auto with_user = [&](std::string_view user) {
    return ErrorOf(std::string(kHead) + std::string(user) + "}]}");
  };
  EXPECT_EQ(with_user("{token: t}"), "");
  EXPECT_THAT(with_user("{auth-provider: {name: gcp}}"), HasSubstr("use an exec plugin"));
  EXPECT_THAT(with_user("{client-key-data: QQ==}"), HasSubstr("but not both"));
  EXPECT_THAT(with_user("{client-key-data: '?'}"), HasSubstr("is not base64"));
  EXPECT_THAT(with_user("{exec: {command: a, apiVersion: v0}}"), HasSubstr("\"v0\""));
  EXPECT_THAT(with_user("{exec: {}}"), HasSubstr("there is no command"));
}

TEST_F(KubeconfigTest, AChosenClusterOrUserReplacesThatOfTheContext) {
  const KubeconfigFile file{.path = "/home/me/config", .text = std::string(kTwoContexts)};
  const auto access =
      AccessFrom({&file, 1}, {.context = "prod", .cluster = "near", .user = "cert"}, read_file_);
  ASSERT_TRUE(access) << base::ToString(access.error());
  EXPECT_EQ(access->server, "https://127.0.0.1:6443");
  EXPECT_EQ(access->certificate, "CERT");
  EXPECT_EQ(access->namespace_, "team-a");
  EXPECT_THAT(KubeconfigNames({&file, 1}, "contexts"), ElementsAre("test", "prod", "bare"));
}

}  // namespace
}  // namespace berth::kube
