#include "apiserver/structural_pattern.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> matches;
  std::vector<std::string_view> others;
};

TEST(StructuralPatterns, MatchAsSchemasMeanThem) {
  const Case cases[] = {
      {"a.c", {"abc", "xabcx", "aüc"}, {"ac", "a\nc"}},
      {"^a+$", {"a", "aaa"}, {"", "ab", "ba"}},
      {"^(a|bc)*$", {"", "a", "bcabc"}, {"b", "abcb"}},
      {"^a{2,3}$", {"aa", "aaa"}, {"a", "aaaa"}},
      {"^a{2,}b{1}$", {"aab", "aaaab"}, {"ab", "aabb"}},
      {"^a{,2}$", {"a{,2}"}, {"aa"}},
      {"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", {"a", "a-b", "a1"}, {"-a", "a-", "A", ""}},
      {"^[^,]+$", {"abc", "ü"}, {"a,b", ""}},
      {R"(^\d+(\.\d+)?$)", {"1", "1.5"}, {"1.", ".5", "a"}},
      {R"(^[\w.-]+$)", {"a_b.c-d"}, {"a b"}},
      {R"(^\S+\s\S+$)", {"a b"}, {"ab"}},
      {"^[]a]+$", {"]a"}, {"b"}},
      {"^[[:alpha:]][[:^digit:]]$", {"ab", "a-"}, {"1b", "a1"}},
      {"(?i)^abc$", {"ABC", "aBc"}, {"abd"}},
      {R"(^\x41\x{42}\.\/$)", {"AB./"}, {"ABx/"}},
      {R"(\bcat\b)", {"a cat", "cat."}, {"cats", "concat"}},
      {"^(?:a|b|)c$", {"ac", "bc", "c"}, {"cc"}},
      {"^a+?b*?$", {"a", "aab"}, {"b"}},
      {"", {"", "x"}, {}},
      {"^(([0-9]+(.[0-9]+)?)|(.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](([0-9]+(.[0-9]+)?)|(.[0-9]+))"
       "))?$",
       {"1", "100Mi", "1.5", "500m"},
       {"Mi", "1MiB"}},
  };
  for (const Case& test : cases) {
    const auto pattern = StructuralPattern::Compile(test.pattern);
    ASSERT_TRUE(pattern) << test.pattern << ": " << pattern.error().message;
    for (const auto text : test.matches)
      EXPECT_TRUE(pattern->Matches(text)) << test.pattern << text;
    for (const auto text : test.others)
      EXPECT_FALSE(pattern->Matches(text)) << test.pattern << text;
  }
}

TEST(StructuralPatterns, RefuseWhatIsNone) {
  for (const std::string_view bad : {"(", ")", "a)", "[a", "*", "a**", "[z-a]", "\\", "a{3,2}",
                                     "[[:nope:]]", "a{1001}", "\\x"}) {
    const auto pattern = StructuralPattern::Compile(bad);
    ASSERT_FALSE(pattern) << bad;
    EXPECT_EQ(pattern.error().hint, "") << bad;
  }
}

TEST(StructuralPatterns, AdmitWhatTheyDoNotSupport) {
  for (const std::string_view other : {"\\p{L}", "(?s)a", "(?=a)", "((a{1000}){1000}){1000}"}) {
    const auto pattern = StructuralPattern::Compile(other);
    ASSERT_FALSE(pattern) << other;
    EXPECT_NE(pattern.error().hint, "") << other;
  }
}

TEST(StructuralPatterns, TakeTimeLinearInTheText) {
  const auto pattern = StructuralPattern::Compile("^(a*)*(a|aa)+b$");
  ASSERT_TRUE(pattern);
  EXPECT_FALSE(pattern->Matches(std::string(100'000, 'a')));
  EXPECT_TRUE(pattern->Matches(std::string(100'000, 'a') + "b"));
  EXPECT_FALSE(StructuralPattern::Compile(std::string(100'000, '(')));
}

}  // namespace
}  // namespace berth::apiserver
