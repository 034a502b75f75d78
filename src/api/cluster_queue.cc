#include "api/cluster_queue.h"

#include <algorithm>
#include <utility>

#include "api/list_keys.h"
#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::Must;

namespace {

bool HasBorrowingLimit(const ResourceGroup& group) {
  return std::ranges::any_of(group.flavors, [](const FlavorQuotas& flavor) {
    return std::ranges::any_of(flavor.resources, [](const ResourceQuota& quota) {
      return quota.borrowing_limit.has_value();
    });
  });
}

// The former API spelled these after what the search stops for.
constexpr std::string_view kFormerBorrowPolicies[] = {"Borrow"};
constexpr std::string_view kFormerPreemptPolicies[] = {"Preempt"};

void UpgradeFlavorFungibility(void* self) {
  auto& fungibility = *static_cast<FlavorFungibility*>(self);
  if (fungibility.when_can_borrow == kFormerBorrowPolicies[0])
    fungibility.when_can_borrow = kMayStopSearch;
  if (fungibility.when_can_preempt == kFormerPreemptPolicies[0])
    fungibility.when_can_preempt = kMayStopSearch;
}

// A plain list of checks applied to all flavors.
void UpgradeClusterQueueSpec(void* self) {
  auto& spec = *static_cast<ClusterQueueSpec*>(self);
  if (spec.former_admission_checks.empty()) return;
  AdmissionChecksStrategy& strategy = spec.admission_checks_strategy.emplace();
  for (std::string& check : std::exchange(spec.former_admission_checks, {})) {
    strategy.admission_checks.push_back({.name = std::move(check)});
  }
}

}  // namespace

const schema::Struct& FlavorFungibility::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorFungibility::when_can_borrow>(
          "whenCanBorrow", "Whether to take a flavor that needs borrowing or to look further.")
          .OneOf(kFlavorFungibilityPolicies)
          .FormerOneOf(kFormerBorrowPolicies)
          .Default("\"MayStopSearch\""),
      Member<&FlavorFungibility::when_can_preempt>(
          "whenCanPreempt", "Whether to take a flavor that needs preemption or to look further.")
          .OneOf(kFlavorFungibilityPolicies)
          .FormerOneOf(kFormerPreemptPolicies)
          .Default("\"TryNextFlavor\""),
      Member<&FlavorFungibility::preference>(
          "preference", "What is rather done when every flavor needs borrowing or preemption.")
          .OneOf(kFlavorFungibilityPreferences),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const FlavorFungibility& self) {
        return !self.preference ||
               (self.when_can_borrow == kTryNextFlavor && self.when_can_preempt == kTryNextFlavor);
      }>("!has(self.preference) || (self.whenCanBorrow == 'TryNextFlavor' && "
         "self.whenCanPreempt == 'TryNextFlavor')",
         "preference needs whenCanBorrow and whenCanPreempt to be TryNextFlavor"),
  };
  static constexpr auto kStruct =
      schema::Describe<FlavorFungibility>(
          "FlavorFungibility", "Which flavor is taken when several could serve.", kFields, kRules)
          .Upgrade(&UpgradeFlavorFungibility);
  return kStruct;
}

const schema::Struct& BorrowWithinCohort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&BorrowWithinCohort::policy>("policy",
                                          "Which workloads may be preempted for one that borrows.")
          .OneOf(kBorrowWithinCohortPolicies)
          .Default("\"Never\""),
      Member<&BorrowWithinCohort::max_priority_threshold>(
          "maxPriorityThreshold", "Workloads above this priority are never preempted this way."),
  };
  static constexpr auto kStruct = schema::Describe<BorrowWithinCohort>(
      "BorrowWithinCohort", "Preemption in other queues while borrowing.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueuePreemption::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueuePreemption::reclaim_within_cohort>(
          "reclaimWithinCohort",
          "Which workloads of queues that borrow may be preempted to take back own quota.")
          .OneOf(kReclaimWithinCohortPolicies)
          .Default("\"Never\""),
      Member<&ClusterQueuePreemption::borrow_within_cohort>(
          "borrowWithinCohort",
          "Whether a workload may preempt in other queues although it borrows.")
          .Default("{}"),
      Member<&ClusterQueuePreemption::within_cluster_queue>(
          "withinClusterQueue", "Which workloads of this queue may be preempted.")
          .OneOf(kWithinClusterQueuePolicies)
          .Default("\"Never\""),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ClusterQueuePreemption& self) {
        return self.reclaim_within_cohort != kPreemptNever || !self.borrow_within_cohort ||
               self.borrow_within_cohort->policy == kPreemptNever;
      }>("self.reclaimWithinCohort != 'Never' || !has(self.borrowWithinCohort) || "
         "self.borrowWithinCohort.policy == 'Never'",
         "borrowWithinCohort.policy must be Never while reclaimWithinCohort is Never"),
  };
  static constexpr auto kStruct = schema::Describe<ClusterQueuePreemption>(
      "ClusterQueuePreemption", "Which workloads may be stopped for one of this queue.", kFields,
      kRules);
  return kStruct;
}

const schema::Struct& AdmissionCheckStrategyRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckStrategyRule::name>("name", "Name of the AdmissionCheck.")
          .Required()
          .MinLength(1)
          .MaxLength(316),
      Member<&AdmissionCheckStrategyRule::on_flavors>(
          "onFlavors", "Flavors that the check applies to. Empty: all of them.")
          .MaxItems(64)
          .Items(kObjectNameBounds)
          .SetOf(),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckStrategyRule>(
      "AdmissionCheckStrategyRule", "A check, and the flavors that need it.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionChecksStrategy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionChecksStrategy::admission_checks>(
          "admissionChecks", "Checks that a workload must pass after it has reserved quota.")
          .Required()
          .MinItems(1)
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionChecksStrategy>(
      "AdmissionChecksStrategy", "The checks of a queue.", kFields);
  return kStruct;
}

const schema::Struct& MigrationConstraints::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MigrationConstraints::last_acceptable_flavor_name>(
          "lastAcceptableFlavorName", "Last flavor, in their order, that may be moved to.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
  };
  static constexpr auto kStruct = schema::Describe<MigrationConstraints>(
      "MigrationConstraints", "Where a running workload may be moved to.", kFields);
  return kStruct;
}

const schema::Struct& ConcurrentAdmissionMigration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ConcurrentAdmissionMigration::mode>(
          "mode", "Whether an admitted workload moves on when a better flavor becomes free.")
          .Required()
          .MaxLength(253)
          .OneOf(kMigrationModes),
      Member<&ConcurrentAdmissionMigration::constraints>("constraints",
                                                         "Limits to where it moves."),
  };
  static constexpr auto kStruct = schema::Describe<ConcurrentAdmissionMigration>(
      "ConcurrentAdmissionMigration", "Moving to a better flavor after admission.", kFields);
  return kStruct;
}

const schema::Struct& ConcurrentAdmissionPolicy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ConcurrentAdmissionPolicy::migration>("migration",
                                                    "What happens once one flavor was found.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<ConcurrentAdmissionPolicy>(
      "ConcurrentAdmissionPolicy", "Waiting for several flavors at the same time.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueueSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueueSpec::resource_groups>(
          "resourceGroups", "Quota. Each resource and each flavor is in one group at most.")
          .MaxItems(16),
      Member<&ClusterQueueSpec::cohort_name>(
          "cohortName", "Cohort with which quota is shared. Absent: nothing is borrowed or lent.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .FormerName("cohort"),
      Member<&ClusterQueueSpec::queueing_strategy>(
          "queueingStrategy",
          "Whether a workload that does not fit blocks those behind it (StrictFIFO) or not.")
          .OneOf(kQueueingStrategies)
          .Default("\"BestEffortFIFO\""),
      Member<&ClusterQueueSpec::namespace_selector>(
          "namespaceSelector", "Namespaces that may use the queue: {} is all, absent is none."),
      Member<&ClusterQueueSpec::flavor_fungibility>(
          "flavorFungibility", "Which flavor is taken when several could serve.")
          .Default("{}"),
      Member<&ClusterQueueSpec::preemption>("preemption",
                                            "Which workloads may be stopped for one of this queue.")
          .Default("{}"),
      Member<&ClusterQueueSpec::admission_checks_strategy>(
          "admissionChecksStrategy", "Checks that workloads pass before they start."),
      Member<&ClusterQueueSpec::stop_policy>(
          "stopPolicy", "Hold: admit nothing more. HoldAndDrain: also evict what was admitted.")
          .OneOf(kStopPolicies)
          .Default("\"None\""),
      Member<&ClusterQueueSpec::fair_sharing>("fairSharing",
                                              "Weight of the queue against its siblings."),
      Member<&ClusterQueueSpec::admission_scope>(
          "admissionScope", "Fair sharing between the LocalQueues of this queue."),
      Member<&ClusterQueueSpec::concurrent_admission_policy>(
          "concurrentAdmissionPolicy", "Waiting for several flavors at the same time.")
          .New(),
      Member<&ClusterQueueSpec::exclude_resource_prefixes>(
          "excludeResourcePrefixes",
          "Resources that need no quota here, besides those that the Configuration excludes.")
          .MaxItems(64)
          .Items({.min_length = 1, .max_length = 317}),
      Member<&ClusterQueueSpec::former_admission_checks>("admissionChecks",
                                                         "Replaced by admissionChecksStrategy.")
          .Former(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ClusterQueueSpec& self) {
        return self.cohort_name || std::ranges::none_of(self.resource_groups, HasBorrowingLimit);
      }>("has(self.cohortName) || !has(self.resourceGroups) || self.resourceGroups.all(g, "
         "g.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit))))",
         "borrowingLimit needs a cohortName: without a cohort there is nobody to borrow from")
          .FormerCel("has(self.cohort) || !has(self.resourceGroups) || self.resourceGroups.all(g, "
                     "g.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit))))"),
  };
  static constexpr auto kStruct =
      schema::Describe<ClusterQueueSpec>("ClusterQueueSpec", "Quota and the rules for its use.",
                                         kFields, kRules)
          .Upgrade(&UpgradeClusterQueueSpec);
  return kStruct;
}

