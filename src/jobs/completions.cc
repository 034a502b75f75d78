#include "jobs/completions.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/batch/job.h"

namespace berth::jobs {
namespace {

using Range = std::pair<int32_t, int32_t>;  // inclusive

std::optional<Range> ParseRange(std::string_view text) {
  const size_t dash = text.find('-');
  const auto first = json::IntOf(text.substr(0, dash));
  const auto last = dash == text.npos ? first : json::IntOf(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return Range(*first, *last);
}

void AddRanges(std::string_view list, int32_t limit, std::vector<Range>& ranges) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const auto range = ParseRange(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (!range || range->first >= limit) continue;
    ranges.emplace_back(range->first, std::min(range->second, limit - 1));
  }
}

int32_t CountDone(const json::value& job, int32_t completions) {
  if (json::TextAt(job, "spec.completionMode") != api::kIndexed)
    return json::IntAt(job, "status.succeeded").value_or(0);
  return CountIndexes(json::TextAt(job, "status.completedIndexes"),
                      json::TextAt(job, "status.failedIndexes"), completions);
}

}  // namespace

int32_t CountIndexes(std::string_view completed, std::string_view failed, int32_t completions) {
  std::vector<Range> ranges;
  AddRanges(completed, completions, ranges);
  AddRanges(failed, completions, ranges);
  std::ranges::sort(ranges);
  int32_t count = 0;
  int32_t next = 0;  // first uncounted index
  for (const auto& [first, last] : ranges) {
    if (last < next) continue;
    count += last - std::max(first, next) + 1;
    next = last + 1;
  }
  return count;
}

int32_t ReclaimableOfJob(const json::value& job) {
  const int32_t parallelism = json::IntAt(job, "spec.parallelism").value_or(1);
  const int32_t completions = json::IntAt(job, "spec.completions").value_or(parallelism);
  const int32_t done = CountDone(job, completions);
  if (parallelism <= 1 || done <= 0) return 0;
  const int64_t left = std::max<int64_t>(int64_t{completions} - done, 0);
  return static_cast<int32_t>(std::max<int64_t>(parallelism - left, 0));
}

}  // namespace berth::jobs
