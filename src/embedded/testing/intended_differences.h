#pragma once

// Differences from the recordings that Berth intends. docs/differences.md documents them for users.

#include <string>
#include <string_view>

#include "json/json.h"

namespace berth::embedded::testing {

// Whether a difference of the object `id` ("Workload ns1/a") after a step of a recording follows
// from a rule that Berth deliberately does not follow, or that the recording shows by chance.
bool IsIntended(const json::value& step, const std::string& id, const std::string& difference);

}  // namespace berth::embedded::testing
