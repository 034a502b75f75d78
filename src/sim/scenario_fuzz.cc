// Any text: reading must not crash, nor playing what could be read, however odd the objects are.
// The order of objects must not matter, and an updated file must hold.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "sim/scenario.h"
#include "sim/scenario_check.h"
#include "sim/scenario_run.h"
#include "sim/scenario_update.h"

namespace berth::sim {
namespace {

// Time is better spent on other scenarios than on the hundredth cycle of one.
bool IsLong(const Scenario& scenario) {
  constexpr int kMostCycles = 8;
  constexpr size_t kMostSteps = 4;
  return scenario.steps.size() > kMostSteps ||
         std::ranges::any_of(scenario.steps,
                             [](const Step& s) { return s.cycles.value_or(0) > kMostCycles; });
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
}  // namespace berth::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::sim::CheckText({reinterpret_cast<const char*>(data), size});
  return 0;
}
