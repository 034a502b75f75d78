#pragma once

#include <string_view>

#include "base/error.h"

namespace berth::quantity {

// The reason that a text is not a quantity, in Kubernetes' three categories.
enum class ParseError {
  kFormat,   // not a number followed by a suffix: "", "1 Gi", "1,000", "1GB"
  kSuffix,   // a number followed by an unknown suffix: "1K", "1e", "1mi"
  kNumeric,  // a suffix that requires a number ("Ei"), or too many digits
};

// The error message for the author of `text`, with a hint for a valid spelling.
base::Error Explain(ParseError error, std::string_view text);

}  // namespace berth::quantity
