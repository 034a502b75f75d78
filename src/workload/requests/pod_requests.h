#pragma once

// The requests of one pod, in two steps: AdjustPod applies the defaults of an API server,
// PodRequests sums. Quantities are exact; they are rounded when requests are counted
// (resource_filter.h).

#include <string>

#include "api/core/pod_spec.h"
#include "api/core/resource_requirements.h"
#include "base/flat_map.h"
#include "workload/requests/limit_summary.h"

namespace berth::workload {

// The overhead of a pod, by the name of its RuntimeClass.
using RuntimeOverheads = base::FlatMap<api::ResourceList>;

// Applies, in this order:
//   1. the overhead of the pod's RuntimeClass, if the pod has none of its own; an unknown class is
//      ignored;
//   2. the defaults of the namespace's LimitRanges for limits and requests of containers and, where
//      the pod has resources of its own (be they empty), of the pod;
//   3. limits as requests, where there is no request. An explicit 0 is a request.
// So the default request of a LimitRange takes precedence over the container's own limit.
void AdjustPod(api::PodSpec& pod, const LimitSummary& limits, const RuntimeOverheads& overheads);

// The maximum that a pod needs at any time:
//   - the main containers and all sidecars (init containers that are restarted always) run
//     together;
//   - before that each init container runs together with the sidecars that precede it;
//   - a request on the level of the pod replaces the sum of its containers, even if it is
//     smaller, for cpu, memory and hugepages alone;
//   - overhead is added.
// Resources without a request are absent.
api::ResourceList PodRequests(const api::PodSpec& adjusted);

}  // namespace berth::workload
