// Reads any text as manifests, strictly and leniently. Decoded objects must round-trip, and every
// problem must have a position.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "api/meta/manifest.h"
#include "base/check.h"
#include "schema/decode.h"

namespace {

using namespace berth::api;  // the fuzzer tests one header

void CheckRoundTrip(const Object& object) {
  const std::string json = object.Encode();
  Object again(object.kind());
  const berth::schema::Problems problems =
      berth::schema::Decoder().Decode(json, object.kind(), again.value());
  CHECK(problems.empty());
  CHECK(again.Encode() == json);
}

void Read(std::string_view text, bool is_strict) {
  for (const Manifest& manifest : ReadManifests(text, {.file = "fuzz", .is_strict = is_strict})) {
    // An object with a duplicate key keeps both values.
    const bool is_ambiguous = std::ranges::any_of(manifest.problems, [](const auto& problem) {
      return problem.type == berth::schema::ProblemType::kDuplicate;
    });
    if (manifest.object && !is_ambiguous) CheckRoundTrip(*manifest.object);
    CHECK(manifest.object || manifest.known == nullptr || !manifest.problems.empty());
    for (const berth::schema::Problem& problem : manifest.problems) {
      CHECK(!problem.message.empty());
      CHECK(problem.place.line > 0);
      if (!manifest.source.json.empty()) CHECK(Locate(manifest.source, problem.field).line > 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Read(text, true);
  Read(text, false);
  return 0;
}
