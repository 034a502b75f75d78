#include <string>
#include <utility>

#include "jobs/managed.h"
#include "jobs/rules/job_rules_parts.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;

void CheckAmounts(const api::ResourceList& amounts, std::string_view field, ProblemReport& report) {
  const auto in = report.In(field);
  for (const auto& [resource, amount] : amounts) {
    if (amount.Sign() >= 0) continue;
    const auto at = report.AtKey(resource);
    report.Invalid("", std::string(resource) + " of " + amount.ToString() + " is negative",
                   "write 0 or more");
  }
}

void CheckAmountsOf(const api::ResourceRequirements& resources, ProblemReport& report) {
  const auto in = report.In("resources");
  CheckAmounts(resources.requests, "requests", report);
  CheckAmounts(resources.limits, "limits", report);
}

void CheckContainers(const std::vector<api::Container>& containers, std::string_view field,
                     ProblemReport& report) {
  for (size_t i = 0; i < containers.size(); ++i) {
    const auto in = report.In(field, i);
    CheckAmountsOf(containers[i].resources, report);
  }
}

void CheckPod(const api::PodSpec& pod, ProblemReport& report) {
  const auto in = report.In("spec");
  CheckContainers(pod.init_containers, "initContainers", report);
  CheckContainers(pod.containers, "containers", report);
  if (pod.resources) CheckAmountsOf(*pod.resources, report);
}

// The fields of a role in a SparkApplication have other names than those of a container.
void CheckSet(const Integration& integration, const JobPodSet& set, schema::Problems& problems) {
  const std::string& path = set.source_path.empty() ? set.template_path : set.source_path;
  const bool has_containers = integration.injects != kInjectsSparkFields;
  ProblemReport report;
  CheckPod(set.pod_set.template_.spec, report);
  for (schema::Problem& problem : std::move(report).Take()) {
    if (!path.empty()) problem.field = has_containers ? path + "." + problem.field : path;
    problems.push_back(std::move(problem));
  }
}

bool IsQueued(const api::ObjectMeta& metadata, const JobRules& rules) {
  return rules.manages_without_queue_name || !QueueNameOf(metadata).empty();
}

}  // namespace

schema::Problems NegativeRequests(const Integration& integration, const json::value& job,
                                  const JobRules& rules) {
  const auto metadata = MetadataOf(job);
  if (!metadata || !IsQueued(*metadata, rules) ||
      !rules.gates.IsOn(api::Gate::kWorkloadValidateResourcesAreNonNegative))
    return {};
  PodSetOptions options = rules.pod_sets;
  options.has_topology = false;  // reported by other rules
  const auto sets = PodSetsOf(integration, job, options);
  if (!sets) return {};
  schema::Problems problems;
  for (const JobPodSet& set : *sets) CheckSet(integration, set, problems);
  return problems;
}

}  // namespace berth::jobs
