#pragma once

// What one pod asks for. Two steps: AdjustPod fills in what an API server would, PodRequests adds
// it all up. Quantities are exact here; rounding comes when requests are counted
// (resource_filter.h).

#include <string>

#include "api/pod_spec.h"
#include "api/resource_requirements.h"
#include "base/flat_map.h"
#include "workload/limit_summary.h"

namespace berth::workload {

// What each pod of a RuntimeClass costs beyond its containers, by the name of the class.
using RuntimeOverheads = base::FlatMap<api::ResourceList>;

// Fills in, in this order:
//   1. the overhead of the pod's RuntimeClass, if the pod has none of its own; a class that is
//      not known is ignored;
//   2. the defaults of the namespace's LimitRanges for limits and requests of containers and, where
//      the pod has resources of its own (be they empty), of the pod;
//   3. limits as requests, where there is no request. An explicit 0 is a request.
// So a LimitRange's default request wins over the container's own limit.
void AdjustPod(api::PodSpec& pod, const LimitSummary& limits, const RuntimeOverheads& overheads);

// The most that a pod needs at any time of its life:
//   - the main containers and all sidecars (init containers that are restarted always) run
//     together;
//   - before that each init container runs together with the sidecars that stand before it;
//   - a request on the level of the pod replaces the sum of its containers, even if it is
//     smaller, for cpu, memory and hugepages alone;
//   - overhead comes on top.
// A resource that nobody asks for is absent from the answer.
api::ResourceList PodRequests(const api::PodSpec& adjusted);

}  // namespace berth::workload
