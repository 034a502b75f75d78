#pragma once

// Shared by the trace readers: converts the texts of one job to a record, with all checks.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schema/problem.h"
#include "simulate/input.h"
#include "simulate/trace/trace.h"

namespace berth::simulate {

// The texts of one job. Empty: absent.
struct TraceJob {
  std::string_view arrival;
  std::string_view queue;
  std::string_view run_time;
  std::string_view count;
  std::string_view priority;
  std::string_view label;
  std::string_view name;
  struct Request {
    std::string_view resource;
    std::string_view amount;
  };
  std::vector<Request> requests;
};

class TraceBuilder {
 public:
  TraceBuilder(const TraceOptions& options, Input& input);

  // Adds the job of a line.
  void Add(const TraceJob& job, int line);
  void Fail(int line, std::string message, std::string hint = {});
  // True when the limit of reported problems is reached.
  bool has_enough_problems() const { return problems_.size() >= kMaxProblems; }
  // Call after the last job. Sets the start, or rolls back if there are problems.
  schema::Problems Finish() &&;

 private:
  static constexpr size_t kMaxProblems = 20;

  std::optional<base::Time> ReadArrival(std::string_view text, int line);
  std::optional<base::Duration> ReadLength(std::string_view text, std::string_view what, int line);
  std::optional<int32_t> ReadInteger(std::string_view text, std::string_view what, int64_t least,
                                     int line);
  bool ReadQueue(std::string_view text, int line, JobDescription& job);
  bool ReadRequests(const TraceJob& job, int line, JobDescription& description);

  const TraceOptions& options_;
  Input& input_;
  KindTable kinds_;
  size_t jobs_before_;
  size_t kinds_before_;
  std::set<std::string, std::less<>> queues_;
  std::map<std::string, quantity::Quantity, std::less<>> amounts_;  // cache of parsed quantities
  std::optional<bool> has_times_;  // arrivals are timestamps, not durations
  base::Time earliest_;
  schema::Problems problems_;
};

// Iterates over the lines of a text, without line ends.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  // Nullopt at the end.
  std::optional<std::string_view> Next();
  int line() const { return line_; }

 private:
  std::string_view rest_;
  int line_ = 0;
};

}  // namespace berth::simulate