const schema::Struct& ResourceUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceUsage::name>("name", "Name of the resource.").Required(),
      Member<&ResourceUsage::total>("total", "Amount in use, borrowed or not."),
      Member<&ResourceUsage::borrowed>("borrowed", "Part of it that is above nominalQuota."),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceUsage>("ResourceUsage", "How much of a resource is used.", kFields);
  return kStruct;
}

const schema::Struct& FlavorUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorUsage::name>("name", "Name of the flavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&FlavorUsage::resources>("resources", "Usage of each resource of the flavor.")
          .Required()
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct =
      schema::Describe<FlavorUsage>("FlavorUsage", "How much of a flavor is used.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueueStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueueStatus::conditions>("conditions", "State: Active, or why it is not.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&ClusterQueueStatus::flavors_reservation>(
          "flavorsReservation", "Quota that workloads have reserved, admitted or not yet.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&ClusterQueueStatus::flavors_usage>("flavorsUsage",
                                                 "Quota that admitted workloads use.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&ClusterQueueStatus::pending_workloads>("pendingWorkloads",
                                                     "Workloads that wait for admission."),
      Member<&ClusterQueueStatus::reserving_workloads>(
          "reservingWorkloads", "Unfinished workloads that have reserved quota."),
      Member<&ClusterQueueStatus::admitted_workloads>("admittedWorkloads",
                                                      "Unfinished workloads that are admitted."),
      Member<&ClusterQueueStatus::fair_sharing>("fairSharing", "Share that the queue borrows."),
      Member<&ClusterQueueStatus::former_pending_workloads_status>(
          "pendingWorkloadsStatus", "Replaced by the visibility API.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<ClusterQueueStatus>("ClusterQueueStatus", "What is used and what waits.",
                                           kFields)
          .Upgrade([](void* self) {
            static_cast<ClusterQueueStatus*>(self)->former_pending_workloads_status = {};
          });
  return kStruct;
}

const schema::Struct& ClusterQueue::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueue::metadata>("metadata", "Name, labels and so on."),
      Member<&ClusterQueue::spec>("spec", "Quota and the rules for its use."),
      Member<&ClusterQueue::status>("status", "What is used and what waits."),
  };
  static constexpr auto kStruct = schema::Describe<ClusterQueue>(
      "ClusterQueue", "A pool of quota that LocalQueues of many namespaces draw from.", kFields);
  return kStruct;
}

const schema::Kind& ClusterQueue::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"cq"};
  static constexpr schema::Column kColumns[] = {
      {"Cohort", "string", ".spec.cohortName", "Cohort with which quota is shared", false,
       ".spec.cohort"},
      {"Strategy", "string", ".spec.queueingStrategy", "Order of admission", true},
      {"Pending Workloads", "integer", ".status.pendingWorkloads", "Workloads that wait"},
      {"Admitted Workloads", "integer", ".status.admittedWorkloads",
       "Admitted workloads that have not finished", true},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ClusterQueue",
                                      .plural = "clusterqueues",
                                      .structure = &ClusterQueue::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::AdmissionCheckStrategyRule>;
template class std::vector<berth::api::FlavorUsage>;
template class std::vector<berth::api::ResourceUsage>;
