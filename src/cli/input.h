#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::cli {

// Files larger than this are not manifests.
inline constexpr size_t kMostInputBytes = size_t{1} << 30;

struct InputFiles {
  std::vector<std::string> files;  // "-" for standard input
  std::vector<base::Error> errors;
};

// The files that a user means by paths: each file itself; for a directory every *.yaml, *.yml and
// *.json below it, in the order of their paths, symbolic links followed, hidden files and folders
// left out. A path that leads nowhere, or to a directory without such files, is an error. A file
// that is reached in several ways counts once.
InputFiles FindInputFiles(const std::vector<std::string>& paths);

// The content of a file, or of standard input for "-".
base::Result<std::string> ReadInput(const std::string& file, size_t most_bytes = kMostInputBytes);

// What a file is called in messages: "<stdin>" for "-".
std::string DisplayName(const std::string& file);

}  // namespace berth::cli
