#pragma once

#include <optional>

#include "store/json.h"

namespace berth::control {

// The merge patch (RFC 7386) that turns one tree into the other. Nullopt if they are the same.
// Lists are replaced as a whole. Nulls inside objects of `after` cannot be said by such a patch and
// do not occur in what Berth writes.
std::optional<store::json::value> MergePatchBetween(const store::json::value& before,
                                                    const store::json::value& after);

}  // namespace berth::control
