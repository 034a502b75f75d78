#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

// Files that nobody but their owner may read.
namespace berth::apiserver {

// Replaces the file in one step, with mode 0600: a reader sees the old text or the new one. On disk
// when this returns. The directory must exist.
base::Result<void> WritePrivateFile(const std::filesystem::path& path, std::string_view text);

// Makes the directory and those above it; the last one gets mode 0700.
base::Result<void> MakePrivateDirectory(const std::filesystem::path& path);

// Nullopt if there is no such file, or it cannot be read.
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace berth::apiserver
