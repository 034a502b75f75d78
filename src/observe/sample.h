#pragma once

#include <string>
#include <vector>

#include "observe/metric.h"

namespace berth::observe {

// A single value: the increment of a counter, the value of a gauge, or an observation of a
// histogram.
struct Sample {
  Metric metric;
  // Label values in order, custom labels last, without the role.
  std::vector<std::string> labels;
  double value = 0;

  friend bool operator==(const Sample&, const Sample&) = default;
};

}  // namespace berth::observe
