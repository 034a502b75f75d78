#pragma once

#include "json/json.h"

namespace berth::json {

// Compares two trees regardless of the order of members. Boost's == copies every object it
// compares.
bool Same(const json::value& a, const json::value& b);
bool Same(const json::object& a, const json::object& b);

}  // namespace berth::json
