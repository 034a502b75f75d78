#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace berth::api::testing {

// Where a file or folder of the data that other implementations produced would be: beside the
// repository, or where BERTH_SHARED_DIR says.
inline std::string SharedPath(std::string_view path) {
  const char* configured = std::getenv("BERTH_SHARED_DIR");
  std::string file = configured != nullptr ? configured : BERTH_SOURCE_DIR "/../shared";
  return file.append("/").append(path);
}

// Such a file. Nullopt where it is absent; such a test skips.
inline std::optional<std::string> ReadShared(std::string_view path) {
  std::ifstream in(SharedPath(path), std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace berth::api::testing
