#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kNoSchedule = "NoSchedule";
inline constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";
inline constexpr std::string_view kNoExecute = "NoExecute";
inline constexpr std::string_view kTaintEffects[] = {kNoSchedule, kPreferNoSchedule, kNoExecute};

// Repels pods that do not tolerate it.
struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  std::optional<base::Time> time_added;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Taint&, const Taint&) = default;
};

inline constexpr std::string_view kTolerationExists = "Exists";
inline constexpr std::string_view kTolerationEqual = "Equal";
inline constexpr std::string_view kTolerationLess = "Lt";
inline constexpr std::string_view kTolerationGreater = "Gt";
inline constexpr std::string_view kTolerationOperators[] = {kTolerationExists, kTolerationEqual,
                                                            kTolerationLess, kTolerationGreater};

// Allows a pod on nodes with a matching taint. An empty operator means Equal, an empty effect any
// effect, an empty key with Exists any taint.
struct Toleration {
  std::string key;
  std::string op;  // "operator" in JSON
  std::string value;
  std::string effect;
  std::optional<int64_t> toleration_seconds;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

}  // namespace berth::api

// Compiled once, in toleration.cc.
extern template class std::vector<berth::api::Taint>;
extern template class std::vector<berth::api::Toleration>;
