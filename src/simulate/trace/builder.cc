#include "simulate/trace/builder.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "api/kueue/local_queue.h"
#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "quantity/resource_amount.h"
#include "workload/convert/convert_workload.h"

namespace berth::simulate {
namespace {

constexpr double kLongestSeconds = 100.0 * 365 * 86400;
// Upper bound of a request, in cores, bytes and the like. More is a mistake.
constexpr int64_t kMaxPerPod = 1'000'000'000'000'000;
constexpr std::string_view kTimeHint =
    "write seconds (90), a duration (1h30m) or a time (2026-01-02T15:04:05Z)";

std::optional<double> ReadNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

// Seconds, or Go's duration syntax.
std::optional<double> ReadSeconds(std::string_view text) {
  if (const std::optional<double> seconds = ReadNumber(text)) return seconds;
  const std::optional<base::Duration> length = base::ParseDuration(text);
  if (!length) return std::nullopt;
  return length->seconds();
}

base::Duration ToDuration(double seconds) {
  return {static_cast<int64_t>(std::round(seconds * 1e6)) * 1000};
}

}  // namespace

TraceBuilder::TraceBuilder(const TraceOptions& options, Input& input)
    : options_(options),
      input_(input),
      kinds_(input),
      jobs_before_(input.jobs.size()),
      kinds_before_(input.kinds.size()),
      earliest_{INT64_MAX} {
  for (const api::Object& object : input.objects) {
    if (const auto* queue = object.As<api::LocalQueue>())
      queues_.insert(workload::NamespacedName(queue->metadata));
  }
}

void TraceBuilder::Fail(int line, std::string message, std::string hint) {
  if (has_enough_problems()) return;
  problems_.push_back({.type = schema::ProblemType::kInvalid,
                       .field = {},
                       .message = std::move(message),
                       .hint = std::move(hint),
                       .place = {options_.file, line, 0}});
}

std::optional<base::Duration> TraceBuilder::ReadLength(std::string_view text, std::string_view what,
                                                       int line) {
  const std::optional<double> seconds = ReadSeconds(text);
  if (!seconds) {
    Fail(line, std::string(what) + " " + api::Quoted(text) + " is not a duration",
         "write seconds (90) or a duration (1h30m)");
    return std::nullopt;
  }
  if (*seconds < 0 || *seconds > kLongestSeconds) {
    Fail(line, std::string(what) + " " + api::Quoted(text) +
                   (*seconds < 0 ? " is negative" : " is more than a hundred years"));
    return std::nullopt;
  }
  return ToDuration(*seconds);
}

std::optional<base::Time> TraceBuilder::ReadArrival(std::string_view text, int line) {
  if (text.empty()) {
    Fail(line, "arrival missing", std::string(kTimeHint));
    return std::nullopt;
  }
  const std::optional<base::Time> time = base::ParseTime(text);
  if (has_times_.value_or(time.has_value()) != time.has_value()) {
    Fail(line,
         "arrival " + api::Quoted(text) + " is " + (time ? "a time" : "not a time") +
             ", unlike those before it",
         "give all arrivals of a file as times, or all as durations since the start");
    return std::nullopt;
  }
  if (!time) {
    const std::optional<base::Duration> after = ReadLength(text, "arrival", line);
    if (!after) return std::nullopt;
    has_times_ = false;
    return input_.start + *after;
  }
  has_times_ = true;
  earliest_ = std::min(earliest_, *time);
  return time;
}

std::optional<int32_t> TraceBuilder::ReadInteger(std::string_view text, std::string_view what,
                                                 int64_t least, int line) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least) return number;
  Fail(line, std::string(what) + " " + api::Quoted(text) + " is not a whole number from " +
                 std::to_string(least) + " to 2147483647");
  return std::nullopt;
}

