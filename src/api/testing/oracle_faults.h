#pragma once

#include <simdjson.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schema/problem.h"

namespace berth::api::testing {

// Field and cause of each fault, sorted: the form in which recordings are compared.
using OracleFaults = std::vector<std::pair<std::string, std::string>>;

inline OracleFaults RecordedFaults(const simdjson::dom::element& json) {
  OracleFaults faults;
  for (const simdjson::dom::element fault : json.get_array())
    faults.emplace_back(fault["field"].get_string().value(), fault["type"].get_string().value());
  std::ranges::sort(faults);
  return faults;
}

inline OracleFaults FoundFaults(const schema::Problems& problems) {
  OracleFaults faults;
  for (const schema::Problem& problem : problems)
    faults.emplace_back(problem.field, schema::CauseOf(problem.type));
  std::ranges::sort(faults);
  return faults;
}

}  // namespace berth::api::testing
