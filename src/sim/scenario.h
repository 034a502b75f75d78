#pragma once

// Scenario files: a Configuration, a clock, objects, and what must come of them.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/object.h"
#include "base/time.h"
#include "schema/problem.h"
#include "sim/any_object.h"
#include "sim/outcome.h"

namespace berth::sim {

// The clock of scenarios that do not set one: 2025-01-01T00:00:00Z.
inline constexpr base::Time kDefaultNow = base::Time::FromSeconds(1735689600);

// An object by name.
struct ObjectName {
  const schema::Kind* kind = nullptr;  // null: of a kind that only jobs and their owners are of
  std::string kind_name;
  std::string namespace_;
  std::string name;
};

// Changes, cycles after them, and what must come of that.
struct Step {
  std::optional<base::Time> at;  // absent: when the cycles before it are over
  std::vector<api::Object> apply;
  std::vector<AnyObject> jobs;  // to create or replace, as `apply`
  std::vector<ObjectName> remove;
  std::vector<std::string> finish;  // workloads: "namespace/name"
  std::optional<int> cycles;        // absent: until nothing changes any more
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
  // What an API server would refuse of it. It is played all the same.
  schema::Problems warnings;
};

using ScenarioResult = std::expected<Scenario, schema::Problems>;

// Reads JSON or YAML, strictly. Objects get the defaults that an API server would give them, the
// namespace "default" where they need one, and jobs and workloads without a uid one made of their
// name.
ScenarioResult ReadScenario(std::string_view text, const std::string& file);

}  // namespace berth::sim
