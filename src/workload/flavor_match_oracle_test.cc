// Flavors suit the same pods as in Kueue, and for the same reason they do not.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "api/testing/shared_data.h"
#include "schema/decode.h"
#include "workload/flavor_match.h"

namespace berth::workload {
namespace {

using simdjson::dom::element;

std::string Text(const element& value) { return simdjson::minify(value); }

std::string TextOr(const element& test, const char* key, const std::string& otherwise) {
  std::string_view text;
  return test[key].get(text) == simdjson::SUCCESS ? std::string(text) : otherwise;
}

std::string ReasonOf(const FlavorVerdict& verdict) {
  switch (verdict.fit) {
    case FlavorFit::kMatch:
      return "";
    case FlavorFit::kUntoleratedTaint:
      return "untolerated-taint";
    case FlavorFit::kAffinity:
      return "affinity";
    case FlavorFit::kMalformedAffinity:
      return "error";
  }
  return "?";
}

TEST(FlavorMatchOracle, VerdictsAgree) {
  const auto text = api::testing::ReadShared("oracle/flavor-match.json");
  if (!text) GTEST_SKIP() << "shared/oracle/flavor-match.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    const std::string reason = TextOr(test, "reason", "");
    if (reason == "tas") continue;  // topology is not the flavor matcher's business
    SCOPED_TRACE(Text(test));
    const FlavorMatcher flavor(
        schema::Decode<api::ResourceFlavorSpec>(Text(test["flavor"])).value());
    std::vector<api::PodSpec> pods;
    for (element pod : test["pods"].get_array()) {
      pods.push_back(schema::Decode<api::PodSpec>(Text(pod)).value());
    }
    std::vector<const api::PodSpec*> pointers;
    for (const api::PodSpec& pod : pods) pointers.push_back(&pod);
    const FlavorVerdict verdict = flavor.Match(pointers);
    EXPECT_EQ(verdict.is_match(), test["match"].get_bool().value());
    EXPECT_EQ(ReasonOf(verdict), reason);
    EXPECT_EQ(verdict.taint != nullptr ? TaintText(*verdict.taint) : "", TextOr(test, "taint", ""));
  }
}

}  // namespace
}  // namespace berth::workload
