#pragma once

#include <optional>

#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/workload_for.h"

namespace berth::jobs {

// What a pod of a StatefulSet or LeaderWorkerSet must carry to wait as a member of its owner's
// group: the group's name, which is that of the Workload (GroupWorkloadFor), its size, the pod's
// role, the queue and the priority class. The pod's webhook could not know most of it.
//
// Nullopt if the pod has it all, or if its owner is not known well enough yet: a pod of a
// LeaderWorkerSet is numbered by its controller after it was created.
base::Result<std::optional<json::value>> MarkServingPod(const Integration& integration,
                                                        const json::value& owner,
                                                        const json::value& pod,
                                                        const WorkloadOptions& options);

}  // namespace berth::jobs
