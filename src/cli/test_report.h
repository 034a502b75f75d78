#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/output.h"
#include "sim/scenario_check.h"

// How `berth test` shows what came of scenarios.
namespace berth::cli {

struct TestedFile {
  std::string file;
  sim::ScenarioReport report;
  double seconds = 0;
  bool is_updated = false;  // what happened was written into it

  // What it is called where its own name is missing: its path.
  const std::string& name() const { return report.name.empty() ? file : report.name; }
  bool has_passed() const { return is_updated || report.has_passed(); }
};

struct TestCounts {
  size_t passed = 0;
  size_t failed = 0;  // those that could not be read among them
  size_t unreadable = 0;
  size_t updated = 0;  // counted as passed
};

TestCounts Count(const std::vector<TestedFile>& files);

// A paragraph for each that failed (with `lists_passes` a line for each that passed), and the last
// line says how many: `12 passed, 1 failed`.
void PrintHuman(const std::vector<TestedFile>& files, bool lists_passes, Output& out);

// One JSON object: passed, failed, scenarios.
void PrintJson(const std::vector<TestedFile>& files, Output& out);

// The XML that build servers read.
void PrintJunit(const std::vector<TestedFile>& files, Output& out);

}  // namespace berth::cli
