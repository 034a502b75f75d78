#include "http/certificates.h"

#include <gmock/gmock.h>

namespace berth::http {
namespace {

using ::testing::ElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

TEST(Certificates, NameTheirSubject) {
  const auto authority = MakeAuthority("ca", kNow);
  ASSERT_TRUE(authority);
  const Subject anna{.user = "anna", .groups = {"dev", "ops"}};
  const auto client = IssueClient(*authority, anna, kNow);
  ASSERT_TRUE(client);
  EXPECT_EQ(ReadCertificate(client->certificate)->subject, anna);
}

TEST(Certificates, OfServersCoverHostNamesAndAddresses) {
  const auto authority = MakeAuthority("ca", kNow);
  const std::string names[] = {"localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"};
  const auto server = IssueServer(*authority, names, kNow);
  ASSERT_TRUE(server);
  const auto info = ReadCertificate(server->certificate);
  EXPECT_THAT(info->names, ElementsAre("localhost", "127.0.0.1", "::1"));
  EXPECT_TRUE(Covers(*info, names));
  const std::string other[] = {"example.test"};
  EXPECT_FALSE(Covers(*info, other));
}

TEST(Certificates, KeepCommasInNames) {
  const auto authority = MakeAuthority("ca", kNow);
  const std::string names[] = {"a.test,IP:10.0.0.1"};
  const auto server = IssueServer(*authority, names, kNow);
  ASSERT_TRUE(server);
  EXPECT_THAT(ReadCertificate(server->certificate)->names, ElementsAre("a.test,IP:10.0.0.1"));
}

TEST(Certificates, HaveTheRequestedValidity) {
  const auto authority = MakeAuthority("ca", kNow);
  const auto info = ReadCertificate(authority->certificate);
  EXPECT_EQ(info->not_after, kNow + kAuthorityValidity);
  EXPECT_LE(info->not_before, kNow);
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

TEST(Certificates, ThatAreMalformedAreAnError) { EXPECT_FALSE(ReadCertificate("hello")); }

}  // namespace
}  // namespace berth::http
