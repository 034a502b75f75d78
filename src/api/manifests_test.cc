// Reads the manifests of Kueue's documentation.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/meta/registry.h"
#include "api/testing/json_loss.h"
#include "api/testing/read_object.h"
#include "schema/encode.h"
#include "schema/yaml/to_json.h"

namespace berth::api {
namespace {

using testing::FirstLoss;
using testing::ReadObject;

std::filesystem::path ManifestsFolder() {
  const char* configured = std::getenv("BERTH_SHARED_DIR");
  return std::filesystem::path(configured != nullptr ? configured : BERTH_SOURCE_DIR "/../shared") /
         "manifests";
}

std::vector<std::filesystem::path> ManifestFiles() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(ManifestsFolder())) return files;
  for (const auto& entry : std::filesystem::directory_iterator(ManifestsFolder())) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// The fields common to all kinds.
struct AnyKind {
  std::string api_version;
  std::string kind;
  schema::Extra extra;

  static const schema::Struct& Description() {
    static constexpr schema::Field kFields[] = {
        schema::Member<&AnyKind::api_version>("apiVersion", "Its version.").Required(),
        schema::Member<&AnyKind::kind>("kind", "Its kind.").Required(),
    };
    static constexpr auto kStruct = schema::Describe<AnyKind>("AnyKind", "Any object.", kFields);
    return kStruct;
  }
};

// Unknown kinds must be kept without loss.
void CheckForeign(const std::string& json) {
  const auto once = schema::Decode<AnyKind>(json);
  ASSERT_TRUE(once) << testing::ToString(once.error());
  EXPECT_EQ(FirstLoss(json, schema::Encode(*once)), std::nullopt);
  const auto twice = schema::Decode<AnyKind>(schema::Encode(*once));
  ASSERT_TRUE(twice) << testing::ToString(twice.error());
  EXPECT_EQ(schema::Encode(*twice), schema::Encode(*once));
}

void CheckOurs(const FoundKind& found, const schema::YamlDocument& document) {
  const auto once = ReadObject(
      *found.kind, document.json,
      {.is_strict = true, .is_previous = found.is_previous, .source_map = &document.map});
  ASSERT_TRUE(once) << testing::ToString(once.error());
  if (!found.is_previous) {
    EXPECT_EQ(FirstLoss(document.json, once->Encode()), std::nullopt);
  }
  const auto twice = ReadObject(*found.kind, once->Encode(), {.is_strict = true});
  ASSERT_TRUE(twice) << testing::ToString(twice.error());
  EXPECT_EQ(twice->Encode(), once->Encode());
}

TEST(KueueManifests, AreReadStrictlyAndNothingIsLost) {
  const std::vector<std::filesystem::path> files = ManifestFiles();
  if (files.empty()) GTEST_SKIP() << "shared/manifests not found";
  int ours = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const auto documents = schema::YamlToJson(ReadFile(file));
    ASSERT_TRUE(documents) << base::ToString(documents.error());
    for (const schema::YamlDocument& document : *documents) {
      const auto head = schema::Decode<AnyKind>(document.json);
      ASSERT_TRUE(head) << testing::ToString(head.error());
      SCOPED_TRACE(head->kind + " at line " + std::to_string(document.line));
      const FoundKind found = FindKind(head->api_version, head->kind);
      ours += found ? 1 : 0;
      found ? CheckOurs(found, document) : CheckForeign(document.json);
    }
  }
  EXPECT_GT(ours, 0);
}

}  // namespace
}  // namespace berth::api
