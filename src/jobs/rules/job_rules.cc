#include "jobs/rules/job_rules.h"

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/rules/admission_gate_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/pods/pod_group.h"
#include "jobs/rules/job_rules_parts.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;
using api::Quoted;

void CheckObjectName(const base::FlatMap<std::string>& map, std::string_view key,
                     const std::string& field, ProblemReport& report) {
  const std::string* name = map.Find(key);
  if (name == nullptr) return;
  for (const std::string& problem : api::Dns1123SubdomainProblems(*name)) {
    report.Invalid(field, Quoted(*name) + " " + problem, "write the name of an object");
    return;
  }
}

bool ReadsAnnotations(const JobRules& rules) {
  return rules.gates.IsOn(api::Gate::kWorkloadIdentifierAnnotations);
}

// The field with the name of the prebuilt Workload.
std::string PrebuiltField(const api::ObjectMeta& metadata, const JobRules& rules) {
  const std::string annotation = metadata.annotations.ValueOrEmpty(api::kPrebuiltWorkloadName);
  const bool is_annotation =
      !annotation.empty() && (ReadsAnnotations(rules) || annotation.size() > api::kMaxLabelLength);
  return is_annotation ? AnnotationField(api::kPrebuiltWorkloadName)
                       : LabelField(api::kPrebuiltWorkloadName);
}

void CheckPrebuilt(const Integration& integration, const api::ObjectMeta& metadata,
                   const JobRules& rules, ProblemReport& report) {
  const std::string field = PrebuiltField(metadata, rules);
  const bool is_annotation = field == AnnotationField(api::kPrebuiltWorkloadName);
  CheckObjectName(is_annotation ? metadata.annotations : metadata.labels,
                  api::kPrebuiltWorkloadName, field, report);
  if (integration.allows_prebuilt ||
      PrebuiltWorkloadName(metadata, ReadsAnnotations(rules)).empty())
    return;
  report.Forbidden(field, "a " + integration.kind + " cannot have a prebuilt Workload",
                   "remove it; the Workload is created for the job");
}

void CheckTimeLimit(const api::ObjectMeta& metadata, ProblemReport& report) {
  const std::string* text = metadata.labels.Find(api::kMaxExecTimeSecondsLabel);
  if (text == nullptr || MaximumExecutionTime(metadata)) return;
  report.Invalid(LabelField(api::kMaxExecTimeSecondsLabel),
                 Quoted(*text) + " is not a positive number of seconds",
                 "write a whole number such as \"3600\"");
}

void CheckElastic(const Integration& integration, const api::ObjectMeta& metadata,
                  const JobRules& rules, ProblemReport& report) {
  if (!IsElasticJob(metadata, rules) || integration.allows_elastic) return;
  report.Forbidden(AnnotationField(api::kElasticJobAnnotation),
                   "a " + integration.kind + " cannot be elastic", "remove it");
}

bool IsServingKind(const Integration& integration) {
  return integration.suspension != kSuspendedByFlag && integration.suspension != kSuspendedByGate;
}

void CheckConstraints(const Integration& integration, const json::value& job,
                      const api::ObjectMeta& metadata, ProblemReport& report) {
  api::ValidateConstraintAnnotations(metadata.annotations, report);
  if (IsServingKind(integration)) ValidateServingConstraints(integration, job, metadata, report);
}

void CheckAlways(const Integration& integration, const json::value& job,
                 const api::ObjectMeta& metadata, const JobRules& rules, ProblemReport& report) {
  CheckObjectName(metadata.labels, api::kQueueNameLabel, LabelField(api::kQueueNameLabel), report);
  if (integration.suspension == kSuspendedByFlag || integration.suspension == kSuspendedByGate) {
    CheckPrebuilt(integration, metadata, rules, report);
    CheckTimeLimit(metadata, report);
  }
  CheckElastic(integration, metadata, rules, report);
  if (rules.gates.IsOn(api::Gate::kWorkloadAdmissionConstraints))
    CheckConstraints(integration, job, metadata, report);
  if (rules.gates.IsOn(api::Gate::kTopologyAwareScheduling))
    ValidateTopology(integration, job, rules, report);
  ValidateKind(integration, job, metadata, rules, report);
}

// --- Changes -----------------------------------------------------------------------------------

struct Change {
  const Integration& integration;
  const json::value& old_job;
  const json::value& job;
  api::ObjectMeta before;
  api::ObjectMeta after;
  const JobRules& rules;

  // Serving kinds count as suspended until a replica is ready.
  bool WasSuspended() const { return IsSuspended(integration, old_job); }
  bool IsNowSuspended() const {
    return integration.suspension == kSuspendedByFlag || integration.suspension == kSuspendedByGate
               ? IsSuspended(integration, job)
               : WasSuspended();
  }
};

