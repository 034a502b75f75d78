#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/output.h"
#include "scenario/scenario_check.h"

// Output of `berth test`.
namespace berth::cli {

struct TestedFile {
  std::string file;
  scenario::ScenarioReport report;
  double seconds = 0;
  bool is_updated = false;  // the actual outcome was written to it

  // The scenario's name; the path if it has none.
  const std::string& name() const { return report.name.empty() ? file : report.name; }
  bool has_passed() const { return is_updated || report.has_passed(); }
};

struct TestCounts {
  size_t passed = 0;
  size_t failed = 0;  // including unreadable ones
  size_t unreadable = 0;
  size_t updated = 0;  // counted as passed
};

TestCounts Count(const std::vector<TestedFile>& files);

// A paragraph for each failure (with `lists_passes` also a line for each pass), and a summary line:
// `12 passed, 1 failed`.
void PrintHuman(const std::vector<TestedFile>& files, bool lists_passes, Output& out);

// One JSON object: passed, failed, scenarios.
void PrintJson(const std::vector<TestedFile>& files, Output& out);

// JUnit XML for CI systems.
void PrintJunit(const std::vector<TestedFile>& files, Output& out);

}  // namespace berth::cli
