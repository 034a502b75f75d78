#pragma once

#include "api/config/feature_gates.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_sets.h"
#include "json/path.h"
#include "schema/problem.h"

// Validation of jobs by webhooks. Reports all problems with their fields. Applies to managed and
// unmanaged jobs: Kueue's labels and annotations are checked wherever they appear.
namespace berth::jobs {

struct JobRules {
  api::FeatureGates gates;
  // The job's namespace has a LocalQueue "default".
  bool has_default_queue = false;
  bool manages_without_queue_name = false;  // manageJobsWithoutQueueName
  PodSetOptions pod_sets;                   // with related objects if the kind needs them
};

// Whether the job is marked as elastic and elastic jobs are enabled.
bool IsElasticJob(const api::ObjectMeta& metadata, const JobRules& rules);

// On create, rejects:
//   - invalid names of queues and prebuilt Workloads; prebuilt Workloads and elastic jobs of kinds
//     that do not support them;
//   - maximum execution times that are not positive numbers;
//   - partial admission annotations that contradict the counts;
//   - contradicting topology requests;
//   - requests and limits below 0 of jobs with a queue;
//   - malformed admission gates and admission constraints.
schema::Problems ValidateJobCreate(const Integration& integration, const json::value& job,
                                   const JobRules& rules);

// On update, rejects the same; requests below 0 that the job has already may stay. While the job is
// not suspended, also rejects changes of the queue, the prebuilt Workload, the maximum execution
// time and the admission constraints, and adding a WorkloadPriorityClass. Always rejects removing
// the queue if there is a default one, removing the WorkloadPriorityClass, and making an elastic
// job inelastic. Counts are immutable after partial admission. Ray jobs and SparkApplications that
// are not queued may change in any way.
schema::Problems ValidateJobUpdate(const Integration& integration, const json::value& old_job,
                                   const json::value& job, const JobRules& rules);

}  // namespace berth::jobs