void CheckQueueChange(const Change& change, ProblemReport& report) {
  const std::string_view before = QueueNameOf(change.before);
  const std::string_view after = QueueNameOf(change.after);
  const std::string field = LabelField(api::kQueueNameLabel);
  const bool uses_scheduling_gates = change.integration.suspension != kSuspendedByFlag &&
                                     change.integration.suspension != kSuspendedByGate;
  const bool is_bound = !change.IsNowSuspended() || (uses_scheduling_gates && after.empty());
  if (is_bound && before != after) {
    report.Invalid(
        field,
        "cannot change from " + Quoted(before) + " to " + Quoted(after) + " while the job runs",
        "suspend the job first, or restore the old value");
  }
  if (after.empty() && !before.empty() && change.rules.has_default_queue &&
      !uses_scheduling_gates) {
    report.Invalid(field, "cannot be removed where there is a LocalQueue \"default\"",
                   "write another queue");
  }
}

void CheckPrebuiltChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() || IsElasticJob(change.before, change.rules)) return;
  const bool reads = ReadsAnnotations(change.rules);
  if (PrebuiltWorkloadName(change.before, reads) == PrebuiltWorkloadName(change.after, reads))
    return;
  report.Invalid(PrebuiltField(change.after, change.rules), "cannot change while the job runs",
                 "suspend the job first, or restore the old value");
}

void CheckTimeLimitChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() && change.WasSuspended()) return;
  const auto limit = [](const api::ObjectMeta& metadata) {
    return metadata.labels.ValueOrEmpty(api::kMaxExecTimeSecondsLabel);
  };
  if (limit(change.before) == limit(change.after)) return;
  report.Invalid(LabelField(api::kMaxExecTimeSecondsLabel), "cannot change while the job runs",
                 "suspend the job first, or restore the old value");
}

void CheckPriorityChange(const Change& change, ProblemReport& report) {
  const bool was_set = !WorkloadPriorityClassOf(change.before).empty();
  const bool is_set = !WorkloadPriorityClassOf(change.after).empty();
  const std::string field = LabelField(api::kPriorityClassLabel);
  if (!was_set && is_set && !change.IsNowSuspended()) {
    report.Invalid(field, "cannot be added while the job runs", "suspend the job first");
  } else if (was_set && !is_set) {
    report.Invalid(field, "cannot be removed", "name another class");
  }
}

void CheckElasticChange(const Change& change, ProblemReport& report) {
  // The pods of a RayJob are those of its cluster.
  if (change.integration.allows_elastic && IsElasticJob(change.after, change.rules) &&
      change.integration.derives != kDerivesRayJob)
    ValidateElasticGates(change.integration, change.old_job, change.job, report);
  if (IsElasticJob(change.before, change.rules) == IsElasticJob(change.after, change.rules)) return;
  report.Invalid(AnnotationField(api::kElasticJobAnnotation), "cannot change",
                 "create the job again");
}

// After partial admission the count belongs to the controller.
void CheckPartialChange(const Change& change, ProblemReport& report) {
  if (!change.before.annotations.Contains(api::kMinParallelismAnnotation)) return;
  const bool ran = !json::IsSetAt(change.old_job, change.integration.suspend);
  const auto count = [](const json::value& job) {
    return json::IntAt(job, "spec.parallelism").value_or(1);
  };
  if (ran && count(change.old_job) != count(change.job)) {
    report.Forbidden("spec.parallelism", "cannot change while a job with partial admission runs",
                     "suspend the job first, or restore the old value");
  }
}

bool SyncsCompletions(const api::ObjectMeta& metadata) {
  return metadata.annotations.ValueOrEmpty(api::kCompletionsEqualParallelismAnnotation) == "true";
}

void CheckSyncChange(const Change& change, ProblemReport& report) {
  if (change.WasSuspended() || change.IsNowSuspended()) return;
  if (SyncsCompletions(change.before) == SyncsCompletions(change.after)) return;
  report.Forbidden(AnnotationField(api::kCompletionsEqualParallelismAnnotation),
                   "cannot change while the job runs", "suspend the job first");
}

// Constraints are fixed once the job starts.
void CheckConstraintsChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() || !change.rules.gates.IsOn(api::Gate::kWorkloadAdmissionConstraints))
    return;
  for (const std::string_view key : {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation}) {
    const auto is_asked = [&](const api::ObjectMeta& metadata) {
      return metadata.annotations.ValueOrEmpty(key) == "true";
    };
    if (is_asked(change.before) == is_asked(change.after)) continue;
    report.Invalid(AnnotationField(key), "cannot change while the job runs",
                   "suspend the job first, or restore the old value");
  }
}

