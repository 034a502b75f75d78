// Any patch on any object yields an object or an error, within bounds and limited in depth;
// server-side apply is idempotent. Input: the object's text, a NUL, the patch's text.

#include <cstdint>
#include <string_view>

#include "api/core/pod.h"
#include "apiserver/apply/apply.h"
#include "apiserver/patch/patch.h"
#include "base/check.h"

namespace {

using berth::apiserver::PatchResult;

void CheckReadable(const json::value& value) {
  CHECK(berth::json::Parse(berth::json::Print(value), {.max_depth = 600}).has_value());
}

void CheckResult(const PatchResult& result) {
  if (result) return CheckReadable(*result);
  CHECK(!result.error().message.empty());
  CHECK(result.error().HttpCode() >= 400);
}

void CheckApply(const json::value& live, const json::value& applied) {
  const berth::apiserver::DescribedSchemaView schema(&berth::api::Pod::Description);
  const berth::apiserver::WriteInfo write{.manager = "fuzz", .api_version = "v1", .now = {}};
  const json::value tracked = berth::apiserver::TrackUpdate(schema, live, applied, write);
  CheckReadable(tracked);
  const auto once = berth::apiserver::Apply(schema, live, applied, write, true);
  if (!once) {
    CHECK(!once.error().message.empty());
    return;
  }
  const auto twice = berth::apiserver::Apply(schema, *once, applied, write, false);
  CHECK(twice.has_value());
  CHECK(*twice == *once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t cut = input.find('\0');
  if (cut == std::string_view::npos) return 0;
  const auto original = berth::json::Parse(input.substr(0, cut));
  const auto patch = berth::json::Parse(input.substr(cut + 1));
  if (!original || !patch) return 0;
  CheckResult(berth::apiserver::ApplyJsonPatch(*original, *patch, {.copied_bytes = 4096}));
  CheckResult(berth::apiserver::ApplyMergePatch(*original, *patch));
  CheckResult(
      berth::apiserver::ApplyStrategicPatch(*original, *patch, &berth::api::Pod::Description));
  CheckApply(*original, *patch);
  return 0;
}
