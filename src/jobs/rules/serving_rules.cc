#include <set>

#include "api/core/pod_spec.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/pods/pod_group.h"
#include "jobs/rules/job_rules_parts.h"
#include "schema/decode.h"

// Validates updates of StatefulSets and LeaderWorkerSets.
namespace berth::jobs {
namespace {

constexpr std::string_view kReplicas = "spec.replicas";
constexpr std::string_view kGroupSize = "spec.leaderWorkerTemplate.size";

// Whether the webhook has marked the templates.
bool HasMarkedTemplates(const Integration& integration, const json::value& set) {
  for (const PodSetRule& rule : integration.pod_sets) {
    const json::value* pods = json::FindAt(set, rule.template_);
    if (pods != nullptr &&
        json::TextAt(*pods, AnnotationField(api::kPodSuspendingParentAnnotation)) ==
            integration.framework)
      return true;
  }
  return false;
}

// Whether the set is being deleted, and such sets may change.
bool IsLetGo(const json::value& set, const JobRules& rules) {
  return rules.gates.IsOn(api::Gate::kSkipAncestorCheckForDeletedWorkloads) &&
         json::IsSetAt(set, "metadata.deletionTimestamp");
}

// The shape of a template's pods; "" if there is no template.
std::string ShapeAt(const json::value& set, const std::string& template_path) {
  const json::value* spec = json::FindAt(set, template_path + ".spec");
  if (spec == nullptr) return {};
  const auto read = schema::Decode<api::PodSpec>(json::Print(*spec));
  return read ? ComputeRoleHash(*read) : std::string();
}

void CheckReplicas(const json::value& old_set, const json::value& set, api::ProblemReport& report) {
  const int32_t before = json::IntAt(old_set, kReplicas).value_or(1);
  const int32_t after = json::IntAt(set, kReplicas).value_or(1);
  if (before == after || after == 0) return;
  if (before != 0) {
    report.Invalid(std::string(kReplicas),
                   "cannot change from " + std::to_string(before) + " to " + std::to_string(after) +
                       " while a queue manages the set",
                   "set it to 0 first, and to the new number when all pods are gone");
  } else if (json::IntAt(set, "status.replicas").value_or(0) > 0) {
    report.Forbidden(std::string(kReplicas), "pods of the set are still there",
                     "wait until they are gone");
  }
}

}  // namespace

void ValidateServingChange(const Integration& integration, const json::value& old_set,
                           const json::value& set, const JobRules& rules,
                           api::ProblemReport& report) {
  if (!HasMarkedTemplates(integration, set) || IsLetGo(set, rules)) return;
  std::set<std::string> seen;  // templates read by several rules
  for (const PodSetRule& rule : integration.pod_sets) {
    const std::string field = rule.template_ + ".spec";
    if (seen.insert(field).second &&
        ShapeAt(old_set, rule.template_) != ShapeAt(set, rule.template_))
      report.Invalid(field,
                     "requests of the pods are immutable while the set is managed by a queue",
                     "create another set");
  }
  if (integration.suspension == kSuspendedAsGroup) return CheckReplicas(old_set, set, report);
  const bool is_fixed = rules.gates.IsOn(api::Gate::kLWSImmutableGroupSize);
  if (is_fixed &&
      json::IntAt(old_set, kGroupSize).value_or(1) != json::IntAt(set, kGroupSize).value_or(1))
    report.Invalid(std::string(kGroupSize), "cannot change while a queue manages the set",
                   "create another set");
}

void ValidateServingConstraints(const Integration& integration, const json::value& set,
                                const api::ObjectMeta& metadata, api::ProblemReport& report) {
  std::set<std::string> seen;  // templates read by several rules
  for (const PodSetRule& rule : integration.pod_sets) {
    const json::value* pods = json::FindAt(set, rule.template_);
    if (pods == nullptr || !seen.insert(rule.template_).second) continue;
    for (const std::string_view key :
         {api::kCannotPreemptAnnotation, api::kCannotBorrowAnnotation}) {
      if (json::FindAt(*pods, AnnotationField(key)) == nullptr) continue;
      const std::string value = json::TextAt(*pods, AnnotationField(key));
      const std::string field = rule.template_ + "." + AnnotationField(key);
      const std::string* own = metadata.annotations.Find(key);
      if (value != "true" && value != "false")
        api::ReportConstraintValue(field, value, report);
      else if (own != nullptr && *own != value)
        report.Invalid(field,
                       api::Quoted(value) + " contradicts " + api::Quoted(*own) + " of the " +
                           integration.kind,
                       "write the same value in both places, or remove one");
    }
  }
}

}  // namespace berth::jobs
