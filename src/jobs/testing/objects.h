#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "jobs/integration_set.h"
#include "json/path.h"
#include "schema/yaml/to_json.h"

namespace berth::jobs::testing {

// Parses YAML into a tree.
inline json::value Yaml(std::string_view text) {
  const auto documents = schema::YamlToJson(text);
  if (!documents || documents->size() != 1) {
    ADD_FAILURE() << "no YAML document: " << text;
    return json::object();
  }
  return *json::Parse(documents->front().json);
}

inline const Integration& Kind(std::string_view framework) {
  const Integration* found = IntegrationSet::BuiltIn().FindFramework(framework);
  EXPECT_NE(found, nullptr) << framework;
  return *found;
}

}  // namespace berth::jobs::testing