void CheckChange(const Change& change, ProblemReport& report) {
  const bool has_framework_rules = change.integration.suspension == kSuspendedByFlag ||
                                   change.integration.suspension == kSuspendedByGate;
  CheckQueueChange(change, report);
  CheckPriorityChange(change, report);
  CheckConstraintsChange(change, report);
  if (has_framework_rules) {
    CheckPrebuiltChange(change, report);
    CheckTimeLimitChange(change, report);
    CheckElasticChange(change, report);
  }
  if (change.integration.suspension == kSuspendedByGate)
    ValidatePodGroupChange(change.before, change.after, change.rules, report);
  if (change.integration.suspension == kSuspendedAsGroup ||
      change.integration.suspension == kSuspendedAsGroups)
    ValidateServingChange(change.integration, change.old_job, change.job, change.rules, report);
  if (change.rules.gates.IsOn(api::Gate::kAdmissionGatedBy)) {
    api::ValidateAdmissionGatesUpdate(change.after.annotations, change.before.annotations, report);
  }
  const bool has_partial = !change.integration.pod_sets.empty() &&
                           !change.integration.pod_sets.front().min_count.empty();
  if (!has_partial) return;
  CheckPartialChange(change, report);
  CheckSyncChange(change, report);
}

schema::Problems Unreadable(const base::Error& error) {
  return {{.type = schema::ProblemType::kInvalid,
           .field = "metadata",
           .message = error.message,
           .hint = error.hint,
           .place = {}}};
}

// Updates of Ray jobs and SparkApplications without a queue name are not validated. An update that
// removes the queue name is, with its gate: the job would run on without quota.
bool IsFreeOfUpdateRules(const Integration& integration, const api::ObjectMeta* before,
                         const api::ObjectMeta& after, const JobRules& rules) {
  const bool is_ray_or_spark = integration.derives == kDerivesRayJob ||
                               integration.derives == kDerivesRayCluster ||
                               integration.derives == kDerivesSpark;
  if (!is_ray_or_spark || rules.manages_without_queue_name || !QueueNameOf(after).empty())
    return false;
  const bool was_queued = before != nullptr && !QueueNameOf(*before).empty();
  return !was_queued || !rules.gates.IsOn(api::Gate::kValidateRayAndSparkJobUpdates);
}

bool SamePartial(const api::ObjectMeta& a, const api::ObjectMeta& b) {
  return a.annotations.ValueOrEmpty(api::kMinParallelismAnnotation) ==
         b.annotations.ValueOrEmpty(api::kMinParallelismAnnotation);
}

}  // namespace

bool IsElasticJob(const api::ObjectMeta& metadata, const JobRules& rules) {
  return rules.gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices) &&
         metadata.annotations.ValueOrEmpty(api::kElasticJobAnnotation) == "true";
}

namespace {

void AddProblems(schema::Problems more, ProblemReport& report) {
  for (schema::Problem& problem : more)
    report.Add(problem.type, problem.field, std::move(problem.message), std::move(problem.hint));
}

}  // namespace

schema::Problems ValidateJobCreate(const Integration& integration, const json::value& job,
                                   const JobRules& rules) {
  const auto metadata = MetadataOf(job);
  if (!metadata) return Unreadable(metadata.error());
  ProblemReport report;
  CheckAlways(integration, job, *metadata, rules, report);
  ValidatePartialAdmission(integration, job, *metadata, rules, report);
  AddProblems(NegativeRequests(integration, job, rules), report);
  if (rules.gates.IsOn(api::Gate::kAdmissionGatedBy))
    api::ValidateAdmissionGates(metadata->annotations, report);
  return std::move(report).Take();
}

schema::Problems ValidateJobUpdate(const Integration& integration, const json::value& old_job,
                                   const json::value& job, const JobRules& rules) {
  auto before = MetadataOf(old_job);
  auto after = MetadataOf(job);
  if (!after) return Unreadable(after.error());
  if (IsFreeOfUpdateRules(integration, before ? &*before : nullptr, *after, rules)) return {};
  ProblemReport report;
  CheckAlways(integration, job, *after, rules, report);
  schema::Problems negative = NegativeRequests(integration, job, rules);
  if (!negative.empty() && negative != NegativeRequests(integration, old_job, rules))
    AddProblems(std::move(negative), report);
  const Change change{.integration = integration,
                      .old_job = old_job,
                      .job = job,
                      .before = std::move(before).value_or(api::ObjectMeta()),
                      .after = *after,
                      .rules = rules};
  // A stored minimum may exceed a count that was lowered later.
  if (!SamePartial(change.before, change.after))
    ValidatePartialAdmission(integration, job, *after, rules, report);
  CheckChange(change, report);
  return std::move(report).Take();
}

}  // namespace berth::jobs
