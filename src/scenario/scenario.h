#pragma once

// Scenario files: a Configuration, a clock, objects, and the expected outcome.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/object.h"
#include "base/time.h"
#include "scenario/any_object.h"
#include "scenario/outcome.h"
#include "schema/problem.h"

namespace berth::scenario {

// The default clock of scenarios: 2025-01-01T00:00:00Z.
inline constexpr base::Time kDefaultNow = base::Time::FromSeconds(1735689600);

// An object by name.
struct ObjectName {
  const schema::Kind* kind = nullptr;  // null: an unknown kind of a job or owner
  std::string kind_name;
  std::string namespace_;
  std::string name;
};

// Changes, the cycles after them, and the expected outcome.
struct Step {
  std::optional<base::Time> at;  // absent: after the previous cycles
  std::vector<api::Object> apply;
  std::vector<AnyObject> jobs;  // created or replaced, like `apply`
  std::vector<ObjectName> remove;
  std::vector<std::string> finish;  // workloads: "namespace/name"
  std::optional<int> cycles;        // absent: until nothing changes
  std::optional<Outcome> want;
};

struct Scenario {
  std::string name;
  std::string about;
  api::Configuration configuration;  // with defaults
  api::FeatureGates gates;
  base::Time now = kDefaultNow;
  // The first step is the scenario itself: its objects, cycles and want.
  std::vector<Step> steps;
  // Violations that an API server would reject. The scenario is played anyway.
  schema::Problems warnings;
};

using ScenarioResult = std::expected<Scenario, schema::Problems>;

// Reads JSON or YAML, strictly. Objects are completed as an API server would store them. Jobs and
// Workloads without a uid get one made of their name.
ScenarioResult ReadScenario(std::string_view text, const std::string& file);

}  // namespace berth::scenario
