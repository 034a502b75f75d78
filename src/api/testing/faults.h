#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/validate.h"

namespace berth::api::testing {

// Decodes valid JSON and applies defaults.
template <class T>
T Stored(std::string_view json) {
  auto object = schema::Decode<T>(json);
  if (!object) {
    ADD_FAILURE() << json << "\n" << schema::ToString(object.error().front());
    return {};
  }
  schema::ApplyDefaults(*object);
  return *std::move(object);
}

// Problems that an API server would report, as "field: cause", sorted. With `old_json`, of an
// update.
template <class T>
std::vector<std::string> Faults(std::string_view json, std::string_view old_json = {}) {
  const T object = Stored<T>(json);
  std::optional<T> old;
  if (!old_json.empty()) old = Stored<T>(old_json);
  std::vector<std::string> faults;
  for (const schema::Problem& problem : schema::Validate(object, old ? &*old : nullptr))
    faults.push_back(problem.field + ": " + std::string(schema::CauseOf(problem.type)));
  std::ranges::sort(faults);
  return faults;
}

}  // namespace berth::api::testing
