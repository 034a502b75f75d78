#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace berth::kube {

// Runs a program and returns its standard output; fails on a non-zero exit or at the time limit.
// The program is looked up on the PATH, inherits our environment plus `environment`, has no
// standard input, and shares our standard error.
base::Result<std::string> RunProgram(
    const std::string& command, const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment, base::Duration limit);

}  // namespace berth::kube
