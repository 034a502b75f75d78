#pragma once

// Placements are written to the status of their Workload, and the storage of an API server takes
// objects of 1.5 MiB at most. Pods whose domains take more than `kMostPlacementBytes` there have no
// place.

#include <cstddef>
#include <functional>
#include <span>

#include "engine/topology/topologies.h"
#include "engine/topology/topology_spec.h"

namespace berth::engine {

inline constexpr size_t kMostPlacementBytes = size_t{1400} * 1024;

// The bytes of one placement as it is written. The format belongs to the API, so the engine gets it
// as a function, which must be pure.
using PlacementSizer = std::function<size_t(const PodSetPlacement&)>;

// Whether the placements of a workload are too large to be written. Never without a sizer.
// O(domains); the sizer is asked only about placements whose names alone are long.
bool IsTooLarge(const Topologies& topologies, const PlacementSizer& sizer,
                std::span<const PodSetPlacement> placements);

}  // namespace berth::engine
