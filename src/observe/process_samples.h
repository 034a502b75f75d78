#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "observe/sample.h"

namespace berth::observe {

// What a process costs, from the text of /proc/self/stat; nullopt if it is something else.
struct ProcessFacts {
  double cpu_seconds = 0;
  double resident_bytes = 0;
  double started_seconds = 0;  // since the machine started
};
std::optional<ProcessFacts> ParseProcessStat(std::string_view stat, double ticks_per_second,
                                             double page_bytes);

// Of this process, under the names that all of Prometheus' clients use. Empty where /proc is not as
// expected.
std::vector<Sample> ProcessSamples();

}  // namespace berth::observe
