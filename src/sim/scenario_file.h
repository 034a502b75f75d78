#pragma once

// The text of a scenario file as it stands. Objects are kept as text: each is read as its kind.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/flat_map.h"
#include "base/time.h"
#include "schema/describe.h"
#include "sim/outcome.h"

namespace berth::sim {

// An object that a step names; it may do so in one string as well: "Kind namespace/name".
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

}  // namespace berth::sim
