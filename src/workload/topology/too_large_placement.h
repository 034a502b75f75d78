#pragma once

// Placements that an API server cannot store, see engine/topology/placement_size.h.

#include <cstddef>
#include <string>

#include "api/kueue/topology_assignment.h"
#include "engine/engine.h"

namespace berth::workload {

// The bytes of the placement in the status of its Workload.
size_t BytesOf(const engine::PodSetPlacement& placement, const engine::Engine& engine,
               api::SliceCuts cuts);

// Without a period.
std::string TooLargePlacementMessage();

}  // namespace berth::workload
