#include "api/meta/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth::api {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Letters(size_t count) { return std::string(count, 'a'); }

TEST(Dns1123Label, IsLowerCaseLettersDigitsAndDashes) {
  for (std::string_view good : {"a", "0", "team-a", "0-9", "a--b"}) {
    EXPECT_TRUE(IsDns1123Label(good)) << good;
    EXPECT_THAT(Dns1123LabelProblems(good), IsEmpty()) << good;
  }
  for (std::string_view bad : {"", "-a", "a-", "A", "a_b", "a.b", "ä"}) {
    EXPECT_FALSE(IsDns1123Label(bad)) << bad;
    EXPECT_THAT(Dns1123LabelProblems(bad), SizeIs(1)) << bad;
  }
}

TEST(Dns1123Label, HasAtMost63Bytes) {
  EXPECT_TRUE(IsDns1123Label(Letters(63)));
  EXPECT_FALSE(IsDns1123Label(Letters(64)));
  EXPECT_THAT(Dns1123LabelProblems(Letters(64)), SizeIs(1));
  EXPECT_THAT(Dns1123LabelProblems(Letters(64) + "-"), SizeIs(2));
}

TEST(Dns1123Label, ReportsDotsSpecifically) {
  EXPECT_THAT(Dns1123LabelProblems("a.b"), testing::ElementsAre("must not contain dots"));
}

TEST(Dns1123Subdomain, IsLabelsJoinedByDots) {
  for (std::string_view good : {"a", "a.b", "team-a.example.com", "1.2"}) {
    EXPECT_TRUE(IsDns1123Subdomain(good)) << good;
    EXPECT_THAT(Dns1123SubdomainProblems(good), IsEmpty()) << good;
  }
  for (std::string_view bad : {"", ".", "a.", ".a", "a..b", "a-.b", "A.b", "a/b"}) {
    EXPECT_FALSE(IsDns1123Subdomain(bad)) << bad;
    EXPECT_THAT(Dns1123SubdomainProblems(bad), SizeIs(1)) << bad;
  }
  EXPECT_TRUE(IsDns1123Subdomain(Letters(253)));
  EXPECT_FALSE(IsDns1123Subdomain(Letters(254)));
}

TEST(Dns1035Label, BeginsWithALetter) {
  EXPECT_TRUE(IsDns1035Label("a-1"));
  EXPECT_FALSE(IsDns1035Label("1-a"));
  EXPECT_FALSE(IsDns1035Label(""));
  EXPECT_THAT(Dns1035LabelProblems("1-a"), SizeIs(1));
  EXPECT_THAT(Dns1035LabelProblems("1" + Letters(63)), SizeIs(2));
}

TEST(QualifiedName, HasAnOptionalPrefix) {
  for (std::string_view good : {"a", "A_b.c-1", "example.com/gpu", "kubernetes.io/hostname"}) {
    EXPECT_TRUE(IsLabelKey(good)) << good;
  }
  EXPECT_TRUE(IsLabelKey(Letters(253) + "/" + Letters(63)));
  EXPECT_THAT(QualifiedNameProblems(Letters(254) + "/a"), SizeIs(1));
  EXPECT_THAT(QualifiedNameProblems(Letters(64)), SizeIs(1));
}

TEST(QualifiedName, CountsTheCausesThatAnApiServerReports) {
  EXPECT_THAT(QualifiedNameProblems(""), SizeIs(2));  // missing, and of no valid form
  EXPECT_THAT(QualifiedNameProblems("example.com/"), SizeIs(2));
  EXPECT_THAT(QualifiedNameProblems("/a"), SizeIs(1));
  EXPECT_THAT(QualifiedNameProblems("/"), SizeIs(3));
  EXPECT_THAT(QualifiedNameProblems("A.com/-"), SizeIs(2));
  EXPECT_THAT(QualifiedNameProblems("a/b/c"), SizeIs(1));
  EXPECT_THAT(QualifiedNameProblems("bad key"), SizeIs(1));
}

TEST(LabelValue, MayBeEmpty) {
  EXPECT_TRUE(IsLabelValue(""));
  EXPECT_TRUE(IsLabelValue("A.b_c-1"));
  EXPECT_FALSE(IsLabelValue("a b"));
  EXPECT_FALSE(IsLabelValue("-a"));
  EXPECT_FALSE(IsLabelValue(Letters(64)));
  EXPECT_THAT(LabelValueProblems(Letters(64) + "-"), SizeIs(2));
}

TEST(KindName, BeginsWithALetterOfEitherCase) {
  EXPECT_TRUE(IsKindName("ProvisioningRequestConfig"));
  EXPECT_TRUE(IsKindName("a-1"));
  EXPECT_FALSE(IsKindName("1a"));
  EXPECT_FALSE(IsKindName("a-"));
  EXPECT_FALSE(IsKindName(""));
}

}  // namespace
}  // namespace berth::api
