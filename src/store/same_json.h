#pragma once

#include "store/json.h"

namespace berth::store {

// Whether two trees are equal; the order of members does not count. Boost's own == copies every
// object that it compares.
bool SameJson(const json::value& a, const json::value& b);
bool SameJson(const json::object& a, const json::object& b);

}  // namespace berth::store
