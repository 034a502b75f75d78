#pragma once

#include <string>
#include <vector>

#include "api/meta.h"
#include "api/problem_report.h"
#include "jobs/job_rules.h"

// The parts of job_rules.h, a file each.
namespace berth::jobs {

// Whether a template's annotations ask for a topology that can be. `template_path` is where the
// template stands; `count` bounds the size of slices.
void ValidateTopology(const api::ObjectMeta& metadata, const std::string& template_path,
                      int32_t count, const JobRules& rules, api::ProblemReport& report);

// Groups of pod sets: two each, one of them a single pod, with the same topology.
void ValidatePodSetGroups(const std::vector<JobPodSet>& pod_sets, api::ProblemReport& report);

// The annotations of partial admission of kinds that have it.
void ValidatePartialAdmission(const Integration& integration, const json::value& job,
                              const api::ObjectMeta& metadata, const JobRules& rules,
                              api::ProblemReport& report);
void ValidateSyncedCompletions(const json::value& job, const api::ObjectMeta& metadata,
                               api::ProblemReport& report);

// What kinds demand of their own fields when a queue is to manage them.
void ValidateKind(const Integration& integration, const json::value& job,
                  const api::ObjectMeta& metadata, const JobRules& rules,
                  api::ProblemReport& report);

// What a set that waits through groups of pods may not change: what its pods ask for; of a
// StatefulSet its size, but to and from 0; of a LeaderWorkerSet the size of its groups.
void ValidateServingChange(const Integration& integration, const json::value& old_set,
                           const json::value& set, api::ProblemReport& report);

// "metadata.annotations[key]" and the like, as texts of fields.
inline std::string LabelField(std::string_view key) {
  return "metadata.labels[" + std::string(key) + "]";
}
inline std::string AnnotationField(std::string_view key) {
  return "metadata.annotations[" + std::string(key) + "]";
}

}  // namespace berth::jobs
