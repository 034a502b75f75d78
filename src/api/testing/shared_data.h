#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace berth::api::testing {

// The path of recorded data of other implementations, in BERTH_SHARED_DIR or beside the repository.
inline std::string SharedPath(std::string_view path) {
  const char* configured = std::getenv("BERTH_SHARED_DIR");
  std::string file = configured != nullptr ? configured : BERTH_SOURCE_DIR "/../shared";
  return file.append("/").append(path);
}

// Reads such a file; nullopt if absent, in which case tests are skipped.
inline std::optional<std::string> ReadShared(std::string_view path) {
  std::ifstream in(SharedPath(path), std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace berth::api::testing
