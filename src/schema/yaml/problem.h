#pragma once

#include <string_view>

#include "base/error.h"

struct yaml_parser_s;

namespace berth::schema {

// A libyaml error as a message for the author of the text. The place has no file.
base::Error DescribeYamlProblem(const yaml_parser_s& parser, std::string_view text);

}  // namespace berth::schema
