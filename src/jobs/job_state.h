#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/workload.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_sets.h"

// What a job's object says of itself, read by its description.
namespace berth::jobs {

bool Holds(const Test& test, const json::value& object);

// Held back. Of pods: gated, or ended. While a stop is under way (see start_stop.h) a job counts as
// running.
bool IsSuspended(const Integration& integration, const json::value& job);

// Whether it has pods.
bool IsActive(const Integration& integration, const json::value& job);

// Of no concern to queues.
bool IsSkipped(const Integration& integration, const json::value& job);
// Gives its quota back for now.
bool IsOnHold(const Integration& integration, const json::value& job);

struct JobEnd {
  std::string message;
  bool is_success = false;

  friend bool operator==(const JobEnd&, const JobEnd&) = default;
};
// Nullopt while it has not ended.
std::optional<JobEnd> Finished(const Integration& integration, const json::value& job);

// Whether all pods are ready or done.
bool PodsReady(const Integration& integration, const json::value& job,
               const std::vector<JobPodSet>& pod_sets);

// What pods that are done give back, for Workload.status.reclaimablePods.
std::vector<api::ReclaimablePod> ReclaimablePods(const Integration& integration,
                                                 const json::value& job,
                                                 const std::vector<JobPodSet>& pod_sets);

}  // namespace berth::jobs
