#include "kube/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "http/testing/directory.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

const base::Time kNoon = *base::ParseTime("2026-01-02T12:00:00Z");

class CredentialsTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = (directory_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }

  http::testing::Directory directory_;
};

TEST_F(CredentialsTest, RereadTheTokenFile) {
  const std::string file = Write("token", "first\n");
  Credentials credentials({.token_file = file});
  EXPECT_EQ(*credentials.Headers(kNoon), "Authorization: Bearer first\r\n");
  Write("token", "second\n");
  EXPECT_THAT(*credentials.Headers(kNoon + base::Duration::Seconds(10)), HasSubstr("first"));
  EXPECT_THAT(*credentials.Headers(kNoon + base::Duration::Seconds(61)), HasSubstr("second"));
  Write("token", "third\n");
  EXPECT_TRUE(credentials.OnUnauthorized());
  EXPECT_THAT(*credentials.Headers(kNoon + base::Duration::Seconds(62)), HasSubstr("third"));
}

TEST_F(CredentialsTest, RunThePluginAgainWhenItsCredentialExpires) {
  const std::string log = (directory_.path() / "log").string();
  const std::string plugin = Write("plugin.sh", R"sh(
echo "$1 $REGION" >>"$LOG"
case "$KUBERNETES_EXEC_INFO" in *ExecCredential*) ;; *) exit 3 ;; esac
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{'
echo "\"token\":\"t$(wc -l <"$LOG")\",\"expirationTimestamp\":\"2026-01-02T12:10:00Z\"}}"
)sh");
  Credentials credentials({.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                                              .command = "bash",
                                              .arguments = {plugin, "login"},
                                              .environment = {{"REGION", "eu"}, {"LOG", log}}}});
  EXPECT_EQ(*credentials.Headers(kNoon), "Authorization: Bearer t1\r\n");
  EXPECT_EQ(*credentials.Headers(kNoon), "Authorization: Bearer t1\r\n");
  EXPECT_EQ(*credentials.Headers(kNoon + base::Duration::Seconds(599)),
            "Authorization: Bearer t2\r\n");
  std::ifstream ran(log);
  std::string line;
  std::getline(ran, line);
  EXPECT_EQ(line, "login eu");
}

TEST_F(CredentialsTest, ReportErrorsOfThePlugin) {
  const auto error_of = [](std::string command, std::vector<std::string> arguments) {
    Credentials credentials({.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                                                .command = std::move(command),
                                                .arguments = std::move(arguments),
                                                .environment = {},
                                                .install_hint = "install it"}});
    const auto headers = credentials.Headers(kNoon);
    return headers ? "" : base::ToString(headers.error());
  };
  EXPECT_THAT(error_of("/no/such/program", {}), HasSubstr("install it"));
  EXPECT_THAT(error_of("bash", {"-c", "exit 3"}), HasSubstr("ended with code 3"));
  EXPECT_THAT(error_of("bash", {"-c", "echo no"}), HasSubstr("printed no JSON"));
}

TEST_F(CredentialsTest, SupportBasicAuthAndImpersonation) {
  EXPECT_EQ(*Credentials({.user = "me", .password = "secret"}).Headers(kNoon),
            "Authorization: Basic bWU6c2VjcmV0\r\n");
  EXPECT_EQ(*Credentials({.token = "t", .impersonated_user = "you"}).Headers(kNoon),
            "Authorization: Bearer t\r\nImpersonate-User: you\r\n");
}

TEST_F(CredentialsTest, RejectLineEndsInATokenHeader) {
  EXPECT_FALSE(Credentials({.token = "t\r\nX-Evil: 1"}).Headers(kNoon));
}

}  // namespace
}  // namespace berth::kube
