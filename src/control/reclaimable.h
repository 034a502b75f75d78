#pragma once

#include <vector>

#include "api/workload.h"

namespace berth::control {

// Writes down how many pods of each pod set are done and need no quota any more; of none more than
// there are. False if it says so already.
bool NoteReclaimable(api::Workload& workload, std::vector<api::ReclaimablePod> reclaimable);

}  // namespace berth::control
