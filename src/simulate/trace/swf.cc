#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "api/meta/problem_report.h"
#include "simulate/trace/builder.h"
#include "simulate/trace/trace.h"

namespace berth::simulate {
namespace {

// Field indices of the format, from 0.
enum SwfField : size_t {
  kSubmitTime = 1,
  kRunTime = 3,
  kAllocatedProcessors = 4,
  kUsedMemory = 6,  // KiB a processor
  kRequestedProcessors = 7,
  kRequestedTime = 8,
  kRequestedMemory = 9,  // KiB a processor
  kStatus = 10,
  kUser = 11,
  kGroup = 12,
  kQueue = 14,
  kPartition = 15,
  kFieldCount = 18,
};
constexpr int kCancelled = 5;

using SwfLine = std::array<std::string_view, kFieldCount>;

// Returns the number of fields. Surplus fields are counted, not stored.
size_t SplitFields(std::string_view line, SwfLine& fields) {
  constexpr std::string_view kSpaces = " \t";
  size_t count = 0;
  while (true) {
    const size_t begin = line.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return count;
    line.remove_prefix(begin);
    const size_t end = std::min(line.find_first_of(kSpaces), line.size());
    if (count < kFieldCount) fields[count] = line.substr(0, end);
    ++count;
    line.remove_prefix(end);
  }
}

bool IsFieldNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

// -1 stands for "unknown".
double NumberOf(std::string_view text) {
  double number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string Filled(std::string pattern, const SwfLine& fields) {
  static constexpr std::pair<std::string_view, SwfField> kPlaces[] = {
      {"{queue}", kQueue}, {"{partition}", kPartition}, {"{user}", kUser}, {"{group}", kGroup}};
  for (const auto& [place, field] : kPlaces) {
    for (size_t at = pattern.find(place); at != std::string::npos; at = pattern.find(place, at))
      pattern.replace(at, place.size(), fields[field]);
  }
  return pattern;
}

class SwfTrace {
 public:
  SwfTrace(const TraceOptions& options, TraceBuilder& builder)
      : options_(options), builder_(builder) {}

  void Read(std::string_view text) {
    LineReader lines(text);
    while (const std::optional<std::string_view> line = lines.Next()) {
      if (builder_.has_enough_problems()) return;
      const size_t first = line->find_first_not_of(" \t");
      if (first == std::string_view::npos || (*line)[first] == ';') continue;
      ReadJob(*line, lines.line());
    }
  }

 private:
  void ReadJob(std::string_view text, int line) {
    const size_t count = SplitFields(text, fields_);
    if (count != kFieldCount)
      return builder_.Fail(line,
                           "line has " + std::to_string(count) + " fields, the format has 18");
    for (const std::string_view field : fields_) {
      if (!IsFieldNumber(field))
        return builder_.Fail(line, api::Quoted(field) + " is not a number");
    }
    const bool has_run = NumberOf(fields_[kRunTime]) > 0;
    if (!has_run && NumberOf(fields_[kStatus]) == kCancelled) return;
    AddJob(line);
  }

  void AddJob(int line) {
    TraceJob job;
    job.arrival = fields_[kSubmitTime];
    job.count = FirstKnown(kRequestedProcessors, kAllocatedProcessors);
    if (job.count.empty())
      return builder_.Fail(line, "neither requested nor allocated processors are known");
    job.run_time = FirstKnown(kRunTime, kRequestedTime);
    queue_ = Filled(options_.queue, fields_);
    job.queue = queue_;
    job.requests.push_back({"cpu", "1"});
    if (const std::string_view memory = FirstKnown(kRequestedMemory, kUsedMemory);
        !memory.empty()) {
      memory_ = std::string(memory) + "Ki";
      job.requests.push_back({"memory", memory_});
    }
    builder_.Add(job, line);
  }

  // The first of the two fields that is above 0; "" if neither is.
  std::string_view FirstKnown(SwfField first, SwfField second) const {
    if (NumberOf(fields_[first]) > 0) return fields_[first];
    return NumberOf(fields_[second]) > 0 ? fields_[second] : std::string_view();
  }

  const TraceOptions& options_;
  TraceBuilder& builder_;
  SwfLine fields_;
  std::string queue_;
  std::string memory_;
};

}  // namespace

schema::Problems AddSwfTrace(std::string_view text, const TraceOptions& options, Input& input) {
  TraceBuilder builder(options, input);
  SwfTrace(options, builder).Read(text);
  return std::move(builder).Finish();
}

}  // namespace berth::simulate
