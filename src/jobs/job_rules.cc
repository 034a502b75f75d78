#include "jobs/job_rules.h"

#include "api/admission_constraint_rules.h"
#include "api/admission_gate_rules.h"
#include "api/names.h"
#include "api/well_known.h"
#include "jobs/job_rules_parts.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/pod_group.h"
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

// Where the job names its prebuilt Workload.
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
                   "remove it; the Workload is made for the job");
}

void CheckTimeLimit(const api::ObjectMeta& metadata, ProblemReport& report) {
  const std::string* text = metadata.labels.Find(api::kMaxExecTimeSecondsLabel);
  if (text == nullptr || MaximumExecutionTime(metadata)) return;
  report.Invalid(LabelField(api::kMaxExecTimeSecondsLabel),
                 Quoted(*text) + " is no number of seconds above 0",
                 "write a whole number such as \"3600\"");
}

void CheckElastic(const Integration& integration, const api::ObjectMeta& metadata,
                  const JobRules& rules, ProblemReport& report) {
  if (!IsElasticJob(metadata, rules) || integration.allows_elastic) return;
  report.Forbidden(AnnotationField(api::kElasticJobAnnotation),
                   "a " + integration.kind + " cannot be elastic", "remove it");
}

// Of kinds whose sets show no metadata, such as pods, it stands in the object nevertheless.
api::ObjectMeta TemplateMetadata(const Integration& integration, const json::value& job,
                                 const JobPodSet& set) {
  const bool is_shown = set.rule == nullptr || set.rule->has_metadata;
  if (is_shown) return set.pod_set.template_.metadata;
  const bool is_pod = integration.waits == kWaitsAsPods;
  const json::value* at = is_pod ? &job : FindAt(job, set.template_path);
  return at == nullptr ? api::ObjectMeta() : MetadataOf(*at).value_or(api::ObjectMeta());
}

void CheckTopology(const Integration& integration, const json::value& job, const JobRules& rules,
                   ProblemReport& report) {
  if (!rules.gates.IsOn(api::Gate::kTopologyAwareScheduling)) return;
  // What is wrong with the annotations themselves is reported here; so they are not read yet.
  PodSetOptions options = rules.pod_sets;
  options.has_topology = false;
  const auto sets = PodSetsOf(integration, job, options);
  if (!sets) return;
  ProblemReport own;
  for (const JobPodSet& set : *sets) {
    ValidateTopology(TemplateMetadata(integration, job, set), set.template_path,
                     set.pod_set.count.value_or(1), rules, own);
  }
  schema::Problems problems = std::move(own).Take();
  if (problems.empty()) {
    const auto with_requests = PodSetsOf(integration, job, rules.pod_sets);
    if (with_requests) ValidatePodSetGroups(*with_requests, report);
  }
  for (schema::Problem& problem : problems) {
    report.Add(problem.type, problem.field, std::move(problem.message), std::move(problem.hint));
  }
}

void CheckAlways(const Integration& integration, const json::value& job,
                 const api::ObjectMeta& metadata, const JobRules& rules, ProblemReport& report) {
  CheckObjectName(metadata.labels, api::kQueueNameLabel, LabelField(api::kQueueNameLabel), report);
  if (integration.waits == kWaitsSuspended || integration.waits == kWaitsAsPods) {
    CheckPrebuilt(integration, metadata, rules, report);
    CheckTimeLimit(metadata, report);
  }
  CheckElastic(integration, metadata, rules, report);
  if (rules.gates.IsOn(api::Gate::kWorkloadAdmissionConstraints))
    api::ValidateConstraintAnnotations(metadata.annotations, report);
  CheckTopology(integration, job, rules, report);
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

  // Deployments and their like count as suspended until a replica is ready.
  bool WasSuspended() const { return IsSuspended(integration, old_job); }
  bool IsNowSuspended() const {
    return integration.waits == kWaitsSuspended || integration.waits == kWaitsAsPods
               ? IsSuspended(integration, job)
               : WasSuspended();
  }
};

void CheckQueueChange(const Change& change, ProblemReport& report) {
  const std::string_view before = QueueNameOf(change.before);
  const std::string_view after = QueueNameOf(change.after);
  const std::string field = LabelField(api::kQueueNameLabel);
  const bool waits_through_pods =
      change.integration.waits != kWaitsSuspended && change.integration.waits != kWaitsAsPods;
  const bool is_bound = !change.IsNowSuspended() || (waits_through_pods && after.empty());
  if (is_bound && before != after) {
    report.Invalid(
        field,
        "cannot change from " + Quoted(before) + " to " + Quoted(after) + " while the job runs",
        "suspend the job first, or leave it as it was");
  }
  if (after.empty() && !before.empty() && change.rules.has_default_queue && !waits_through_pods) {
    report.Invalid(field, "cannot be removed where there is a LocalQueue \"default\"",
                   "name another queue");
  }
}

void CheckPrebuiltChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() || IsElasticJob(change.before, change.rules)) return;
  const bool reads = ReadsAnnotations(change.rules);
  if (PrebuiltWorkloadName(change.before, reads) == PrebuiltWorkloadName(change.after, reads))
    return;
  report.Invalid(PrebuiltField(change.after, change.rules), "cannot change while the job runs",
                 "suspend the job first, or leave it as it was");
}

void CheckTimeLimitChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() && change.WasSuspended()) return;
  const auto limit = [](const api::ObjectMeta& metadata) {
    return metadata.labels.ValueOrEmpty(api::kMaxExecTimeSecondsLabel);
  };
  if (limit(change.before) == limit(change.after)) return;
  report.Invalid(LabelField(api::kMaxExecTimeSecondsLabel), "cannot change while the job runs",
                 "suspend the job first, or leave it as it was");
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
  if (IsElasticJob(change.before, change.rules) == IsElasticJob(change.after, change.rules)) return;
  report.Invalid(AnnotationField(api::kElasticJobAnnotation), "cannot change",
                 "create the job again");
}

// Fewer pods than asked for were admitted: that number is the queue's.
void CheckPartialChange(const Change& change, ProblemReport& report) {
  if (!change.before.annotations.Contains(api::kMinParallelismAnnotation)) return;
  const bool ran = !IsSetAt(change.old_job, change.integration.suspend);
  const auto count = [](const json::value& job) {
    return IntAt(job, "spec.parallelism").value_or(1);
  };
  if (ran && count(change.old_job) != count(change.job)) {
    report.Forbidden("spec.parallelism", "cannot change while a job with partial admission runs",
                     "suspend the job first, or leave it as it was");
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

// Decided upon while the job waited.
void CheckConstraintsChange(const Change& change, ProblemReport& report) {
  if (change.IsNowSuspended() || !change.rules.gates.IsOn(api::Gate::kWorkloadAdmissionConstraints))
    return;
  for (const std::string_view key : {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation}) {
    const auto is_asked = [&](const api::ObjectMeta& metadata) {
      return metadata.annotations.ValueOrEmpty(key) == "true";
    };
    if (is_asked(change.before) == is_asked(change.after)) continue;
    report.Invalid(AnnotationField(key), "cannot change while the job runs",
                   "suspend the job first, or leave it as it was");
  }
}

void CheckChange(const Change& change, ProblemReport& report) {
  const bool has_framework_rules =
      change.integration.waits == kWaitsSuspended || change.integration.waits == kWaitsAsPods;
  CheckQueueChange(change, report);
  CheckPriorityChange(change, report);
  CheckConstraintsChange(change, report);
  if (has_framework_rules) {
    CheckPrebuiltChange(change, report);
    CheckTimeLimitChange(change, report);
    CheckElasticChange(change, report);
  }
  if (change.integration.waits == kWaitsAsPods)
    ValidatePodGroupChange(change.before, change.after, change.rules, report);
  if (change.integration.waits == kWaitsAsGroup || change.integration.waits == kWaitsAsGroups)
    ValidateServingChange(change.integration, change.old_job, change.job, report);
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

bool SamePartial(const api::ObjectMeta& a, const api::ObjectMeta& b) {
  return a.annotations.ValueOrEmpty(api::kMinParallelismAnnotation) ==
         b.annotations.ValueOrEmpty(api::kMinParallelismAnnotation);
}

}  // namespace

bool IsElasticJob(const api::ObjectMeta& metadata, const JobRules& rules) {
  return rules.gates.IsOn(api::Gate::kElasticJobsViaWorkloadSlices) &&
         metadata.annotations.ValueOrEmpty(api::kElasticJobAnnotation) == "true";
}

schema::Problems ValidateJobCreate(const Integration& integration, const json::value& job,
                                   const JobRules& rules) {
  const auto metadata = MetadataOf(job);
  if (!metadata) return Unreadable(metadata.error());
  ProblemReport report;
  CheckAlways(integration, job, *metadata, rules, report);
  ValidatePartialAdmission(integration, job, *metadata, rules, report);
  if (rules.gates.IsOn(api::Gate::kAdmissionGatedBy))
    api::ValidateAdmissionGates(metadata->annotations, report);
  return std::move(report).Take();
}

schema::Problems ValidateJobUpdate(const Integration& integration, const json::value& old_job,
                                   const json::value& job, const JobRules& rules) {
  auto before = MetadataOf(old_job);
  auto after = MetadataOf(job);
  if (!after) return Unreadable(after.error());
  ProblemReport report;
  CheckAlways(integration, job, *after, rules, report);
  const Change change{.integration = integration,
                      .old_job = old_job,
                      .job = job,
                      .before = std::move(before).value_or(api::ObjectMeta()),
                      .after = *after,
                      .rules = rules};
  // A minimum that was fine once may stand above a count that was lowered since.
  if (!SamePartial(change.before, change.after))
    ValidatePartialAdmission(integration, job, *after, rules, report);
  CheckChange(change, report);
  return std::move(report).Take();
}

}  // namespace berth::jobs
