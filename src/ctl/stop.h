#pragma once

// The merge patches of `stop` and `resume`.

#include <string>

namespace berth::ctl {

// For a ClusterQueue or LocalQueue. Without `keeps_running` its workloads are evicted, too.
std::string StopQueuePatch(bool keeps_running);
std::string ResumeQueuePatch();

// For a Workload.
std::string StopWorkloadPatch();
std::string ResumeWorkloadPatch();

}  // namespace berth::ctl
