#pragma once

#include "api/kueue/workload.h"
#include "base/time.h"

namespace berth::control {

// Sets the condition PodsReady: whether all pods of an admitted Workload are ready or done, and if
// not, whether they have been before. Returns whether the condition changed.
bool NotePodsReady(api::Workload& workload, bool are_ready, base::Time now);

}  // namespace berth::control
