#include "apiserver/crd/pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver {
namespace {

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> matches;
  std::vector<std::string_view> others;
};

TEST(StructuralPatterns, MatchRe2Syntax) {
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
      {R"(^\p{Greek}+$)", {"αβγ"}, {"abc", "αb"}},
      {R"(^\pL\PL[\pN_]$)", {"ü-٣", "a1_"}, {"aa1", "1-1"}},
      {"(?s)^a.c$", {"a\nc"}, {"ac"}},
      {"(?m)^b$", {"a\nb\nc"}, {"ab"}},
      {"^(?i:a)b$", {"Ab", "ab"}, {"AB"}},
      {"^a(?i)b(?-i)c$", {"aBc", "abc"}, {"Abc", "abC"}},
      {"(?i)^straße$", {"STRAßE"}, {"strasse"}},
      {"(?U)^a+$", {"aa"}, {"ab"}},
      {"^(?P<year>[0-9]{4})$", {"2026"}, {"26"}},
      {R"(^\Qa.b*\E$)", {"a.b*"}, {"axb"}},
      {R"(^\101\x{1F600}$)", {"A😀"}, {"A"}},
      {R"(\Aa\z)", {"a"}, {"ab", "ba", "a\n"}},
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

TEST(StructuralPatterns, RejectInvalidExpressions) {
  for (const std::string_view bad :
       {"(",          ")",       "a)",        "[a",     "*",
        "a**",        "a{2}{3}", "[z-a]",     "\\",     "a{3,2}",
        "[[:nope:]]", "a{1001}", "\\x",       "(?=a)",  "(?!a)",
        "(?<=a)b",    "(?<!a)b", "(?>a)",     "(?P=n)", "a++",
        "(a)\\1",     "\\Z",     "\\p{Nope}", "\xff",   "((a{1000}){1000}){1000}"}) {
    const auto pattern = StructuralPattern::Compile(bad);
    ASSERT_FALSE(pattern) << bad;
    EXPECT_NE(pattern.error().message, "") << bad;
    EXPECT_EQ(pattern.error().hint, "") << bad;
  }
}

TEST(StructuralPatterns, AreUncheckedBeyondTheMemoryLimit) {
  const auto pattern = StructuralPattern::Compile(R"(^\p{L}{1000}$)");
  ASSERT_FALSE(pattern);
  EXPECT_NE(pattern.error().hint, "");
}

TEST(StructuralPatterns, HaveNamedGroupsOrAreUnchecked) {
  const auto pattern = StructuralPattern::Compile("^(?<year>[0-9]{4})$");
  if (pattern) {
    EXPECT_TRUE(pattern->Matches("2026"));
    EXPECT_FALSE(pattern->Matches("26"));
  } else {
    EXPECT_NE(pattern.error().hint, "");
  }
}

TEST(StructuralPatterns, TakeTimeLinearInTheText) {
  const auto pattern = StructuralPattern::Compile("^(a*)*(a|aa)+b$");
  ASSERT_TRUE(pattern);
  EXPECT_FALSE(pattern->Matches(std::string(100'000, 'a')));
  EXPECT_TRUE(pattern->Matches(std::string(100'000, 'a') + "b"));
}

TEST(StructuralPatterns, TerminateAtAnyDepthOfGroups) {
  const std::string open(100'000, '(');
  EXPECT_FALSE(StructuralPattern::Compile(open));
  const auto nested = StructuralPattern::Compile(open + "a" + std::string(open.size(), ')'));
  EXPECT_TRUE(!nested || nested->Matches("a"));
}

}  // namespace
}  // namespace berth::apiserver
