#pragma once

#include <string_view>

#include "observe/metrics.h"

// What this binary was built from.
namespace berth::cli {

extern const std::string_view kVersion;   // "0.1.0"
extern const std::string_view kRevision;  // as git describes it; "" if it was not built from git
extern const std::string_view kCompiler;  // "GCC 12.2.0"

// As kueue_build_info says it.
observe::BuildInfo ThisBuild();

}  // namespace berth::cli
