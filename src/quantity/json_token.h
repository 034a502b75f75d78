#pragma once

#include <expected>
#include <string_view>

#include "quantity/parse_error.h"
#include "quantity/quantity.h"

namespace berth::quantity {

// The quantity in one JSON value as it stands in the document, quotes included. As in Kubernetes:
//   - a number is read by its digits, never through a double;
//   - a string may have white space around the quantity, but no escapes: the bytes between the
//     quotes are the text;
//   - null is 0.
// Anything else is kFormat.
std::expected<Quantity, ParseError> ParseJsonToken(std::string_view token);

}  // namespace berth::quantity
