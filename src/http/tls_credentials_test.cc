#include "http/tls_credentials.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "apiserver/kubeconfig.h"
#include "http/private_file.h"
#include "http/testing/directory.h"
#include "http/tokens.h"

namespace berth::http {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);
constexpr base::Duration kDay = base::Duration::Seconds(86'400);

unsigned ModeOf(const std::filesystem::path& path) {
  struct stat info{};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_mode & 0777u;
}

class StoredCredentials : public ::testing::Test {
 protected:
  TlsCredentials Load(base::Time now = kNow, std::vector<std::string> names = {}) {
    auto loaded = LoadTlsCredentials(directory_.path() / "tls", names, now);
    EXPECT_TRUE(loaded);
    return *loaded;
  }

  testing::Directory directory_;
};

TEST_F(StoredCredentials, SurviveARestart) {
  const TlsCredentials first = Load();
  const TlsCredentials second = Load(kNow + kDay);
  EXPECT_EQ(first.authority, second.authority);
  EXPECT_EQ(first.server, second.server);
  EXPECT_EQ(first.admin, second.admin);
}

TEST_F(StoredCredentials, AreReadableByTheirOwnerOnly) {
  Load();
  EXPECT_EQ(ModeOf(directory_.path() / "tls"), 0700u);
  for (const char* name :
       {"ca.crt", "ca.key", "server.crt", "server.key", "admin.crt", "admin.key"})
    EXPECT_EQ(ModeOf(directory_.path() / "tls" / name), 0600u) << name;
}

TEST_F(StoredCredentials, AreRenewedBeforeExpiryByTheSameAuthority) {
  const TlsCredentials first = Load();
  const TlsCredentials later = Load(kNow + base::Duration::Seconds(340 * 86'400));
  EXPECT_EQ(first.authority, later.authority);
  EXPECT_NE(first.server, later.server);
  EXPECT_NE(first.admin, later.admin);
}

TEST_F(StoredCredentials, OfTheServerAreRenewedForANewName) {
  const TlsCredentials first = Load();
  const TlsCredentials second = Load(kNow, {"berth.test"});
  EXPECT_NE(first.server, second.server);
  EXPECT_EQ(first.admin, second.admin);
  EXPECT_EQ(second.server, Load(kNow, {"berth.test"}).server);
}

TEST_F(StoredCredentials, ThatAreDamagedAreReplaced) {
  const TlsCredentials first = Load();
  ASSERT_TRUE(WritePrivateFile(directory_.path() / "tls/server.key", "torn"));
  const TlsCredentials second = Load();
  EXPECT_NE(first.server, second.server);
  EXPECT_TRUE(IsIntact(second.server, second.authority));
}

TEST_F(StoredCredentials, AreAllReplacedWithANewAuthority) {
  const TlsCredentials first = Load();
  std::filesystem::remove(directory_.path() / "tls/ca.key");
  const TlsCredentials second = Load();
  EXPECT_NE(first.authority, second.authority);
  EXPECT_TRUE(IsIntact(second.server, second.authority));
  EXPECT_TRUE(IsIntact(second.admin, second.authority));
}

TEST(Kubeconfig, IsReadableByItsOwnerOnlyAndReplacedAtomically) {
  const testing::Directory directory;
  const auto path = directory.path() / "kubeconfig";
  const auto credentials = MakeTlsCredentials({}, kNow);
  ASSERT_TRUE(apiserver::WriteKubeconfig(path, "https://127.0.0.1:6443", *credentials));
  ASSERT_TRUE(apiserver::WriteKubeconfig(path, "https://127.0.0.1:7443", *credentials));
  EXPECT_EQ(ModeOf(path), 0600u);
  const std::string text = *ReadWholeFile(path);
  EXPECT_NE(text.find("server: https://127.0.0.1:7443"), std::string::npos) << text;
  EXPECT_NE(text.find("current-context: berth"), std::string::npos);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(Kubeconfig, ThatCannotBeWrittenIsReportedWithItsPath) {
  const auto credentials = MakeTlsCredentials({}, kNow);
  const auto written =
      apiserver::WriteKubeconfig("/nowhere/at/all/kubeconfig", "https://x", *credentials);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("/nowhere/at/all/kubeconfig"), std::string::npos);
}

TEST(Tokens, NameTheirUserAndGroups) {
  const auto table = TokenTable::Parse(
      "# ours\n"
      "0123456789abcdef,anna,7,\"dev,ops\"\n\n"
      "fedcba9876543210,ben,8\r\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->Find("0123456789abcdef"), (Subject{.user = "anna", .groups = {"dev", "ops"}}));
  EXPECT_EQ(table->Find("fedcba9876543210"), (Subject{.user = "ben", .groups = {}}));
  EXPECT_FALSE(table->Find("0123456789abcde"));
  EXPECT_FALSE(table->Find(""));
}

TEST(Tokens, ThatAreShortOrWithoutAUserAreRejectedWithTheirLine) {
  const auto brief = TokenTable::Parse("\nabc,anna,1\n");
  ASSERT_FALSE(brief);
  EXPECT_EQ(brief.error().place.line, 2);
  EXPECT_FALSE(TokenTable::Parse("0123456789abcdef,,1\n"));
}

TEST(Tokens, OfMalformedFilesAreRejectedWithTheirLine) {
  using namespace std::string_literals;
  const std::string good = "0123456789abcdef,anna,7\n";
  for (const std::string& bad :
       {"0123456789abcdef\n"s, "0123456789abcdef,ben\n"s, "fedcba9876543210,ben,8,\"dev,ops\n"s,
        "fedcba9876543210,ben,8,dev,ops\n"s, "fedcba98 76543210,ben,8\n"s,
        "fedcba98\x01"
        "76543210,ben,8\n"s,
        "fedcba98\xff"
        "76543210,ben,8\n"s,
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0,ben,8\n"s, "fedcba9876543210,be\nn,8\n"s,
        "fedcba9876543210,b\ten,8\n"s, "fedc\"ba9876543210,ben,8\n"s, good}) {
    const auto table = TokenTable::Parse(good + bad);
    ASSERT_FALSE(table) << bad;
    EXPECT_EQ(table.error().place.line, 2) << bad;
  }
}

TEST(Tokens, OfAMissingFileAreGeneratedOnce) {
  const testing::Directory directory;
  const auto path = directory.path() / "tokens";
  ASSERT_EQ(LoadTokens(path)->size(), 1u);
  EXPECT_EQ(ModeOf(path), 0600u);
  const std::string token = ReadWholeFile(path)->substr(0, 64);
  EXPECT_EQ(LoadTokens(path)->Find(token)->user, "berth-admin");
}

}  // namespace
}  // namespace berth::http
