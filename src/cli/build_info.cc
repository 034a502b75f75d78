#include "cli/build_info.h"

namespace berth::cli {

const std::string_view kVersion = BERTH_VERSION;
const std::string_view kRevision = BERTH_REVISION;
const std::string_view kCompiler = BERTH_COMPILER;

observe::BuildInfo ThisBuild() {
  return {.version = "v" + std::string(kVersion),
          .commit = std::string(kRevision),
          .compiler = std::string(kCompiler)};
}

}  // namespace berth::cli
