#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::lint {

enum class Severity : uint8_t {
  kError,    // rejected by an API server, or certainly a mistake
  kWarning,  // accepted, but something waits forever or has no effect
};

// "error", "warning".
std::string_view ToString(Severity severity);

// The object of a finding.
struct ObjectName {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
};

// "LocalQueue team-a/main", "ClusterQueue main"; "" if unknown.
std::string ToString(const ObjectName& object);

struct Finding {
  Severity severity = Severity::kError;
  std::string rule;  // stable identifier, such as "flavor-not-found"
  ObjectName object;
  std::string field;  // "" is the whole object
  base::Place place;
  std::string message;
  std::string hint;  // the fix, if not in the message

  friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

// Orders by file, line, column, field and rule.
void Sort(Findings& findings);

}  // namespace berth::lint
