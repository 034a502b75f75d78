#pragma once

#include <string>

#include "explain/report.h"

namespace berth::explain {

// A report as one JSON object, with more figures than the text.
// Amounts are quantities as in manifests; docs/reference/explain.md describes the fields.
std::string ToJson(const Report& report);

}  // namespace berth::explain
