#pragma once

#include <string>
#include <string_view>

namespace berth::workload {

// Canonical JSON: `compact`, in the format of schema/encode.h, with the members of every object
// sorted by key.
std::string SortedJson(std::string_view compact);

}  // namespace berth::workload
