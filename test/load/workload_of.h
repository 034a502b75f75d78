#pragma once

#include <cstdint>

#include "api/kueue/workload.h"
#include "simulate/input.h"

namespace berth::load {

// The Workload of a job as its owner creates it.
api::Workload WorkloadOf(const simulate::Input& input, uint32_t job);

}  // namespace berth::load
