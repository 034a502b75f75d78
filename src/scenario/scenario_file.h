#pragma once

// The schema of scenario files. Objects stay text and are decoded by their kind later.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/flat_map.h"
#include "base/time.h"
#include "scenario/outcome.h"
#include "schema/describe.h"

namespace berth::scenario {

// The name of an object; alternative to the string "Kind namespace/name".
struct NameFile {
  std::string kind;
  std::string namespace_;
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct StepFile {
  std::string at;
  std::vector<schema::Json> apply;
  std::vector<schema::Json> remove;  // "delete" in the file
  std::vector<schema::Json> finish;
  std::optional<int32_t> cycles;
  std::optional<Outcome> want;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct ScenarioFile {
  std::string name;
  std::string about;
  schema::Json configuration;
  std::optional<base::Time> now;
  std::vector<schema::Json> objects;
  std::optional<int32_t> cycles;
  std::optional<Outcome> want;
  base::FlatMap<std::string> upstream_reasons;
  std::vector<StepFile> steps;
  schema::Extra extra;

  static const schema::Struct& Description();
};

}  // namespace berth::scenario
