#pragma once

#include "api/workload.h"
#include "base/time.h"

namespace berth::control {

// Keeps the condition PodsReady: whether the pods of an admitted workload are all ready or done,
// and if not, whether they never were or are not any more. False if it says so already.
bool NotePodsReady(api::Workload& workload, bool are_ready, base::Time now);

}  // namespace berth::control
