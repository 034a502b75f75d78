#pragma once

// Workload slices of elastic jobs. A job that grows while it runs gets a second slice of the new
// size, which is pending; the first slice keeps its quota, and the job its pods, until the second
// one is admitted and replaces it. A job that shrinks keeps its slice, which returns quota.

#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "jobs/pods/pod_sets.h"

namespace berth::control {

struct SliceChoice {
  // The slice of the job's current size: the pending replacement if there is one, else the holder.
  // Null if there is neither.
  const api::Workload* current = nullptr;
  // The slice whose quota the job uses; null if there is none. May be `current`.
  const api::Workload* holder = nullptr;
  // Slices to finish.
  struct Ended {
    const api::Workload* slice = nullptr;
    std::string_view reason;  // of its Finished condition
  };
  std::vector<Ended> ended;
};

// Sorts the slices of one job. If the holder was evicted, its job stops; once its quota is free,
// the pending replacement takes its place. If it was deactivated, its replacements end instead.
SliceChoice ChooseSlices(std::vector<const api::Workload*> slices);

enum class SliceFit : uint8_t {
  kSame,
  kResize,   // it can be given the job's counts as it stands
  kReplace,  // it cannot: the job needs another slice
  kForeign,  // not even the names of the pod sets are the same
};
SliceFit FitOf(const api::Workload& slice, const std::vector<jobs::JobPodSet>& pod_sets);

// Sets the counts of the slice to those of the job. The names of the pod sets must match.
void Resize(const std::vector<jobs::JobPodSet>& pod_sets, api::Workload& slice);

}  // namespace berth::control
