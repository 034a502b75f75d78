// Label selectors agree with those of Kubernetes.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <optional>
#include <string>
#include <utility>

#include "api/meta/selector.h"
#include "api/testing/oracle_faults.h"
#include "api/testing/shared_data.h"
#include "schema/decode.h"

namespace berth::api {
namespace {

using simdjson::dom::element;

std::string Text(const element& value) { return simdjson::minify(value); }

std::optional<LabelSelector> SelectorOf(const element& json) {
  if (json.is_null()) return std::nullopt;
  return schema::Decode<LabelSelector>(Text(json)).value();
}

Labels LabelsOf(const element& json) {
  Labels labels;
  for (auto [key, value] : json.get_object()) {
    labels.Set(key, std::string(value.get_string().value()));
  }
  return labels;
}

schema::Problems ProblemsOf(const std::optional<LabelSelector>& selector) {
  ProblemReport report;
  ValidateSelector(selector, "selector", report);
  return std::move(report).Take();
}

TEST(SelectorOracle, MatchingTextAndFaultsAgree) {
  const auto text = testing::ReadShared("oracle/selectors.json");
  if (!text) GTEST_SKIP() << "shared/oracle/selectors.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    SCOPED_TRACE(Text(test));
    const std::optional<LabelSelector> source = SelectorOf(test["selector"]);
    EXPECT_EQ(testing::FoundFaults(ProblemsOf(source)),
              testing::RecordedFaults(test["validation"]));
    const auto selector = Selector::Compile(source);
    const bool fails = !test["error"].error();
    ASSERT_EQ(selector.has_value(), !fails);
    if (fails) continue;
    EXPECT_EQ(selector->Matches(LabelsOf(test["labels"])), test["matches"].get_bool().value());
    EXPECT_EQ(selector->is_everything(), test["empty"].get_bool().value());
    EXPECT_EQ(selector->ToString(), test["text"].get_string().value());
  }
}

}  // namespace
}  // namespace berth::api
