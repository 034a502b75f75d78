#pragma once

#include <optional>

#include "api/limit_range.h"
#include "api/resource_requirements.h"

namespace berth::workload {

// What the LimitRanges of a namespace say about one container, or about one pod.
struct LimitBounds {
  api::ResourceList max;              // the lowest of all
  api::ResourceList min;              // the highest of all
  api::ResourceList default_limit;    // the first of all
  api::ResourceList default_request;  // the first of all
};

// The LimitRanges of one namespace as one. Of defaults that disagree the first counts, so add the
// objects in the order of their names.
struct LimitSummary {
  std::optional<LimitBounds> container;
  std::optional<LimitBounds> pod;

  void Add(const api::LimitRangeSpec& spec);
};

}  // namespace berth::workload
