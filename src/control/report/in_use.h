#pragma once

#include <cstdint>

#include "api/meta/meta.h"

namespace berth::control {

// Our finalizer keeps ClusterQueues, ResourceFlavors, AdmissionChecks and Topologies until nothing
// uses them.
enum class FinalizerStep : uint8_t { kNothing, kAdd, kRemove };

FinalizerStep PlanFinalizer(const api::ObjectMeta& metadata, bool is_used);

}  // namespace berth::control
