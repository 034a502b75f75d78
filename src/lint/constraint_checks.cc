#include <optional>
#include <string>
#include <utility>

#include "api/batch/cron_job.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/rules/constraint_warnings.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "jobs/integration_set.h"
#include "jobs/rules/job_warnings.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

constexpr std::string_view kNoEffect = "no-effect";

void AddWarnings(const Entry& entry, const schema::Problems& problems, Report& report) {
  for (const schema::Problem& problem : problems)
    report.Add(entry, Severity::kWarning, kNoEffect, problem);
}

// Of metadata whose annotations are not read.
schema::Problems UnusedIn(const std::string& field, const api::ObjectMeta& metadata,
                          const std::string& why, const std::string& hint) {
  api::ProblemReport problems;
  const auto in = problems.In(field);
  WarnAboutUnusedConstraints(metadata, why, hint, problems);
  return std::move(problems).Take();
}

void CheckWorkloadTemplates(const Entry& entry, const api::Workload& workload, Report& report) {
  for (size_t i = 0; i < workload.spec.pod_sets.size(); ++i)
    AddWarnings(entry,
                UnusedIn(ElementField("spec.podSets", i) + ".template.metadata",
                         workload.spec.pod_sets[i].template_.metadata,
                         "pod sets of a Workload are not admitted individually",
                         "move it to metadata.annotations of the Workload"),
                report);
}

// The Jobs that a CronJob creates have the annotations of its jobTemplate.
void CheckCronJob(const Entry& entry, const json::value& tree, const api::FeatureGates& gates,
                  Report& report) {
  AddWarnings(entry,
              UnusedIn("metadata", entry.metadata(), "the Jobs of a CronJob do not inherit it",
                       "move it to spec.jobTemplate.metadata.annotations"),
              report);
  const json::value* job = json::FindAt(tree, "spec.jobTemplate");
  if (job == nullptr) return;
  schema::Problems problems =
      WarningsForJob(*jobs::IntegrationSet::BuiltIn().Find("batch/v1", "Job"), *job, gates);
  for (schema::Problem& problem : problems) problem.field = "spec.jobTemplate." + problem.field;
  AddWarnings(entry, problems, report);
}

// Where object and pods both count, they must not contradict each other.
void CheckAgreement(const Entry& entry, const jobs::PodMetadata& pods, Report& report) {
  for (const std::string_view key : {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation}) {
    const std::string* of_object = entry.metadata().annotations.Find(key);
    const std::string* of_pods = pods.metadata.annotations.Find(key);
    if (of_object == nullptr || of_pods == nullptr || *of_object == *of_pods) continue;
    report.Error(entry, "invalid",
                 {.field = pods.field + ".annotations[" + std::string(key) + "]",
                  .message = "is " + api::Quoted(*of_pods) + " on the pods and " +
                             api::Quoted(*of_object) + " on the " + entry.manifest->kind,
                  .hint = "write the same value in both, or remove one of the two"});
  }
}

void CheckJob(const Entry& entry, const jobs::Integration& integration, const json::value& tree,
              const api::FeatureGates& gates, Report& report) {
  AddWarnings(entry, WarningsForJob(integration, tree, gates), report);
  const bool is_queued_by_pods = integration.suspension != jobs::kSuspendedByFlag &&
                                 integration.suspension != jobs::kSuspendedByGate;
  if (!is_queued_by_pods) return;
  for (const jobs::PodMetadata& pods : jobs::TemplatesOf(integration, tree)) {
    api::ProblemReport values;
    const std::string path = pods.field.substr(0, pods.field.rfind('.'));
    const auto in = values.In(path);
    ValidateConstraintAnnotations(pods.metadata.annotations, values);
    for (const schema::Problem& problem : std::move(values).Take())
      report.Add(entry, Severity::kError, "not-supported", problem);
    CheckAgreement(entry, pods, report);
  }
}

void CheckEntry(const Entry& entry, const api::FeatureGates& gates, Report& report) {
  const auto* workload = entry.object ? entry.object->As<api::Workload>() : nullptr;
  if (workload != nullptr) return CheckWorkloadTemplates(entry, *workload, report);
  const auto tree = json::Parse(entry.manifest->source.json);
  if (!tree) return;
  if (entry.object && entry.object->As<api::CronJob>() != nullptr)
    return CheckCronJob(entry, *tree, gates, report);
  const jobs::Integration* integration =
      jobs::IntegrationSet::BuiltIn().Find(entry.manifest->api_version, entry.manifest->kind);
  if (integration != nullptr) return CheckJob(entry, *integration, *tree, gates, report);
  if (entry.manifest->known == nullptr) return;  // may be a job kind of an administrator's file
  AddWarnings(entry,
              UnusedIn("metadata", entry.metadata(), "a " + entry.manifest->kind + " is not queued",
                       "move it to the job"),
              report);
}

}  // namespace

void CheckConstraints(const Catalog& catalog, Report& report) {
  for (const Entry& entry : catalog.entries()) CheckEntry(entry, catalog.gates(), report);
}

}  // namespace berth::lint
