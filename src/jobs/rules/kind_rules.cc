// Kind-specific validation: partial admission of Jobs, Ray, Spark, pod groups.

#include <algorithm>

#include "api/batch/job.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "base/text.h"
#include "jobs/managed.h"
#include "jobs/pods/pod_group.h"
#include "jobs/rules/job_rules.h"
#include "jobs/rules/job_rules_parts.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;
using api::Quoted;

void CheckRayCluster(const Integration& integration, const json::value& job, bool is_elastic,
                     ProblemReport& report) {
  const json::value* cluster = json::FindAt(job, integration.ray_cluster);
  if (cluster == nullptr) return;
  const std::string& path = integration.ray_cluster;
  if (json::IsSetAt(*cluster, "enableInTreeAutoscaling") && !is_elastic) {
    report.Invalid(path + ".enableInTreeAutoscaling", "autoscaling requires an elastic job",
                   "set it to false, or annotate the job with " +
                       std::string(api::kElasticJobAnnotation) + ": \"true\"");
  }
  const json::value* groups = json::FindAt(*cluster, "workerGroupSpecs");
  if (groups == nullptr || !groups->is_array()) return;
  const json::array& list = groups->get_array();
  if (list.size() + 1 > kMaxPodSets) {
    report.Add(
        schema::ProblemType::kTooMany, path + ".workerGroupSpecs",
        "there are " + std::to_string(list.size()) + " groups of workers",
        "a Workload has at most " + std::to_string(kMaxPodSets) + " pod sets, including the head");
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (json::TextAt(list[i], "groupName") != "head") continue;
    report.Forbidden(path + ".workerGroupSpecs[" + std::to_string(i) + "].groupName",
                     "\"head\" is the name of the head's pod set", "choose another name");
  }
}

// Returns whether the remaining fields of the RayJob should be validated.
bool CheckRayJobCluster(const json::value& job, ProblemReport& report) {
  const bool has_selector = json::IsSetAt(job, "spec.clusterSelector");
  const bool has_cluster = json::FindAt(job, "spec.rayClusterSpec") != nullptr;
  if (has_selector && has_cluster) {
    report.Invalid("spec.clusterSelector", "must not be combined with rayClusterSpec",
                   "remove one of the two");
  } else if (!has_selector && !has_cluster) {
    report.Required("spec.rayClusterSpec", "must be set",
                    "write it, or select an existing cluster with clusterSelector");
  }
  return has_cluster && !has_selector;
}

void CheckRayJob(const Integration& integration, const json::value& job, bool is_elastic,
                 ProblemReport& report) {
  if (!CheckRayJobCluster(job, report)) return;
  if (!json::IsSetAt(job, "spec.shutdownAfterJobFinishes")) {
    report.Invalid("spec.shutdownAfterJobFinishes",
                   "must be true for queued jobs: a remaining cluster keeps its quota",
                   "set it to true");
  }
  CheckRayCluster(integration, job, is_elastic, report);
}

void CheckSpark(const json::value& job, bool is_elastic, ProblemReport& report) {
  if (json::TextAt(job, "spec.mode") != "cluster")
    report.Invalid("spec.mode", "only the mode \"cluster\" can be queued", "write cluster");
  if (json::IsSetAt(job, "spec.dynamicAllocation.enabled") && !is_elastic) {
    report.Invalid("spec.dynamicAllocation.enabled",
                   "dynamic allocation is not supported for queued applications",
                   "set it to false");
  }
}

// The paths of the gates of templates that lack the one of elastic jobs.
std::vector<std::string> UngatedTemplates(const Integration& integration, const json::value& job) {
  std::vector<std::string> paths;
  const auto sets = PodSetsOf(integration, job, {.has_topology = false});
  if (!sets) return paths;
  for (const JobPodSet& set : *sets) {
    if (set.template_path.empty()) continue;
    const std::string path = set.template_path + ".spec.schedulingGates";
    const json::value* gates = json::FindAt(job, path);
    const bool is_gated = gates != nullptr && gates->is_array() &&
                          std::ranges::any_of(gates->get_array(), [](const json::value& gate) {
                            return json::TextAt(gate, "name") == api::kElasticJobSchedulingGate;
                          });
    if (!is_gated) paths.push_back(path);
  }
  return paths;
}

}  // namespace

void ValidateElasticGates(const Integration& integration, const json::value& old_job,
                          const json::value& job, ProblemReport& report) {
  if (!UngatedTemplates(integration, old_job).empty()) return;  // it never had them
  for (const std::string& path : UngatedTemplates(integration, job))
    report.Invalid(
        path, "pods of an elastic job need the gate " + std::string(api::kElasticJobSchedulingGate),
        "add it");
}

void ValidatePartialAdmission(const Integration& integration, const json::value& job,
                              const api::ObjectMeta& metadata, const JobRules& rules,
                              ProblemReport& report) {
  if (integration.pod_sets.empty() || integration.pod_sets.front().min_count.empty()) return;
  const std::string* text = metadata.annotations.Find(api::kMinParallelismAnnotation);
  if (text == nullptr) return;
  const std::string field = AnnotationField(api::kMinParallelismAnnotation);
  const int32_t count = CountOf(integration.pod_sets.front().count, job);
  const auto least = json::IntOf(*text);
  if (!least || *least <= 0 || *least >= count) {
    report.Invalid(
        field, Quoted(*text) + " is not between 1 and " + std::to_string(count - 1),
        "write a number below the " + std::to_string(count) + " pods that the job has at most");
  }
  if (IsElasticJob(metadata, rules))
    report.Invalid(field, "partial admission (min parallelism) is not supported for elastic jobs",
                   "remove one of the two annotations");
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
    if (json::TextAt(job, "spec.completionMode") != api::kIndexed)
      report.Invalid(field, "needs completionMode Indexed", "set it, or remove the annotation");
    if (json::IntAt(job, "spec.parallelism").value_or(1) !=
        json::IntAt(job, "spec.completions").value_or(1))
      report.Invalid("spec.completions", "must equal parallelism",
                     "write the same number, or remove the annotation " +
                         std::string(api::kCompletionsEqualParallelismAnnotation));
  }
}

void ValidateKind(const Integration& integration, const json::value& job,
                  const api::ObjectMeta& metadata, const JobRules& rules, ProblemReport& report) {
  if (integration.suspension == kSuspendedByGate)
    return ValidatePodGroupMember(metadata, rules, report);
  if (integration.framework == "batch/job") ValidateSyncedCompletions(job, metadata, report);
  if (QueueNameOf(metadata).empty()) return;
  const bool is_elastic = IsElasticJob(metadata, rules);
  if (integration.derives == kDerivesRayJob) CheckRayJob(integration, job, is_elastic, report);
  if (integration.derives == kDerivesRayCluster)
    CheckRayCluster(integration, job, is_elastic, report);
  if (integration.derives == kDerivesSpark) CheckSpark(job, is_elastic, report);
}

}  // namespace berth::jobs
