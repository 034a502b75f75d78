#pragma once

#include <string>
#include <vector>

#include "sim/outcome.h"

namespace berth::sim {

// How what happened differs from what was wanted, a line each, in the words of whoever wrote the
// policy. Lists are sets, quantities are compared by value, podsets by name; what `want` leaves out
// is not compared.
std::vector<std::string> Differences(const Outcome& want, const Outcome& got);

}  // namespace berth::sim
