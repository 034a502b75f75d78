#pragma once

#include <cstdint>
#include <span>

#include "api/kueue/pod_set.h"

namespace berth::workload {

// The index of the first pod set of the group, which shares its flavors.
int32_t GroupOf(std::span<const api::PodSet> pod_sets, size_t index);

}  // namespace berth::workload
