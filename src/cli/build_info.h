#pragma once

#include <string_view>

#include "observe/metrics.h"

// Build information of this binary.
namespace berth::cli {

extern const std::string_view kVersion;   // "0.1.0"
extern const std::string_view kRevision;  // output of git describe; "" if not built from git
extern const std::string_view kCompiler;  // "GCC 12.2.0"

// For kueue_build_info.
observe::BuildInfo ThisBuild();

}  // namespace berth::cli
