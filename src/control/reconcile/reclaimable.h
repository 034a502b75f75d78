#pragma once

#include <vector>

#include "api/kueue/workload.h"

namespace berth::control {

// Sets the number of pods of each pod set that are done and need no quota anymore, capped at the
// size of the pod set. Returns whether the status changed.
bool NoteReclaimable(api::Workload& workload, std::vector<api::ReclaimablePod> reclaimable);

}  // namespace berth::control
