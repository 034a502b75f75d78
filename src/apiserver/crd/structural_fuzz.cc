// For any schema and any object, checking, pruning, defaulting and validation terminate; pruning
// and defaulting are idempotent. Input: the schema's text, a NUL, the object's text.

#include <cstdint>
#include <string_view>

#include "apiserver/crd/structural.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace json = boost::json;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t cut = input.find('\0');
  if (cut == std::string_view::npos) return 0;
  const auto schema = berth::json::Parse(input.substr(0, cut));
  const auto object = berth::json::Parse(input.substr(cut + 1));
  if (!schema || !object) return 0;
  for (const auto& problem : berth::apiserver::CheckStructural(*schema, "schema")) {
    CHECK(!problem.message.empty());
  }
  const berth::apiserver::StructuralSchema structural(std::make_shared<const json::value>(*schema));
  json::value pruned = *object;
  structural.Prune(pruned);
  CHECK(structural.Prune(pruned).empty());
  (void)structural.Default(pruned, 1 << 20);
  json::value again = pruned;
  structural.Validate(again);
  return 0;
}
