#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::schema {

// Writes JSON as block-style YAML, as kubectl prints it: two spaces a level, lists in line with
// their key, keys in the order of the JSON, strings quoted only if they must be, texts of several
// lines as `|` blocks, nothing folded. Numbers keep their text. YamlReader reads the same values
// back.
//
// Fails if the text is not JSON, is nested deeper than 256 levels, or has a number that is past the
// range of a double, which YAML would read as a string.
base::Result<std::string> JsonToYaml(std::string_view json);

}  // namespace berth::schema
