#pragma once

#include <string>

#include "base/error.h"

namespace berth::kube {

// The content of a file of at most 16 MiB.
base::Result<std::string> ReadFileText(const std::string& path);

}  // namespace berth::kube
