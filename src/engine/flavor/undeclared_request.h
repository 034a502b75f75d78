#pragma once

#include <cstdint>
#include <vector>

#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

// A request that no resource group of the queue covers.
struct UndeclaredRequest {
  uint32_t pod_set = 0;
  ResourceId resource;
  int64_t amount = 0;

  friend bool operator==(const UndeclaredRequest&, const UndeclaredRequest&) = default;
};

// Those of a pending workload, in the order of its podsets. They keep the workload out, unless only
// declared resources count: then there are none. Neither has a workload that was added as reserved.
std::vector<UndeclaredRequest> UndeclaredRequestsOf(const State& state, WorkloadId id);

}  // namespace berth::engine
