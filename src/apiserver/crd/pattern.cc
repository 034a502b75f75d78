#include "apiserver/crd/pattern.h"

#include <re2/re2.h>

#include <cstdint>

namespace berth::apiserver {
namespace {

constexpr int64_t kMaxMemory = 8 << 20;  // bytes for one pattern, compiled and during matching

RE2::Options Options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

// Go has wider limits, and accepts (?<name>…), which RE2 before 2023 does not. Neither looks
// behind:
// (?<=…) and (?<!…).
bool MayBeValidInGo(const RE2& failed) {
  if (failed.error_code() == RE2::ErrorPatternTooLarge) return true;
  const std::string& pattern = failed.pattern();
  const bool looks_behind =
      pattern.find("(?<=") != std::string::npos || pattern.find("(?<!") != std::string::npos;
  return failed.error_arg() == "(?<" && !looks_behind;
}

}  // namespace

base::Result<StructuralPattern> StructuralPattern::Compile(std::string_view text) {
  auto compiled = std::make_shared<const RE2>(text, Options());
  if (compiled->ok()) return StructuralPattern(std::move(compiled));
  return base::Fail(compiled->error(), MayBeValidInGo(*compiled)
                                           ? "Kubernetes may accept it; Berth does not check it"
                                           : "");
}

bool StructuralPattern::Matches(std::string_view text) const {
  return RE2::PartialMatch(text, *compiled_);
}

}  // namespace berth::apiserver
