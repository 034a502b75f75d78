// Decodes any text as JSON and compares with simdjson's DOM parser: both accept the same texts,
// except numbers beyond 64 bits, which only the DOM parser rejects. Decoded values must survive a
// round trip, and decode equally with a leading blank, which selects the careful reader.

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "schema/encode.h"
#include "schema/testing/fixture.h"

namespace {

using namespace berth::schema;

bool IsJson(std::string_view text) {
  static simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

// Our own limits, which reject valid JSON.
bool IsOurLimit(const Problem& problem) {
  return problem.type == ProblemType::kDuplicate || problem.message.starts_with("nested");
}

void CheckCompact(std::string_view text) {
  const auto compact = CompactJson(text);
  if (compact) {
    CHECK(CompactJson(*compact) == *compact);
    CHECK(compact->size() <= text.size());
  } else {
    CHECK(!compact.error().message.empty());
  }
  if (IsJson(text)) CHECK(compact || IsOurLimit(compact.error()));
}

void CheckReadersAgree(std::string_view text, const DecodeOptions& options) {
  const auto quick = Decode<testing::Cart>(text, options);
  const auto careful = Decode<testing::Cart>(" " + std::string(text), options);
  CHECK(quick.has_value() == careful.has_value());
  if (quick) CHECK(*quick == *careful);
}

void CheckDecode(std::string_view text, const DecodeOptions& options) {
  const auto cart = Decode<testing::Cart>(text, options);
  if (!cart) {
    for (const Problem& problem : cart.error()) CHECK(!problem.message.empty());
    return;
  }
  const std::string json = Encode(*cart);
  CHECK(CompactJson(json).has_value());
  const auto again = Decode<testing::Cart>(json);
  CHECK(again.has_value());
  CHECK(*again == *cart);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckCompact(text);
  CheckDecode(text, {.is_strict = true});
  CheckDecode(text, {.is_strict = false});
  CheckDecode(text, {.is_strict = true, .is_previous = true});
  CheckReadersAgree(text, {});
  CheckReadersAgree(text, {.is_previous = true});
  return 0;
}
