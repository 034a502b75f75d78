#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "observe/sample.h"

namespace berth::observe {

// Resource usage of a process, parsed from /proc/self/stat; nullopt if malformed.
struct ProcessStat {
  double cpu_seconds = 0;
  double resident_bytes = 0;
  double started_seconds = 0;  // since boot
};
std::optional<ProcessStat> ParseProcessStat(std::string_view stat, double ticks_per_second,
                                            double page_bytes);

// Samples of this process under the standard Prometheus names. Empty if /proc is unavailable.
std::vector<Sample> ProcessSamples();

}  // namespace berth::observe
