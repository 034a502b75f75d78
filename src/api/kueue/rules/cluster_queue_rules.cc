#include "api/kueue/rules/cluster_queue_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/kueue/resource_prefix.h"
#include "api/kueue/rules/quota_rules.h"
#include "api/meta/problem_report.h"
#include "api/meta/selector.h"

namespace berth::api {
namespace {

using NameSet = std::set<std::string_view>;

constexpr size_t kMaxFlavors = 256;
constexpr size_t kMaxCoveredResources = 256;
constexpr size_t kMaxQuotasOfGroup = 512;
constexpr size_t kMaxConcurrentFlavors = 16;

NameSet FlavorsOf(const ClusterQueueSpec& spec) {
  NameSet flavors;
  for (const ResourceGroup& group : spec.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) flavors.insert(flavor.name);
  }
  return flavors;
}

std::string ListOf(const NameSet& names) { return QuotedList({names.begin(), names.end()}); }

void ReportExcess(std::string_view what, size_t count, size_t most, std::string_view field,
                  ProblemReport& report) {
  if (count <= most) return;
  report.Invalid(field, std::to_string(count) + " " + std::string(what) + " are too many",
                 "at most " + std::to_string(most) + " are possible");
}

void ValidateSizes(const std::vector<ResourceGroup>& groups, ProblemReport& report) {
  size_t flavors = 0, covered = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    flavors += groups[i].flavors.size();
    covered += groups[i].covered_resources.size();
    size_t quotas = 0;
    for (const FlavorQuotas& flavor : groups[i].flavors) quotas += flavor.resources.size();
    const auto at = report.In("resourceGroups", i);
    ReportExcess("quotas in one resource group", quotas, kMaxQuotasOfGroup, "", report);
  }
  ReportExcess("flavors in all resource groups", flavors, kMaxFlavors, "resourceGroups", report);
  ReportExcess("covered resources in all resource groups", covered, kMaxCoveredResources,
               "resourceGroups", report);
}

void ValidatePreemption(const std::optional<ClusterQueuePreemption>& preemption,
                        ProblemReport& report) {
  if (!preemption || preemption->reclaim_within_cohort != kPreemptNever) return;
  if (!preemption->borrow_within_cohort) return;
  if (preemption->borrow_within_cohort->policy == kPreemptNever) return;
  report.Invalid("preemption",
                 "borrowWithinCohort cannot preempt where reclaimWithinCohort is Never",
                 "set borrowWithinCohort.policy to Never or reclaimWithinCohort to LowerPriority "
                 "or Any");
}

void ValidateFungibility(const std::optional<FlavorFungibility>& fungibility,
                         ProblemReport& report) {
  if (!fungibility || !fungibility->preference) return;
  if (fungibility->when_can_borrow == kTryNextFlavor &&
      fungibility->when_can_preempt == kTryNextFlavor) {
    return;
  }
  const auto in = report.In("flavorFungibility");
  report.Invalid("preference", "requires whenCanBorrow and whenCanPreempt to be TryNextFlavor",
                 "set both, or remove preference");
}

// Checks whose onFlavors are unchanged while the queue has the same flavors: values stored before
// must not block other edits.
std::map<std::string_view, NameSet> StoredOnFlavors(const ClusterQueueSpec& spec,
                                                    const ClusterQueueSpec& old) {
  std::map<std::string_view, NameSet> stored;
  if (!old.admission_checks_strategy || FlavorsOf(spec) != FlavorsOf(old)) return stored;
  for (const auto& check : old.admission_checks_strategy->admission_checks) {
    stored[check.name] = NameSet(check.on_flavors.begin(), check.on_flavors.end());
  }
  return stored;
}

void ValidateOnFlavors(const ClusterQueueSpec& spec,
                       const std::map<std::string_view, NameSet>& stored, ProblemReport& report) {
  if (!spec.admission_checks_strategy) return;
  const NameSet flavors = FlavorsOf(spec);
  const auto in = report.In("admissionChecksStrategy");
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  for (size_t i = 0; i < checks.size(); ++i) {
    const auto& on_flavors = checks[i].on_flavors;
    const auto before = stored.find(checks[i].name);
    if (before != stored.end() && before->second == NameSet(on_flavors.begin(), on_flavors.end())) {
      continue;
    }
    const auto at_check = report.In("admissionChecks", i);
    for (size_t j = 0; j < on_flavors.size(); ++j) {
      if (flavors.contains(on_flavors[j])) continue;
      const auto at = report.In("onFlavors", j);
      report.NotSupported("", "the queue has no flavor " + Quoted(on_flavors[j]),
                          "its flavors: " + ListOf(flavors));
    }
  }
}

