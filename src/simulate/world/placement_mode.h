#pragma once

#include <cstdint>
#include <vector>

#include "simulate/input.h"
#include "simulate/world/agenda.h"

namespace berth::simulate {

// Whether jobs are placed on nodes.
enum class PlacementMode : uint8_t {
  kQuotaAlone,    // there is no Topology
  kNodesMissing,  // there is a Topology and no Node: as kQuotaAlone
  kPlacesPods,
};

// Of a world with these objects, now or after some edit.
PlacementMode PlacementModeOf(const Input& input, const std::vector<Edit>& edits);

}  // namespace berth::simulate
