#pragma once

#include <string_view>

namespace berth::store {

// Whether `a` is older than `b`, two versions of one object. Versions of API servers are ascending.
bool IsOlderVersion(std::string_view a, std::string_view b);

}  // namespace berth::store
