#pragma once

#include <string>

#include "simulate/report/compare.h"
#include "simulate/report/report.h"

namespace berth::simulate {

// A self-contained page with tables and plots: its script and style are inside, no network. Plots
// over time need a result with samples.
std::string ToHtml(const Report& report);
// Both worlds side by side, on the same scale.
std::string ToHtml(const Comparison& comparison, const Report& base, const Report& changed);

}  // namespace berth::simulate
