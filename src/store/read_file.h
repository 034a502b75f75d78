#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

#include "base/error.h"

namespace berth::store {

// The content of a file. Fails with the system's reason where there is none, as for a directory,
// and if there are more than `most_bytes`.
base::Result<std::string> ReadFile(const std::filesystem::path& path,
                                   size_t most_bytes = std::numeric_limits<size_t>::max());

}  // namespace berth::store
