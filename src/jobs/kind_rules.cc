// What single kinds demand of their own fields: partial admission of Jobs, Ray, Spark, pod groups.

#include <algorithm>

#include "api/job.h"
#include "api/names.h"
#include "api/well_known.h"
#include "base/text.h"
#include "jobs/job_rules.h"
#include "jobs/job_rules_parts.h"
#include "jobs/managed.h"
#include "jobs/pod_group.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;
using api::Quoted;

constexpr size_t kMostPodSets = 8;

void CheckRayCluster(const Integration& integration, const json::value& job, bool is_elastic,
                     ProblemReport& report) {
  const json::value* cluster = FindAt(job, integration.ray_cluster);
  if (cluster == nullptr) return;
  const std::string& path = integration.ray_cluster;
  if (IsSetAt(*cluster, "enableInTreeAutoscaling") && !is_elastic) {
    report.Invalid(path + ".enableInTreeAutoscaling",
                   "a queue cannot follow an autoscaler unless the job is elastic",
                   "set it to false, or annotate the job with " +
                       std::string(api::kElasticJobAnnotation) + ": \"true\"");
  }
  const json::value* groups = FindAt(*cluster, "workerGroupSpecs");
  if (groups == nullptr || !groups->is_array()) return;
  const json::array& list = groups->get_array();
  if (list.size() + 1 > kMostPodSets) {
    report.Add(schema::ProblemType::kTooMany, path + ".workerGroupSpecs",
               "there are " + std::to_string(list.size()) + " groups of workers",
               "a Workload has at most 8 pod sets, the head being one");
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (TextAt(list[i], "groupName") != "head") continue;
    report.Forbidden(path + ".workerGroupSpecs[" + std::to_string(i) + "].groupName",
                     "\"head\" is the name of the head's pod set", "choose another name");
  }
}

// Whether the rest of a RayJob is worth looking at.
bool CheckRayJobCluster(const json::value& job, ProblemReport& report) {
  const bool has_selector = IsSetAt(job, "spec.clusterSelector");
  const bool has_cluster = FindAt(job, "spec.rayClusterSpec") != nullptr;
  if (has_selector && has_cluster) {
    report.Invalid("spec.clusterSelector", "cannot stand beside rayClusterSpec",
                   "remove one of the two");
  } else if (!has_selector && !has_cluster) {
    report.Required("spec.rayClusterSpec", "says what pods the job has",
                    "write it, or name a cluster that is there with clusterSelector");
  }
  return has_cluster && !has_selector;
}

void CheckRayJob(const Integration& integration, const json::value& job, bool is_elastic,
                 ProblemReport& report) {
  if (!CheckRayJobCluster(job, report)) return;
  if (!IsSetAt(job, "spec.shutdownAfterJobFinishes")) {
    report.Invalid("spec.shutdownAfterJobFinishes",
                   "a cluster that stays would keep its quota for nothing", "set it to true");
  }
  CheckRayCluster(integration, job, is_elastic, report);
}

void CheckSpark(const json::value& job, bool is_elastic, ProblemReport& report) {
  if (TextAt(job, "spec.mode") != "cluster")
    report.Invalid("spec.mode", "only the mode \"cluster\" can be queued", "write cluster");
  if (IsSetAt(job, "spec.dynamicAllocation.enabled") && !is_elastic) {
    report.Invalid("spec.dynamicAllocation.enabled",
                   "a queue cannot follow executors that come and go", "set it to false");
  }
}

}  // namespace

void ValidatePartialAdmission(const Integration& integration, const json::value& job,
                              const api::ObjectMeta& metadata, const JobRules& rules,
                              ProblemReport& report) {
  if (integration.pod_sets.empty() || integration.pod_sets.front().min_count.empty()) return;
  const std::string* text = metadata.annotations.Find(api::kMinParallelismAnnotation);
  if (text == nullptr) return;
  const std::string field = AnnotationField(api::kMinParallelismAnnotation);
  const int32_t count = CountOf(integration.pod_sets.front().count, job);
  const auto least = IntOf(*text);
  if (!least || *least <= 0 || *least >= count) {
    report.Invalid(
        field, Quoted(*text) + " is not between 1 and " + std::to_string(count - 1),
        "write a number below the " + std::to_string(count) + " pods that the job has at most");
  }
  if (IsElasticJob(metadata, rules))
    report.Invalid(field, "an elastic job cannot have a least number of pods", "remove one");
}

void ValidateSyncedCompletions(const json::value& job, const api::ObjectMeta& metadata,
                               ProblemReport& report) {
  const std::string* text = metadata.annotations.Find(api::kCompletionsEqualParallelismAnnotation);
  if (text == nullptr) return;
  const std::string field = AnnotationField(api::kCompletionsEqualParallelismAnnotation);
  const auto is_on = base::ParseBool(*text);
  if (!is_on) {
    report.Invalid(field, Quoted(*text) + " is neither true nor false", "write \"true\"");
  } else if (*is_on) {
    if (TextAt(job, "spec.completionMode") != api::kIndexed)
      report.Invalid(field, "needs completionMode Indexed", "set it, or remove the annotation");
    if (IntAt(job, "spec.parallelism").value_or(1) != IntAt(job, "spec.completions").value_or(1))
      report.Invalid("spec.completions", "must equal parallelism",
                     "write the same number, or remove the annotation " +
                         std::string(api::kCompletionsEqualParallelismAnnotation));
  }
}

void ValidateKind(const Integration& integration, const json::value& job,
                  const api::ObjectMeta& metadata, const JobRules& rules, ProblemReport& report) {
  if (integration.waits == kWaitsAsPods) return ValidatePodGroupMember(metadata, rules, report);
  if (integration.framework == "batch/job") ValidateSyncedCompletions(job, metadata, report);
  if (QueueNameOf(metadata).empty()) return;
  const bool is_elastic = IsElasticJob(metadata, rules);
  if (integration.derives == kDerivesRayJob) CheckRayJob(integration, job, is_elastic, report);
  if (integration.derives == kDerivesRayCluster)
    CheckRayCluster(integration, job, is_elastic, report);
  if (integration.derives == kDerivesSpark) CheckSpark(job, is_elastic, report);
}

}  // namespace berth::jobs
