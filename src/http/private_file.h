#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

// Files readable only by their owner.
namespace berth::http {

// Replaces the file atomically, with mode 0600. Synced to disk on return. The directory must exist.
base::Result<void> WritePrivateFile(const std::filesystem::path& path, std::string_view text);

// Creates the directory and its parents; the last one gets mode 0700.
base::Result<void> MakePrivateDirectory(const std::filesystem::path& path);

// Nullopt if the file is missing or unreadable.
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace berth::http
