#pragma once

#include <cstdint>
#include <string_view>

#include "jobs/path.h"

namespace berth::jobs {

// How many of its parallel pods a batch/v1 Job (or what counts like one) will not need again: what
// is left to complete is less than it may run at once. 0 while nothing is done, and always of a job
// that runs one pod at a time.
int32_t ReclaimableOfJob(const json::value& job);

// How many of the indexes below `completions` are in one of the two lists, such as "0,3-5,9". An
// index that is in both counts once; what is malformed counts nothing.
int32_t CountIndexes(std::string_view completed, std::string_view failed, int32_t completions);

}  // namespace berth::jobs
