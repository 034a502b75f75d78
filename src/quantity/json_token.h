#pragma once

#include <expected>
#include <string_view>

#include "quantity/parse_error.h"
#include "quantity/quantity.h"

namespace berth::quantity {

// Parses one raw JSON value, quotes included. As in Kubernetes:
//   - a number is parsed from its digits, never through a double;
//   - a string may have white space around the quantity, but escapes are not decoded;
//   - null is 0.
// Any other value is kFormat.
std::expected<Quantity, ParseError> ParseJsonToken(std::string_view token);

}  // namespace berth::quantity
