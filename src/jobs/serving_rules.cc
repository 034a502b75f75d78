#include <set>

#include "api/pod_spec.h"
#include "api/well_known.h"
#include "jobs/job_rules_parts.h"
#include "jobs/pod_group.h"
#include "schema/decode.h"

// What may not change of sets that wait through groups of pods.
namespace berth::jobs {
namespace {

constexpr std::string_view kReplicas = "spec.replicas";
constexpr std::string_view kGroupSize = "spec.leaderWorkerTemplate.size";

// The webhook has marked its templates.
bool WaitsInGroups(const Integration& integration, const json::value& set) {
  for (const PodSetRule& rule : integration.pod_sets) {
    const json::value* pods = FindAt(set, rule.template_);
    if (pods != nullptr && TextAt(*pods, AnnotationField(api::kPodSuspendingParentAnnotation)) ==
                               integration.framework)
      return true;
  }
  return false;
}

// What a template's pods ask for; "" without the template.
std::string ShapeAt(const json::value& set, const std::string& template_path) {
  const json::value* spec = FindAt(set, template_path + ".spec");
  if (spec == nullptr) return {};
  const auto read = schema::Decode<api::PodSpec>(store::PrintJson(*spec));
  return read ? ComputeRoleHash(*read) : std::string();
}

void CheckReplicas(const json::value& old_set, const json::value& set, api::ProblemReport& report) {
  const int32_t before = IntAt(old_set, kReplicas).value_or(1);
  const int32_t after = IntAt(set, kReplicas).value_or(1);
  if (before == after || after == 0) return;
  if (before != 0) {
    report.Invalid(std::string(kReplicas),
                   "cannot change from " + std::to_string(before) + " to " + std::to_string(after) +
                       " while a queue manages the set",
                   "set it to 0 first, and to the new number when all pods are gone");
  } else if (IntAt(set, "status.replicas").value_or(0) > 0) {
    report.Forbidden(std::string(kReplicas), "pods of the set are still there",
                     "wait until they are gone");
  }
}

}  // namespace

void ValidateServingChange(const Integration& integration, const json::value& old_set,
                           const json::value& set, api::ProblemReport& report) {
  if (!WaitsInGroups(integration, set)) return;
  std::set<std::string> seen;  // templates that more than one rule reads
  for (const PodSetRule& rule : integration.pod_sets) {
    const std::string field = rule.template_ + ".spec";
    if (seen.insert(field).second &&
        ShapeAt(old_set, rule.template_) != ShapeAt(set, rule.template_))
      report.Invalid(field, "what its pods ask for cannot change while a queue manages the set",
                     "create another set");
  }
  if (integration.waits == kWaitsAsGroup) return CheckReplicas(old_set, set, report);
  if (IntAt(old_set, kGroupSize).value_or(1) != IntAt(set, kGroupSize).value_or(1))
    report.Invalid(std::string(kGroupSize), "cannot change while a queue manages the set",
                   "create another set");
}

}  // namespace berth::jobs
