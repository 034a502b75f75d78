// Any patch on any object ends in an object or a fault, within bounds, and never nests deeper than
// what can be walked. Input: the object's text, a NUL, the patch's text.

#include <cstdint>
#include <string_view>

#include "api/pod.h"
#include "apiserver/patch.h"
#include "base/check.h"

namespace {

using berth::apiserver::PatchResult;

void CheckReadable(const PatchResult& result) {
  if (!result) {
    CHECK(!result.error().message.empty());
    return;
  }
  const std::string text = berth::store::PrintJson(*result);
  CHECK(berth::store::ParseJson(text, {.max_depth = 600}).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t cut = input.find('\0');
  if (cut == std::string_view::npos) return 0;
  const auto original = berth::store::ParseJson(input.substr(0, cut));
  const auto patch = berth::store::ParseJson(input.substr(cut + 1));
  if (!original || !patch) return 0;
  CheckReadable(berth::apiserver::ApplyJsonPatch(*original, *patch, {.copied_bytes = 4096}));
  CheckReadable(berth::apiserver::ApplyMergePatch(*original, *patch));
  CheckReadable(
      berth::apiserver::ApplyStrategicPatch(*original, *patch, &berth::api::Pod::Description));
  return 0;
}
