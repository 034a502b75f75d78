#include "scenario/scenario_check.h"

#include "scenario/scenario_compare.h"
#include "scenario/scenario_run.h"

namespace berth::scenario {

std::vector<std::string> Differences(const Scenario& scenario,
                                     const std::vector<Outcome>& outcomes) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < scenario.steps.size(); ++i) {
    if (!scenario.steps[i].want) continue;
    const std::string prefix = i == 0 ? "" : "step " + std::to_string(i) + ": ";
    for (const std::string& line : Differences(*scenario.steps[i].want, outcomes[i]))
      lines.push_back(prefix + line);
  }
  return lines;
}

ScenarioReport CheckScenario(std::string_view text, const std::string& file) {
  ScenarioReport report;
  ScenarioResult scenario = ReadScenario(text, file);
  if (!scenario) {
    report.problems = std::move(scenario.error());
    return report;
  }
  report.name = scenario->name;
  report.warnings = scenario->warnings;
  report.differences = Differences(*scenario, Play(*scenario));
  return report;
}

}  // namespace berth::scenario
