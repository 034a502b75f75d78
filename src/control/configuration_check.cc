#include "control/configuration_check.h"

#include <string>

#include "api/config/configuration_rules.h"

namespace berth::control {

base::Result<void> CheckConfiguration(const api::Configuration& configuration,
                                      const api::FeatureGates& gates,
                                      const std::function<void(std::string_view)>& log) {
  const auto text = [](const schema::Problem& problem) {
    const std::string line = problem.field + ": " + problem.message;
    return problem.hint.empty() ? line : line + " (" + problem.hint + ")";
  };
  for (const schema::Problem& warning : api::WarningsForConfiguration(configuration, gates))
    log("Configuration: " + text(warning));
  for (const schema::Problem& notice : api::NoticesForConfiguration(configuration, gates))
    log("Configuration: " + text(notice));
  std::string errors;
  for (const schema::Problem& problem : api::ValidateConfiguration(configuration, gates)) {
    const std::string line = text(problem);
    if (!errors.contains(line)) errors += (errors.empty() ? "" : "; ") + line;
  }
  if (errors.empty()) return {};
  return base::Fail("Configuration invalid: " + errors, "correct the Configuration and restart");
}

}  // namespace berth::control