bool TraceBuilder::ReadQueue(std::string_view text, int line, JobDescription& job) {
  if (text.empty()) text = options_.queue;
  if (text.empty()) {
    Fail(line, "queue missing",
         "name a LocalQueue as namespace/name, or give one for all with --queue");
    return false;
  }
  const size_t slash = text.find('/');
  job.namespace_ = slash == std::string_view::npos ? "default" : text.substr(0, slash);
  job.queue = slash == std::string_view::npos ? text : text.substr(slash + 1);
  const std::string name = workload::NamespacedName(job.namespace_, job.queue);
  if (queues_.contains(name)) return true;
  const std::vector<std::string_view> known(queues_.begin(), queues_.end());
  Fail(line, "unknown LocalQueue " + api::Quoted(name), base::DidYouMean(name, known));
  return false;
}

bool TraceBuilder::ReadRequests(const TraceJob& job, int line, JobDescription& description) {
  bool is_right = true;
  const auto fail = [&](const TraceJob::Request& request, const std::string& what,
                        std::string hint = {}) {
    Fail(line, std::string(request.resource) + " " + api::Quoted(request.amount) + " " + what,
         std::move(hint));
    is_right = false;
  };
  for (const TraceJob::Request& request : job.requests) {
    auto known = amounts_.find(request.amount);
    if (known == amounts_.end()) {
      const auto amount = quantity::Quantity::Parse(request.amount);
      if (!amount) {
        fail(request, "is not a quantity", "write 2, 500m or 4Gi");
        continue;
      }
      known = amounts_.emplace(request.amount, *amount).first;
    }
    const quantity::Quantity& amount = known->second;
    const int64_t each = quantity::RequestAmount(request.resource, amount);
    if (amount.Sign() < 0) {
      fail(request, "is negative");
    } else if (amount > quantity::Quantity::FromInt(kMaxPerPod) ||
               quantity::SaturatingMul(each, description.count) >= INT64_MAX / 4) {
      fail(request, "exceeds the maximum request",
           "a pod may request at most " + std::to_string(kMaxPerPod));
    } else {
      description.requests.Set(request.resource, amount);
    }
  }
  return is_right;
}

void TraceBuilder::Add(const TraceJob& job, int line) {
  JobDescription description{
      .namespace_ = {}, .queue = {}, .label = std::string(job.label), .requests = {}};
  const std::optional<base::Time> arrival = ReadArrival(job.arrival, line);
  std::optional<base::Duration> run_time = Job::kUnknown;
  if (!job.run_time.empty()) run_time = ReadLength(job.run_time, "runTime", line);
  std::optional<int32_t> count = 1, priority = 0;
  if (!job.count.empty()) count = ReadInteger(job.count, "count", 1, line);
  if (!job.priority.empty()) priority = ReadInteger(job.priority, "priority", INT32_MIN, line);
  description.count = count.value_or(1);
  description.priority = priority.value_or(0);
  const bool has_queue = ReadQueue(job.queue, line, description);
  const bool has_requests = ReadRequests(job, line, description);
  if (!problems_.empty() || !arrival || !run_time || !has_queue || !has_requests) return;
  std::string name;
  if (!job.name.empty()) name = workload::NamespacedName(description.namespace_, job.name);
  input_.jobs.push_back({.arrival = *arrival,
                         .run_time = *run_time,
                         .kind = kinds_.KindOf(description),
                         .name = std::move(name)});
}

schema::Problems TraceBuilder::Finish() && {
  if (problems_.empty() && input_.jobs.size() == jobs_before_) Fail(0, "trace has no jobs");
  if (!problems_.empty()) {
    input_.jobs.resize(jobs_before_);
    input_.kinds.resize(kinds_before_);
  } else if (has_times_.value_or(false) && !input_.has_start) {
    input_.start = earliest_;
    input_.has_start = true;
  }
  return std::move(problems_);
}

std::optional<std::string_view> LineReader::Next() {
  if (rest_.empty()) return std::nullopt;
  ++line_;
  const size_t end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace berth::simulate
