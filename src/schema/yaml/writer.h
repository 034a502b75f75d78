#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::schema {

// Writes JSON as block-style YAML in kubectl's format: two spaces per level, lists aligned with
// their key, keys in JSON order, strings quoted only if necessary, multi-line texts as `|` blocks,
// no folding. Numbers keep their text. YamlReader reads the same values back.
//
// Fails if the text is not JSON, is nested deeper than 256 levels, or has a number beyond the range
// of a double, which YAML would read as a string.
base::Result<std::string> JsonToYaml(std::string_view json);

}  // namespace berth::schema
