#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/outcome.h"
#include "scenario/scenario.h"
#include "schema/problem.h"

namespace berth::scenario {

// The result of one scenario file.
struct ScenarioReport {
  std::string name;                      // "": the file has none
  schema::Problems problems;             // not empty: the file could not be read
  schema::Problems warnings;             // violations that an API server would reject
  std::vector<std::string> differences;  // from `want`, a line each

  bool is_readable() const { return problems.empty(); }
  bool has_passed() const { return problems.empty() && differences.empty(); }
};

// Differences of the outcomes from the `want` of each step. Steps after the first are named:
// `step 2 (at 12:05:00Z): …` is the second entry under `steps`.
std::vector<std::string> Differences(const Scenario& scenario,
                                     const std::vector<Outcome>& outcomes);

// Reads and plays a scenario, and compares the outcome.
ScenarioReport CheckScenario(std::string_view text, const std::string& file);

}  // namespace berth::scenario
