#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::cli {

// Larger files are rejected.
inline constexpr size_t kMaxInputBytes = size_t{1} << 30;

struct InputFiles {
  std::vector<std::string> files;  // "-" for standard input
  std::vector<base::Error> errors;
};

// Expands paths: a file stands for itself, a directory for every *.yaml, *.yml and *.json below it,
// sorted by path, following symbolic links and skipping hidden entries. A missing path or a
// directory without such files is an error. A file reached several times counts once.
InputFiles FindInputFiles(const std::vector<std::string>& paths);

// The content of a file, or of standard input for "-".
base::Result<std::string> ReadInput(const std::string& file, size_t max_bytes = kMaxInputBytes);

// The name of a file in messages: "<stdin>" for "-".
std::string DisplayName(const std::string& file);

}  // namespace berth::cli
