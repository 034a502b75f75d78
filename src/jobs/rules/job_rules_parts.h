#pragma once

#include <string>
#include <vector>

#include "api/meta/meta.h"
#include "api/meta/problem_report.h"
#include "jobs/rules/job_rules.h"

// The parts of job_rules.h, one file each.
namespace berth::jobs {

// Validates the topology annotations in the templates of a job.
void ValidateTopology(const Integration& integration, const json::value& job, const JobRules& rules,
                      api::ProblemReport& report);

// The requests and limits below 0 of pods in a queue: their Workload would be refused.
schema::Problems NegativeRequests(const Integration& integration, const json::value& job,
                                  const JobRules& rules);

// Validates the partial admission annotations of kinds that support it.
void ValidatePartialAdmission(const Integration& integration, const json::value& job,
                              const api::ObjectMeta& metadata, const JobRules& rules,
                              api::ProblemReport& report);
void ValidateSyncedCompletions(const json::value& job, const api::ObjectMeta& metadata,
                               api::ProblemReport& report);

// Validates kind-specific fields of managed jobs.
void ValidateKind(const Integration& integration, const json::value& job,
                  const api::ObjectMeta& metadata, const JobRules& rules,
                  api::ProblemReport& report);

// Rejects templates of an elastic job without the scheduling gate that the webhook added on
// creation: their pods would run without quota.
void ValidateElasticGates(const Integration& integration, const json::value& old_job,
                          const json::value& job, api::ProblemReport& report);

// Rejects changes of the pods' requests in StatefulSets and LeaderWorkerSets, of the size of a
// StatefulSet other than from and to 0, and, with its gate, of the group size of a LeaderWorkerSet.
void ValidateServingChange(const Integration& integration, const json::value& old_set,
                           const json::value& set, const JobRules& rules,
                           api::ProblemReport& report);

// Validates the admission constraints in the pod templates of Deployments, StatefulSets and
// LeaderWorkerSets: they must not contradict those of the object.
void ValidateServingConstraints(const Integration& integration, const json::value& set,
                                const api::ObjectMeta& metadata, api::ProblemReport& report);

// Field paths such as "metadata.annotations[key]".
inline std::string LabelField(std::string_view key) {
  return "metadata.labels[" + std::string(key) + "]";
}
inline std::string AnnotationField(std::string_view key) {
  return "metadata.annotations[" + std::string(key) + "]";
}

}  // namespace berth::jobs
