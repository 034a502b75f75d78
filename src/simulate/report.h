#pragma once

// A simulation as text: for people, for programs, for Prometheus.

#include <string>
#include <string_view>

#include "simulate/compare.h"
#include "simulate/guard.h"
#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/summary.h"
#include "simulate/world.h"

namespace berth::simulate {

// All about one world. What is pointed at must outlive it.
struct Report {
  const Input* input = nullptr;
  const Result* result = nullptr;
  Summary summary;
  Warnings warnings;
};

struct TextOptions {
  size_t most_rows = 20;  // of a table; others are counted
};

// Tables of waits and usage, and what the guard has to say.
std::string ToText(const Report& report, const TextOptions& options = {});
// The guard's part alone; "" if there is nothing to say.
std::string WarningText(const Report& report, const TextOptions& options = {});
std::string ToText(const Comparison& comparison, const Report& base, const Report& changed,
                   const TextOptions& options = {});

// One JSON object. With a comparison, the changed world and the differences as well.
std::string ToJson(const Report& base);
std::string ToJson(const Comparison& comparison, const Report& base, const Report& changed);

// Prometheus' text format: gauges of the whole run, by queue.
std::string ToMetrics(const Report& report);

// One line of a timeline, with its line end.
std::string TimelineHeading();  // of the CSV
std::string TimelineCsv(const Input& input, const TimelineEvent& event);
std::string TimelineJson(const Input& input, const TimelineEvent& event);

}  // namespace berth::simulate
