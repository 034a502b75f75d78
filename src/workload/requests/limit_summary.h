#pragma once

#include <optional>

#include "api/core/limit_range.h"
#include "api/core/resource_requirements.h"

namespace berth::workload {

// The bounds of the LimitRanges of a namespace for one container or one pod.
struct LimitBounds {
  api::ResourceList max;              // the lowest of all
  api::ResourceList min;              // the highest of all
  api::ResourceList default_limit;    // the first of all
  api::ResourceList default_request;  // the first of all
};

// The LimitRanges of one namespace, merged. Of conflicting defaults the first wins, so add the
// objects in the order of their names.
struct LimitSummary {
  std::optional<LimitBounds> container;
  std::optional<LimitBounds> pod;

  void Add(const api::LimitRangeSpec& spec);
};

}  // namespace berth::workload
