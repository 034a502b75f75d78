#pragma once

// Why a topology does not suit a request, for messages. Without a period.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"

namespace berth::workload {

inline constexpr std::string_view kSliceRule =
    "each layer must be below the previous one, not above the requested level, and its size must "
    "divide the previous size";

// Of a flavor with these levels, none if it has no topology, that does not match the pod sets.
std::string TopologyMismatch(const std::vector<std::string>& levels,
                             std::span<const api::PodSet> pod_sets);

}  // namespace berth::workload
