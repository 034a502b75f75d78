#pragma once

#include <vector>

#include "base/error.h"
#include "jobs/pods/pod_sets.h"

// Pod sets of kinds whose descriptions do not suffice.
namespace berth::jobs {

using PodSetList = std::vector<JobPodSet>;

// Adds the containers that the Ray operator adds to the head: the autoscaler, and room for the
// cleanup of Redis. Applies counts changed by the autoscaler.
base::Result<PodSetList> DeriveRayCluster(const Integration& integration, const json::value& job,
                                          const PodSetOptions& options, PodSetList pod_sets);

// Whether the Ray cluster of the job has GCS fault tolerance.
bool IsFaultTolerantRay(const Integration& integration, const json::value& job);

// As above, and the pod or container that submits the job.
base::Result<PodSetList> DeriveRayJob(const Integration& integration, const json::value& job,
                                      const PodSetOptions& options, PodSetList pod_sets);

// The template of the submitter pod of a RayJob: its own or the operator's default.
base::Result<api::PodTemplateSpec> RaySubmitterTemplate(const json::value& job);

// The pod sets of the wrapped objects, named after the AppWrapper and numbered.
base::Result<PodSetList> DeriveAppWrapper(const json::value& job, const PodSetOptions& options);

// The pod sets of the runtime's JobSet, with the changes of the TrainJob.
base::Result<PodSetList> DeriveTrainJob(const json::value& job, const PodSetOptions& options);

// Driver and executors, composed from the fields of the application.
base::Result<PodSetList> DeriveSparkApplication(const json::value& job,
                                                const PodSetOptions& options);

}  // namespace berth::jobs
