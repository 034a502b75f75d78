#pragma once

#include <string>
#include <vector>

#include "scenario/outcome.h"

namespace berth::scenario {

// Differences between the expected and the actual outcome, a line each. Lists are sets, quantities
// are compared by value, podsets by name. Members that `want` omits are not compared.
std::vector<std::string> Differences(const Outcome& want, const Outcome& got);

}  // namespace berth::scenario
