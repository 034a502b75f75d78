#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

// A condition of a built-in kind. Unlike in Condition, only type and status are required. Times of
// some kinds only (lastProbeTime, lastHeartbeatTime, lastUpdateTime) are carried.
struct CoreCondition {
  std::string type;
  std::string status;
  int64_t observed_generation = 0;
  std::optional<base::Time> last_transition_time;
  std::string reason;
  std::string message;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CoreCondition&, const CoreCondition&) = default;
};

}  // namespace berth::api

// Compiled once, in core_condition.cc.
extern template class std::vector<berth::api::CoreCondition>;
