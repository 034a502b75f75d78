// No input crashes the reader or the player. The order of objects does not matter, and an updated
// file holds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "scenario/scenario.h"
#include "scenario/scenario_check.h"
#include "scenario/scenario_run.h"
#include "scenario/scenario_update.h"

namespace berth::scenario {
namespace {

// Skips long scenarios.
bool IsLong(const Scenario& scenario) {
  constexpr int kMaxCycles = 8;
  constexpr size_t kMaxSteps = 4;
  return scenario.steps.size() > kMaxSteps ||
         std::ranges::any_of(scenario.steps,
                             [](const Step& s) { return s.cycles.value_or(0) > kMaxCycles; });
}

void CheckText(std::string_view text) {
  ScenarioResult scenario = ReadScenario(text, "f");
  if (!scenario || IsLong(*scenario)) return;
  const std::vector<Outcome> outcomes = Play(*scenario);
  CHECK(outcomes.size() == scenario->steps.size());
  if (const base::Result<std::string> updated = UpdateScenario(text, "f"))
    CHECK(CheckScenario(*updated, "f").has_passed());
  for (Step& step : scenario->steps) {
    std::ranges::reverse(step.apply);
    std::ranges::reverse(step.jobs);
  }
  CHECK(Play(*scenario) == outcomes);
}

}  // namespace
}  // namespace berth::scenario

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::scenario::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
