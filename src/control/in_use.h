#pragma once

#include <cstdint>

#include "api/meta.h"

namespace berth::control {

// Queues, flavors, admission checks and topologies stay until nothing uses them any more: our
// finalizer holds them.
enum class FinalizerStep : uint8_t { kNothing, kAdd, kRemove };

FinalizerStep PlanFinalizer(const api::ObjectMeta& metadata, bool is_used);

}  // namespace berth::control
