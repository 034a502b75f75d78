#include "jobs/rules/job_warnings.h"

#include <algorithm>
#include <utility>

#include "api/kueue/rules/constraint_warnings.h"
#include "api/meta/problem_report.h"
#include "jobs/pods/pod_sets.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

void WarnAboutOwn(const api::ObjectMeta& metadata, const std::string& field,
                  const api::FeatureGates& gates, api::ProblemReport& report) {
  const auto in = report.In(field);
  api::WarnAboutConstraintKeys(metadata, report);
  if (gates.IsOn(api::Gate::kWorkloadAdmissionConstraints)) return;
  api::WarnAboutUnusedConstraints(metadata, "its feature gate is off",
                                  "turn on the feature gate WorkloadAdmissionConstraints", report);
}

void WarnAboutPodsOf(const Integration& integration, const PodMetadata& pods,
                     api::ProblemReport& report) {
  const auto in = report.In(pods.field);
  api::WarnAboutConstraintKeys(pods.metadata, report);
  api::WarnAboutUnusedConstraints(
      pods.metadata, "pods of a " + integration.kind + " are not admitted individually",
      "move it to metadata.annotations of the " + integration.kind, report);
}

}  // namespace

std::vector<PodMetadata> TemplatesOf(const Integration& integration, const json::value& job) {
  std::vector<PodMetadata> templates;
  PodSetOptions options;
  options.has_topology = false;  // its annotations are validated elsewhere
  const auto sets = PodSetsOf(integration, job, options);
  if (!sets) return templates;
  for (const JobPodSet& set : *sets) {
    const std::string field = set.template_path + ".metadata";
    const json::value* at =
        set.template_path.empty() ? nullptr : json::FindAt(job, set.template_path);
    if (at == nullptr ||
        std::ranges::find(templates, field, &PodMetadata::field) != templates.end())
      continue;
    if (auto metadata = MetadataOf(*at))
      templates.push_back({.field = field, .metadata = *std::move(metadata)});
  }
  return templates;
}

schema::Problems WarningsForJob(const Integration& integration, const json::value& job,
                                const api::FeatureGates& gates) {
  api::ProblemReport report;
  const auto metadata = MetadataOf(job);
  if (!metadata) return {};
  WarnAboutOwn(*metadata, "metadata", gates, report);
  for (const PodMetadata& pods : TemplatesOf(integration, job)) {
    if (integration.suspension == kSuspendedByFlag) {
      WarnAboutPodsOf(integration, pods, report);
    } else {
      WarnAboutOwn(pods.metadata, pods.field, gates, report);
    }
  }
  return std::move(report).Take();
}

}  // namespace berth::jobs
