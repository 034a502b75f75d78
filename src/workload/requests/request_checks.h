#pragma once

#include <span>

#include "api/kueue/pod_set.h"
#include "schema/problem.h"
#include "workload/requests/limit_summary.h"

// Checks for pods that the API server would reject, so that the workload cannot run whatever the
// quota. They take adjusted pods (pod_requests.h) and report problems of
// `spec.podSets[i].template.spec...`, one per container or pod and bound, with all resources.
// Amounts are compared as they are counted (requests.h): 1.2 and 1.5 bytes are both 2.
namespace berth::workload {

// Requests above their own limits.
schema::Problems RequestsAboveLimits(std::span<const api::PodSet> pod_sets);

// Containers and pods that violate the LimitRanges of the namespace. A bound applies only to
// resources with a request or limit.
schema::Problems LimitRangeViolations(std::span<const api::PodSet> pod_sets,
                                      const LimitSummary& limits);

// The result of both checks.
struct InvalidRequests {
  schema::Problems above_limits;
  schema::Problems outside_limit_ranges;

  schema::Problems All() const;
};

}  // namespace berth::workload
