#pragma once

#include <string>
#include <string_view>

namespace berth::workload {

// Compact JSON, as schema/encode.h writes it, with the members of every object ordered by their
// keys, so that values which mean the same have the same text however their authors ordered them.
std::string SortedJson(std::string_view compact);

}  // namespace berth::workload
