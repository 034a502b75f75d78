#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "api/meta/object.h"
#include "schema/decode.h"

namespace berth::api::testing {

// Decodes an object of a kind chosen at run time, or returns its problems.
inline std::expected<Object, schema::Problems> ReadObject(
    const schema::Kind& kind, std::string_view json, const schema::DecodeOptions& options = {}) {
  Object object(kind);
  schema::Problems problems = schema::Decoder().Decode(json, kind, object.value(), options);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return object;
}

inline std::string ToString(const schema::Problems& problems) {
  std::string text;
  for (const schema::Problem& problem : problems) text += schema::ToString(problem) + "\n";
  return text;
}

}  // namespace berth::api::testing
