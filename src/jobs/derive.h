#pragma once

#include <vector>

#include "base/error.h"
#include "jobs/pod_sets.h"

// What the descriptions of some kinds cannot say of their pods.
namespace berth::jobs {

using PodSetList = std::vector<JobPodSet>;

// The containers that a Ray operator adds to the head: the autoscaler's; what the cleanup of Redis
// needs, for which the head makes room; and counts that the autoscaler has changed.
base::Result<PodSetList> DeriveRayCluster(const Integration& integration, const json::value& job,
                                          const PodSetOptions& options, PodSetList pod_sets);

// The same, and the pod or container that submits the job.
base::Result<PodSetList> DeriveRayJob(const Integration& integration, const json::value& job,
                                      const PodSetOptions& options, PodSetList pod_sets);

// The template of the pod that submits a RayJob: its own or the operator's default.
base::Result<api::PodTemplateSpec> RaySubmitterTemplate(const json::value& job);

// The pod sets of what an AppWrapper wraps, named after the AppWrapper and numbered.
base::Result<PodSetList> DeriveAppWrapper(const json::value& job, const PodSetOptions& options);

// Those of the JobSet that a TrainJob's runtime describes, with what the TrainJob changes.
base::Result<PodSetList> DeriveTrainJob(const json::value& job, const PodSetOptions& options);

// Driver and executors, put together from the fields of the application.
base::Result<PodSetList> DeriveSparkApplication(const json::value& job,
                                                const PodSetOptions& options);

}  // namespace berth::jobs
