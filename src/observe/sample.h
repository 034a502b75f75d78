#pragma once

#include <string>
#include <vector>

#include "observe/metric.h"

namespace berth::observe {

// One number. Of a counter, how much more; of a gauge, what it is; of a histogram, what was seen.
struct Sample {
  Metric metric;
  // The values of its labels, in their order, but for the role; those of custom labels follow.
  std::vector<std::string> labels;
  double value = 0;

  friend bool operator==(const Sample&, const Sample&) = default;
};

}  // namespace berth::observe
