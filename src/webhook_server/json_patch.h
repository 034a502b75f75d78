#pragma once

#include "json/json.h"

namespace berth::webhook_server {

// The JSON Patch (RFC 6902) from `before` to `after`: per member for objects, otherwise the whole
// value.
json::array JsonPatchBetween(const json::value& before, const json::value& after);

}  // namespace berth::webhook_server
