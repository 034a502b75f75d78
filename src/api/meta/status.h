#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kStatusSuccess = "Success";
inline constexpr std::string_view kStatusFailure = "Failure";

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;
  std::string uid;
  std::vector<StatusCause> causes;
  int32_t retry_after_seconds = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const StatusDetails&, const StatusDetails&) = default;
};

// The result of a request that returns no object.
struct Status {
  ListMeta metadata;
  std::string status;
  std::string message;
  std::string reason;
  std::optional<StatusDetails> details;
  int32_t code = 0;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Status&, const Status&) = default;
};

}  // namespace berth::api

// Compiled once, in status.cc.
extern template class std::vector<berth::api::StatusCause>;
