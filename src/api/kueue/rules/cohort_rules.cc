#include "api/kueue/rules/cohort_rules.h"

#include "api/kueue/rules/quota_rules.h"
#include "api/meta/problem_report.h"

namespace berth::api {

schema::Problems ValidateCohort(const Cohort& cohort) {
  ProblemReport report;
  const auto in = report.In("spec");
  const QuotaOwner owner{.parent_field = "parentName",
                         .has_parent = !cohort.spec.parent_name.value_or("").empty(),
                         .lends_nominal_only = false};
  ValidateFairSharing(cohort.spec.fair_sharing, report);
  ValidateResourceGroups(cohort.spec.resource_groups, owner, report);
  return std::move(report).Take();
}

schema::Problems WarningsForCohort(const Cohort& cohort, const ValidationOptions& options) {
  ProblemReport report;
  const auto in = report.In("spec");
  WarnAboutDeviceClasses(cohort.spec.resource_groups, options.gates, report);
  return std::move(report).Take();
}

}  // namespace berth::api
