// Compares with shared/oracle/patches.json, recorded from the libraries of the real API server.
// Skipped if absent; patch_test.cc covers the rules.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "api/meta/registry.h"
#include "apiserver/patch/patch.h"

namespace berth::apiserver {
namespace {

std::string OraclePath() {
  const char* dir = std::getenv("BERTH_SHARED_DIR");
  const std::string shared = dir != nullptr ? dir : std::string(BERTH_SOURCE_DIR) + "/../shared";
  return shared + "/oracle/patches.json";
}

std::string_view NameOf(PatchFault fault) {
  static const std::map<PatchFault, std::string_view> kNames = {
      {PatchFault::kBadJson, "bad-json"},
      {PatchFault::kMissing, "missing"},
      {PatchFault::kIndex, "index"},
      {PatchFault::kTestFailed, "test-failed"},
      {PatchFault::kBadOperation, "bad-op"},
      {PatchFault::kOrder, "order"},
      {PatchFault::kOrderOnEmpty, "order-on-empty"},
      {PatchFault::kUnorderable, "panic"},
      {PatchFault::kNoMergeKey, "no-merge-key"},
      {PatchFault::kDirective, "directive"},
      {PatchFault::kRetainKeys, "retain-keys"},
      {PatchFault::kTooLarge, "too-large"},
      {PatchFault::kOther, "other"},
  };
  return kNames.at(fault);
}

const schema::Kind* KindNamed(std::string_view name) {
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->kind == name) return kind;
  }
  return nullptr;
}

// A member of a test case, given as a tree or as text.
std::expected<json::value, PatchError> Input(const json::object& test, const std::string& member) {
  if (const json::value* tree = test.if_contains(member)) return *tree;
  const json::string& text = test.at(member + "Text").as_string();
  const auto parsed = json::Parse(json::View(text));
  if (parsed) return *parsed;
  return std::unexpected(PatchError{PatchFault::kBadJson, parsed.error().message});
}

PatchResult Perform(const json::object& test) {
  const auto original = Input(test, "original");
  if (!original) return original;
  const auto patch = Input(test, "patch");
  if (!patch) return patch;
  const std::string_view type = json::View(test.at("type").as_string());
  if (type == "json") return ApplyJsonPatch(*original, *patch);
  if (type == "merge") return ApplyMergePatch(*original, *patch);
  const schema::Kind* kind = KindNamed(json::View(test.at("kind").as_string()));
  if (kind == nullptr) return std::unexpected(PatchError{PatchFault::kOther, "unknown kind"});
  return ApplyStrategicPatch(*original, *patch, kind->structure);
}

bool IsAsExpected(const PatchResult& result, const json::object& test) {
  if (const json::value* choices = test.if_contains("anyOf")) {
    for (const json::value& choice : choices->as_array()) {
      if (IsAsExpected(result, choice.as_object())) return true;
    }
    return false;
  }
  if (const json::value* fault = test.if_contains("error")) {
    return !result && *fault == json::value(json::BoostView(NameOf(result.error().fault)));
  }
  return result && *result == test.at("result");
}

TEST(PatchOracle, EveryCaseEndsAsInTheRealApiServer) {
  std::ifstream file(OraclePath());
  if (!file) GTEST_SKIP() << "shared/oracle/patches.json not found";
  std::ostringstream text;
  text << file.rdbuf();
  const auto oracle = json::Parse(text.str());
  ASSERT_TRUE(oracle);
  for (const json::value& test : oracle->at("cases").as_array()) {
    const PatchResult result = Perform(test.as_object());
    EXPECT_TRUE(IsAsExpected(result, test.as_object()))
        << json::Print(test) << "\ngave "
        << (result ? json::Print(*result)
                   : std::string(NameOf(result.error().fault)) + ": " + result.error().message);
  }
}

}  // namespace
}  // namespace berth::apiserver
