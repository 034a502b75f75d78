#pragma once

#include <string_view>

// What this binary was built from.
namespace berth::cli {

extern const std::string_view kVersion;   // "0.1.0"
extern const std::string_view kRevision;  // as git describes it; "" if it was not built from git
extern const std::string_view kCompiler;  // "GCC 12.2.0"

}  // namespace berth::cli
