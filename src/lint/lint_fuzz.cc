// No input crashes lint. Every finding has a rule and a message.

#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "lint/lint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto manifests = berth::api::ReadManifests(text, {.file = "fuzz"});
  for (const berth::lint::Finding& finding : berth::lint::Lint(manifests).findings) {
    CHECK(!finding.rule.empty());
    CHECK(!finding.message.empty());
    CHECK(finding.place.line > 0);
  }
  return 0;
}
