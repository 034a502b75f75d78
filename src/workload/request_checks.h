#pragma once

#include <span>

#include "api/pod_set.h"
#include "schema/problem.h"
#include "workload/limit_summary.h"

// What keeps a workload out whatever the quota: pods that the API server would refuse to create.
// Both look at adjusted pods (pod_requests.h) and report on `spec.podSets[i].template.spec…`, once
// for a container or pod and bound with all its resources. Amounts are compared as they are counted
// (requests.h): 1.2 and 1.5 bytes are both 2.
namespace berth::workload {

// Requests above their own limits.
schema::Problems RequestsAboveLimits(std::span<const api::PodSet> pod_sets);

// Containers and pods outside of what the LimitRanges of the namespace allow. A bound applies only
// to what is requested or limited at all.
schema::Problems LimitRangeViolations(std::span<const api::PodSet> pod_sets,
                                      const LimitSummary& limits);

}  // namespace berth::workload
