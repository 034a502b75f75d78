#pragma once

#include <string>

#include "simulate/compare.h"
#include "simulate/report.h"

namespace berth::simulate {

// A page with tables and plots that needs nothing but itself: no scripts, no network. The result
// should have samples, or there are no plots over time.
std::string ToHtml(const Report& report);
// Both worlds side by side, on the same scales.
std::string ToHtml(const Comparison& comparison, const Report& base, const Report& changed);

}  // namespace berth::simulate
