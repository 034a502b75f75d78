#include "apiserver/certificates.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

TEST(Certificates, NameWhoTheyAreFor) {
  const auto authority = MakeAuthority("ca", kNow);
  ASSERT_TRUE(authority);
  const Subject anna{.user = "anna", .groups = {"dev", "ops"}};
  const auto client = IssueClient(*authority, anna, kNow);
  ASSERT_TRUE(client);
  EXPECT_EQ(ReadCertificate(client->certificate)->subject, anna);
}

TEST(Certificates, OfServersCoverHostsAndAddresses) {
  const auto authority = MakeAuthority("ca", kNow);
  const std::string names[] = {"localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"};
  const auto server = IssueServer(*authority, names, kNow);
  ASSERT_TRUE(server);
  const auto facts = ReadCertificate(server->certificate);
  EXPECT_THAT(facts->names, ElementsAre("localhost", "127.0.0.1", "::1"));
  EXPECT_TRUE(Covers(*facts, names));
  const std::string other[] = {"example.test"};
  EXPECT_FALSE(Covers(*facts, other));
}

TEST(Certificates, CommasInNamesDoNotMakeMoreNames) {
  const auto authority = MakeAuthority("ca", kNow);
  const std::string names[] = {"a.test,IP:10.0.0.1"};
  const auto server = IssueServer(*authority, names, kNow);
  ASSERT_TRUE(server);
  EXPECT_THAT(ReadCertificate(server->certificate)->names, ElementsAre("a.test,IP:10.0.0.1"));
}

TEST(Certificates, LastAsLongAsTheySay) {
  const auto authority = MakeAuthority("ca", kNow);
  const auto facts = ReadCertificate(authority->certificate);
  EXPECT_EQ(facts->not_after, kNow + kAuthorityLife);
  EXPECT_LE(facts->not_before, kNow);
}

TEST(Certificates, AreIntactOnlyWithTheirKeyAndTheirAuthority) {
  const auto authority = MakeAuthority("ca", kNow);
  const auto other = MakeAuthority("ca", kNow);
  const auto client = IssueClient(*authority, {.user = "anna", .groups = {}}, kNow);
  EXPECT_TRUE(IsIntact(*client, authority->certificate));
  EXPECT_FALSE(IsIntact(*client, other->certificate));
  EXPECT_FALSE(IsIntact({client->certificate, other->key}, authority->certificate));
  EXPECT_FALSE(IsIntact({"", ""}, authority->certificate));
}

TEST(Certificates, ThatAreNoneAreAnError) { EXPECT_FALSE(ReadCertificate("hello")); }

}  // namespace
}  // namespace berth::apiserver
