#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace berth::kube {

// Runs a program and returns what it prints, if it ends well within the limit. It is looked for on
// the PATH, gets our environment and what is given besides, and nothing to read; what it complains
// of goes where our own complaints go.
base::Result<std::string> RunProgram(
    const std::string& command, const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment, base::Duration limit);

}  // namespace berth::kube
