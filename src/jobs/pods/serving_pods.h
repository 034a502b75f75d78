#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/workload_for.h"
#include "json/path.h"

namespace berth::jobs {

// Marks a pod of a StatefulSet or LeaderWorkerSet as a member of its owner's group: name (that of
// the Workload, see GroupWorkloadFor), size, role, queue and priority class. The pod's webhook does
// not know most of them.
//
// Returns nullopt if the pod is marked already, or if its index is not known yet: the controller of
// a LeaderWorkerSet numbers pods after their creation. `group` names the group of a StatefulSet
// whose Workload has another name than a new one would have; "" otherwise.
base::Result<std::optional<json::value>> MarkServingPod(const Integration& integration,
                                                        const json::value& owner,
                                                        const json::value& pod,
                                                        const WorkloadOptions& options,
                                                        const std::string& group = "");

}  // namespace berth::jobs
