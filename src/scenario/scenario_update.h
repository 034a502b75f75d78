#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::scenario {

// The text of a scenario file with the actual outcome in its `want` and in those of its steps.
// Members that a `want` omits stay omitted; a missing `want` is added in full. A `want` that holds
// is unchanged. The rest of the file is preserved, with comments; comments inside a rewritten
// `want` are lost.
//
// Fails if the file cannot be read, or its layout does not allow a partial rewrite.
base::Result<std::string> UpdateScenario(std::string_view text, const std::string& file);

}  // namespace berth::scenario
