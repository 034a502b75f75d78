#pragma once

// The Workloads of an elastic job: slices. A job that grows while it runs gets a second one for its
// new size, which waits in line; the first keeps its quota, and the job its pods, until the second
// is admitted and takes its place. A job that shrinks keeps its slice, which gives quota back.

#include <string_view>
#include <vector>

#include "api/workload.h"
#include "jobs/pod_sets.h"

namespace berth::control {

struct SliceChoice {
  // The slice that speaks for the job: the one that waits to take over, if there is one, else the
  // one that holds quota. Null if none does.
  const api::Workload* current = nullptr;
  // The slice whose quota the job runs on; null if it has none. May be `current`.
  const api::Workload* holder = nullptr;
  // What must not go on beside them.
  struct Ended {
    const api::Workload* slice = nullptr;
    std::string_view reason;  // of its Finished condition
  };
  std::vector<Ended> ended;
};

// `slices`: those of one job. Who has lost its quota is not waited behind: then the slices that
// would have taken over end, and the evicted one grows when it is in line again.
SliceChoice ChooseSlices(std::vector<const api::Workload*> slices);

enum class SliceFit : uint8_t {
  kSame,
  kResize,   // it can be given the job's counts as it stands
  kReplace,  // it cannot: the job needs another slice
  kForeign,  // not even the names of the pod sets are the same
};
SliceFit FitOf(const api::Workload& slice, const std::vector<jobs::JobPodSet>& pod_sets);

// The slice with the counts of the job. The names must be the same.
void Resize(const std::vector<jobs::JobPodSet>& pod_sets, api::Workload& slice);

}  // namespace berth::control
