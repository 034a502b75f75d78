#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <string_view>

#include "store/json.h"

namespace berth::store {

// Memory for trees that are read, changed, printed and dropped again within one task. It is taken
// in large pieces and given back all at once with the pool, which must outlive every value in it.
// Copies of such values, and what is put into them, are in the pool too: all for one thread at a
// time.
using JsonPool = json::monotonic_resource;

// As ParseJson, with the tree in this memory: `&pool`, or that of another tree.
base::Result<json::value> ParseJsonIn(json::storage_ptr memory, std::string_view text,
                                      const ParseJsonOptions& options = {});

}  // namespace berth::store
