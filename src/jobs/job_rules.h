#pragma once

#include "api/feature_gates.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_sets.h"
#include "schema/problem.h"

// What a job may not say or change, as webhooks check it. Every problem is reported, with its
// field. For jobs of all kinds, whether they are managed or not: whoever writes one of these labels
// or annotations means them.
namespace berth::jobs {

struct JobRules {
  api::FeatureGates gates;
  // There is a LocalQueue "default" in the job's namespace.
  bool has_default_queue = false;
  PodSetOptions pod_sets;  // with related objects, where a kind needs them
};

// It says that its pods may become more or fewer while it runs, and such jobs are allowed.
bool IsElasticJob(const api::ObjectMeta& metadata, const JobRules& rules);

// When a job is created:
//   - names of queues and prebuilt Workloads that no object can have; a prebuilt Workload, or an
//     elastic job, of a kind that does not allow it;
//   - time limits that are no numbers above 0;
//   - annotations of partial admission that contradict the counts;
//   - topology requests that contradict themselves or each other;
//   - admission gates and admission constraints that are malformed.
schema::Problems ValidateJobCreate(const Integration& integration, const json::value& job,
                                   const JobRules& rules);

// When it is changed, the same, and while it is not suspended: another queue, another prebuilt
// Workload, another time limit, other admission constraints, a WorkloadPriorityClass where there
// was none. Never: no queue where there is a default one, no WorkloadPriorityClass where there was
// one, an elastic job that is none any more. With fewer pods than asked for, counts stay.
schema::Problems ValidateJobUpdate(const Integration& integration, const json::value& old_job,
                                   const json::value& job, const JobRules& rules);

}  // namespace berth::jobs
