#pragma once

#include <compare>
#include <cstdint>

#include "engine/ids.h"

namespace berth::engine {

// An amount of one resource, in the resource's unit (milli for cpu).
struct Request {
  ResourceId resource;
  int64_t amount = 0;
  // The part that all pods share, independent of their number.
  int64_t shared = 0;

  friend auto operator<=>(const Request&, const Request&) = default;
};

}  // namespace berth::engine
