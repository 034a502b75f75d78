#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::sim {

// The text of a scenario file with what happens now written into its `want`, and into those of its
// steps. What a `want` leaves out stays out; one that is missing is added with everything. All else
// in the file, comments included, stays as it is; comments inside a rewritten `want` are lost. A
// `want` that holds already is not touched.
//
// Fails if the file cannot be read, or is laid out in a way that cannot be rewritten in part.
base::Result<std::string> UpdateScenario(std::string_view text, const std::string& file);

}  // namespace berth::sim
