#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta/meta.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

struct LeaseSpec {
  std::optional<std::string> holder_identity;
  std::optional<int32_t> lease_duration_seconds;
  std::optional<base::Time> acquire_time;
  std::optional<base::Time> renew_time;
  std::optional<int32_t> lease_transitions;
  std::optional<std::string> strategy;
  std::optional<std::string> preferred_holder;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LeaseSpec&, const LeaseSpec&) = default;
};

struct Lease {
  ObjectMeta metadata;
  LeaseSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace berth::api
