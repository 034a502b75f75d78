#pragma once

#include <prometheus/metric_family.h>

#include <span>
#include <string>

namespace berth::observe {

// The Prometheus text format of counters, gauges and histograms. A number is the shortest text that
// reads back as the same double.
std::string TextFormat(std::span<const prometheus::MetricFamily> families);

}  // namespace berth::observe