void ValidateMigration(const ClusterQueueSpec& spec, ProblemReport& report) {
  const ConcurrentAdmissionMigration& migration = spec.concurrent_admission_policy->migration;
  if (!migration.constraints) return;
  const auto in_policy = report.In("concurrentAdmissionPolicy");
  const auto in_migration = report.In("migration");
  if (!migration.mode.empty() && migration.mode != kTryPreferredFlavors) {
    report.Forbidden("constraints", "mode " + Quoted(migration.mode) + " has no constraints",
                     "remove them or set mode to TryPreferredFlavors");
    return;
  }
  const auto& last = migration.constraints->last_acceptable_flavor_name;
  const NameSet flavors = FlavorsOf(spec);
  if (!last || flavors.contains(*last)) return;
  const auto in_constraints = report.In("constraints");
  report.Invalid("lastAcceptableFlavorName", "the queue has no flavor " + Quoted(*last),
                 "its flavors: " + ListOf(flavors));
}

void ValidateConcurrentAdmission(const ClusterQueueSpec& spec, ProblemReport& report) {
  if (!spec.concurrent_admission_policy) return;
  const auto& groups = spec.resource_groups;
  if (groups.size() != 1) {
    report.Invalid("resourceGroups", "concurrent admission needs exactly one resource group",
                   "merge the groups or remove concurrentAdmissionPolicy");
  } else {
    const auto at = report.In("resourceGroups", 0);
    ReportExcess("flavors for concurrent admission", groups[0].flavors.size(),
                 kMaxConcurrentFlavors, "flavors", report);
  }
  ValidateMigration(spec, report);
  if (spec.queueing_strategy == kStrictFifo) {
    report.Invalid("queueingStrategy", "concurrent admission is not possible in StrictFIFO order",
                   "write BestEffortFIFO or remove concurrentAdmissionPolicy");
  }
}

void ValidatePrefixes(const std::vector<std::string>& prefixes, ProblemReport& report) {
  for (size_t i = 0; i < prefixes.size(); ++i) {
    if (prefixes[i].empty() || CanBeginResourceName(prefixes[i])) continue;
    const auto at = report.In("excludeResourcePrefixes", i);
    report.Invalid("", "no resource name can begin with " + Quoted(prefixes[i]),
                   "write a resource name or its beginning, such as \"example.com\" or "
                   "\"hugepages-\"");
  }
}

void ValidateSpec(const ClusterQueueSpec& spec, const ValidationOptions& options,
                  ProblemReport& report) {
  const QuotaOwner owner{.parent_field = "cohortName",
                         .has_parent = !spec.cohort_name.value_or("").empty(),
                         .lends_nominal_only = true};
  ValidateResourceGroups(spec.resource_groups, owner, report);
  ValidateSizes(spec.resource_groups, report);
  ValidateSelector(spec.namespace_selector, "namespaceSelector", report);
  ValidatePreemption(spec.preemption, report);
  ValidateFungibility(spec.flavor_fungibility, report);
  ValidateFairSharing(spec.fair_sharing, report);
  ValidatePrefixes(spec.exclude_resource_prefixes, report);
  if (options.gates.IsOn(Gate::kConcurrentAdmission)) ValidateConcurrentAdmission(spec, report);
}

}  // namespace

schema::Problems ValidateClusterQueue(const ClusterQueue& queue, const ClusterQueue* old,
                                      const ValidationOptions& options) {
  ProblemReport report;
  const auto in = report.In("spec");
  ValidateSpec(queue.spec, options, report);
  std::map<std::string_view, NameSet> stored;
  if (old != nullptr && !options.gates.IsOn(Gate::kRejectUpdatesToCQWithInvalidOnFlavors)) {
    stored = StoredOnFlavors(queue.spec, old->spec);
  }
  ValidateOnFlavors(queue.spec, stored, report);
  if (old != nullptr &&
      queue.spec.concurrent_admission_policy != old->spec.concurrent_admission_policy) {
    report.Invalid("concurrentAdmissionPolicy", "cannot be changed once the queue exists",
                   "restore the old value, or create another queue");
  }
  return std::move(report).Take();
}

}  // namespace berth::api
