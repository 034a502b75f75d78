#pragma once

#include "lifecycle/event_record.h"
#include "workload/status_changes.h"

namespace berth::lifecycle {

// The Event about a Workload that held quota when it was evicted.
EventRecord EvictionEvent(const workload::Eviction& eviction);

}  // namespace berth::lifecycle
