#pragma once

#include <string_view>

#include "base/error.h"

namespace berth::quantity {

// Why a text is no quantity, in Kubernetes' three kinds.
enum class ParseError {
  kFormat,   // not a number followed by a suffix: "", "1 Gi", "1,000", "1GB"
  kSuffix,   // a number followed by a suffix that does not exist: "1K", "1e", "1mi"
  kNumeric,  // a suffix with no number where one is needed ("Ei"), or too many digits to hold
};

// The error for the person who wrote `text`: what is wrong with it and what to write instead.
base::Error Explain(ParseError error, std::string_view text);

}  // namespace berth::quantity
