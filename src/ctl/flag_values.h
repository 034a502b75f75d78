#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/flat_map.h"

// Values of flags in the notation of kubectl.
namespace berth::ctl {

// The parts between separators; empty ones are kept, but "" has none.
std::vector<std::string> SplitAt(std::string_view text, char separator);

// A flag that takes comma-separated values and may be repeated, as one list.
std::vector<std::string> AllValues(std::span<const std::string> given);

// "a=b,c=d", as with labels. `flag` is for messages: "--node-labels".
base::Result<base::FlatMap<std::string>> ReadKeyValues(std::span<const std::string> given,
                                                       std::string_view flag);

}  // namespace berth::ctl
