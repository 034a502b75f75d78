#pragma once

#include <string>

#include "base/error.h"

namespace berth::kube {

// All of a file, of 16 MiB at most.
base::Result<std::string> ReadFileText(const std::string& path);

}  // namespace berth::kube
