#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "jobs/integration_set.h"
#include "jobs/path.h"
#include "schema/yaml_to_json.h"

namespace berth::jobs::testing {

// The tree of a YAML text.
inline json::value Yaml(std::string_view text) {
  const auto documents = schema::YamlToJson(text);
  if (!documents || documents->size() != 1) {
    ADD_FAILURE() << "no YAML document: " << text;
    return json::object();
  }
  return *store::ParseJson(documents->front().json);
}

inline const Integration& Kind(std::string_view framework) {
  const Integration* found = IntegrationSet::BuiltIn().FindFramework(framework);
  EXPECT_NE(found, nullptr) << framework;
  return *found;
}

}  // namespace berth::jobs::testing
