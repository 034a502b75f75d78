#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_sets.h"
#include "json/path.h"

// The state of a job, read from its object by its description.
namespace berth::jobs {

bool Holds(const Test& test, const json::value& object);

// Whether the job is suspended. Of pods: gated or terminated. During a stop (see start_stop.h) a
// job counts as running.
bool IsSuspended(const Integration& integration, const json::value& job);

// Whether the job has pods.
bool IsActive(const Integration& integration, const json::value& job);

// Whether the job is not subject to queueing.
bool IsSkipped(const Integration& integration, const json::value& job);
// Whether the job cleans up while it is being deleted, for which it needs its quota.
bool CleansUp(const Integration& integration, const json::value& job);
// The state in which the job releases its quota, such as "status.jobDeploymentStatus is
// ValidationFailed"; "" if it is not on hold.
std::string HoldReason(const Integration& integration, const json::value& job);

struct JobEnd {
  std::string message;
  bool is_success = false;

  friend bool operator==(const JobEnd&, const JobEnd&) = default;
};
// Nullopt until the job finishes.
std::optional<JobEnd> Finished(const Integration& integration, const json::value& job);

// Whether all pods are ready or finished.
bool PodsReady(const Integration& integration, const json::value& job,
               const std::vector<JobPodSet>& pod_sets);

// Finished pods, for Workload.status.reclaimablePods.
std::vector<api::ReclaimablePod> ReclaimablePods(const Integration& integration,
                                                 const json::value& job,
                                                 const std::vector<JobPodSet>& pod_sets);

}  // namespace berth::jobs
