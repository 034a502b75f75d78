#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace berth::cli {

// Checks of numbers for CLI::Option::check, before they are read: negative, overlong and "nan" are
// no numbers of these. Return "", or what is wrong and what to write instead.
using NumberCheck = std::function<std::string(const std::string&)>;

NumberCheck WholeNumber(uint64_t most = std::numeric_limits<uint64_t>::max());
NumberCheck NumberBetween(double least, double most);

}  // namespace berth::cli
