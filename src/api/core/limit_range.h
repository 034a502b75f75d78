#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/core/resource_requirements.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kLimitContainer = "Container";
inline constexpr std::string_view kLimitPod = "Pod";
inline constexpr std::string_view kLimitPersistentVolumeClaim = "PersistentVolumeClaim";

struct LimitRangeItem {
  std::string type;
  ResourceList max;
  ResourceList min;
  ResourceList default_;
  ResourceList default_request;
  ResourceList max_limit_request_ratio;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LimitRangeItem&, const LimitRangeItem&) = default;
};

struct LimitRangeSpec {
  std::vector<LimitRangeItem> limits;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LimitRangeSpec&, const LimitRangeSpec&) = default;
};

struct LimitRange {
  ObjectMeta metadata;
  LimitRangeSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const LimitRange&, const LimitRange&) = default;
};

// Containers without a default limit get the maximum, and without a default request the default
// limit or, failing that, the minimum.
void ApplyDependentDefaults(LimitRangeSpec& spec);

}  // namespace berth::api

// Compiled once, in limit_range.cc.
extern template class std::vector<berth::api::LimitRangeItem>;
