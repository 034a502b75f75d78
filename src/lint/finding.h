#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::lint {

enum class Severity : uint8_t {
  kError,    // an API server would refuse it, or it is surely not what was meant
  kWarning,  // it is accepted, and something will wait forever or have no effect
};

// "error", "warning".
std::string_view ToString(Severity severity);

// Which object a finding is about, as its text names it.
struct ObjectName {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
};

// "LocalQueue team-a/main", "ClusterQueue main", "" if nothing is known.
std::string ToString(const ObjectName& object);

struct Finding {
  Severity severity = Severity::kError;
  std::string rule;  // what was checked, in words that stay the same: "flavor-not-found"
  ObjectName object;
  std::string field;  // "" is the whole object
  base::Place place;
  std::string message;
  std::string hint;  // what to write instead, where that is not in the message

  friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

// By file, line, column, field and rule.
void Sort(Findings& findings);

}  // namespace berth::lint
