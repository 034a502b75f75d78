#include "api/meta/selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

LabelSelectorRequirement Expression(std::string key, std::string_view op,
                                    std::vector<std::string> values = {}) {
  return {.key = std::move(key), .op = std::string(op), .values = std::move(values), .extra = {}};
}

LabelSelector Where(std::vector<LabelSelectorRequirement> expressions, Labels labels = {}) {
  return {
      .match_labels = std::move(labels), .match_expressions = std::move(expressions), .extra = {}};
}

bool Matches(const LabelSelector& selector, const Labels& labels) {
  return Selector::Compile(selector).value().Matches(labels);
}

// Field and type of every problem.
std::vector<std::pair<std::string, std::string>> Faults(const LabelSelector& selector) {
  ProblemReport report;
  ValidateSelector(selector, "selector", report);
  std::vector<std::pair<std::string, std::string>> faults;
  for (const schema::Problem& problem : std::move(report).Take()) {
    faults.emplace_back(problem.field, schema::CauseOf(problem.type));
  }
  return faults;
}

TEST(NoSelector, SelectsNothing) {
  const Selector nothing = Selector::Compile(std::optional<LabelSelector>()).value();
  EXPECT_FALSE(nothing.Matches({}));
  EXPECT_FALSE(nothing.Matches({{"a", "1"}}));
  EXPECT_FALSE(nothing.is_everything());
  EXPECT_EQ(nothing, Selector());
}

TEST(EmptySelector, SelectsEverything) {
  const Selector all = Selector::Compile(LabelSelector()).value();
  EXPECT_TRUE(all.Matches({}));
  EXPECT_TRUE(all.Matches({{"a", "1"}}));
  EXPECT_TRUE(all.is_everything());
  EXPECT_EQ(all.ToString(), "");
}

TEST(MatchLabels, MustAllBeEqual) {
  const LabelSelector selector = Where({}, {{"a", "1"}, {"b", ""}});
  EXPECT_TRUE(Matches(selector, {{"a", "1"}, {"b", ""}, {"c", "3"}}));
  EXPECT_FALSE(Matches(selector, {{"a", "1"}}));
  EXPECT_FALSE(Matches(selector, {{"a", "2"}, {"b", ""}}));
}

TEST(OperatorIn, NeedsTheLabelWithOneOfTheValues) {
  const LabelSelector selector = Where({Expression("a", kSelectorIn, {"2", "1"})});
  EXPECT_TRUE(Matches(selector, {{"a", "1"}}));
  EXPECT_FALSE(Matches(selector, {{"a", "3"}}));
  EXPECT_FALSE(Matches(selector, {}));
}

TEST(OperatorNotIn, HoldsWhereTheLabelIsAbsent) {
  const LabelSelector selector = Where({Expression("a", kSelectorNotIn, {"2", "1"})});
  EXPECT_FALSE(Matches(selector, {{"a", "1"}}));
  EXPECT_TRUE(Matches(selector, {{"a", "3"}}));
  EXPECT_TRUE(Matches(selector, {}));
}

TEST(OperatorExists, IgnoresTheValue) {
  EXPECT_TRUE(Matches(Where({Expression("a", kSelectorExists)}), {{"a", ""}}));
  EXPECT_FALSE(Matches(Where({Expression("a", kSelectorExists)}), {{"b", ""}}));
  EXPECT_FALSE(Matches(Where({Expression("a", kSelectorDoesNotExist)}), {{"a", ""}}));
  EXPECT_TRUE(Matches(Where({Expression("a", kSelectorDoesNotExist)}), {}));
}

TEST(SelectorText, IsOrderedByKeyThenByPlaceWithSortedValues) {
  const LabelSelector selector =
      Where({Expression("c", kSelectorDoesNotExist), Expression("b", kSelectorIn, {"y", "", "x"}),
             Expression("b", kSelectorExists), Expression("a", kSelectorNotIn, {"1", "1"})},
            {{"b", "z"}});
  EXPECT_EQ(Selector::Compile(selector)->ToString(), "a notin (1,1),b=z,b in (,x,y),b,!c");
}

TEST(SelectorRules, AcceptWhatCompiles) {
  EXPECT_THAT(Faults(Where({Expression("ex.com/k", kSelectorIn, {""})}, {{"a", ""}})), IsEmpty());
}

TEST(SelectorRules, InNeedsValuesAndExistsTakesNone) {
  EXPECT_THAT(
      Faults(Where({Expression("a", kSelectorIn), Expression("a", kSelectorExists, {"1"})})),
      ElementsAre(Pair("selector.matchExpressions[0].values", "FieldValueRequired"),
                  Pair("selector.matchExpressions[1].values", "FieldValueForbidden")));
}

TEST(SelectorRules, OperatorsAreFourAndCaseCounts) {
  for (const char* op : {"", "in", "Gt", "Lt", "Equals"}) {
    EXPECT_THAT(Faults(Where({Expression("a", op, {"1"})})),
                ElementsAre(Pair("selector.matchExpressions[0].operator", "FieldValueInvalid")))
        << op;
  }
}

TEST(SelectorRules, EachFaultOfAKeyCounts) {
  EXPECT_THAT(Faults(Where({Expression("", kSelectorExists)})),
              ElementsAre(Pair("selector.matchExpressions[0].key", "FieldValueInvalid"),
                          Pair("selector.matchExpressions[0].key", "FieldValueInvalid")));
}

TEST(SelectorRules, BadMatchLabelsAreReportedOnTheMap) {
  EXPECT_THAT(Faults(Where({}, {{"a b", "-"}})),
              ElementsAre(Pair("selector.matchLabels", "FieldValueInvalid"),
                          Pair("selector.matchLabels", "FieldValueInvalid")));
}

TEST(SelectorRules, BadValuesAreReportedByIndex) {
  EXPECT_THAT(Faults(Where({Expression("a", kSelectorNotIn, {"ok", "not ok"})})),
              ElementsAre(Pair("selector.matchExpressions[0].values[1]", "FieldValueInvalid")));
}

TEST(SelectorThatDoesNotCompile, HasAHint) {
  const auto selector = Selector::Compile(Where({Expression("a", "in", {"1"})}));
  ASSERT_FALSE(selector);
  EXPECT_THAT(selector.error().message, HasSubstr("selector.matchExpressions[0].operator"));
  EXPECT_EQ(selector.error().hint, "write In, NotIn, Exists or DoesNotExist");
}

}  // namespace
}  // namespace berth::api
