#pragma once

// Reports of a simulation: text, JSON, Prometheus.

#include <string>
#include <string_view>

#include "simulate/findings.h"
#include "simulate/input.h"
#include "simulate/report/compare.h"
#include "simulate/report/summary.h"
#include "simulate/result.h"
#include "simulate/world/world.h"

namespace berth::simulate {

// The data of one world. Pointers must outlive the report.
struct Report {
  const Input* input = nullptr;
  const Result* result = nullptr;
  Summary summary;
  Warnings warnings;
};

struct TextOptions {
  size_t most_rows = 20;  // of a table; the rest is counted
};

// Tables of waits and usage, and findings.
std::string ToText(const Report& report, const TextOptions& options = {});
// Use of nodes, and pending time by reason; "" if there is none.
std::string NodesText(const Result& result, const TextOptions& options = {});
std::string PendingText(const Result& result);
// Findings alone; "" if there are none.
std::string WarningText(const Report& report, const TextOptions& options = {});
std::string ToText(const Comparison& comparison, const Report& base, const Report& changed,
                   const TextOptions& options = {});

// One JSON object. With a comparison, it contains both worlds and the differences.
std::string ToJson(const Report& base);
std::string ToJson(const Comparison& comparison, const Report& base, const Report& changed);

// Prometheus text format: gauges by queue.
std::string ToMetrics(const Report& report);

// One line of a timeline, including the line end.
std::string TimelineHeading();  // of the CSV
std::string TimelineCsv(const Input& input, const TimelineEvent& event);
std::string TimelineJson(const Input& input, const TimelineEvent& event);

}  // namespace berth::simulate
