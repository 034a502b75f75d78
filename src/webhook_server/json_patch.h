#pragma once

#include "store/json.h"

namespace berth::webhook_server {

// The JSON Patch (RFC 6902) that makes `after` of `before`: member by member where both are
// objects, otherwise the whole value.
store::json::array JsonPatchBetween(const store::json::value& before,
                                    const store::json::value& after);

}  // namespace berth::webhook_server
