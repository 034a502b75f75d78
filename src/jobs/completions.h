#pragma once

#include <cstdint>
#include <string_view>

#include "json/path.h"

namespace berth::jobs {

// The number of parallel pods that a batch/v1 Job (or a job with the same semantics) no longer
// needs because fewer completions remain than parallelism. 0 before the first completion, and
// always 0 with parallelism 1.
int32_t ReclaimableOfJob(const json::value& job);

// The number of distinct indexes below `completions` in the two lists, such as "0,3-5,9". Malformed
// entries are ignored.
int32_t CountIndexes(std::string_view completed, std::string_view failed, int32_t completions);

}  // namespace berth::jobs
