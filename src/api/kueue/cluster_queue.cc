#include "api/kueue/cluster_queue.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

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

// Values of v1beta1.
constexpr std::string_view kV1Beta1BorrowPolicies[] = {"Borrow"};
constexpr std::string_view kV1Beta1PreemptPolicies[] = {"Preempt"};

void UpgradeFlavorFungibility(void* self) {
  auto& fungibility = *static_cast<FlavorFungibility*>(self);
  if (fungibility.when_can_borrow == kV1Beta1BorrowPolicies[0])
    fungibility.when_can_borrow = kMayStopSearch;
  if (fungibility.when_can_preempt == kV1Beta1PreemptPolicies[0])
    fungibility.when_can_preempt = kMayStopSearch;
}

// In v1beta1, checks are a plain list that applies to all flavors.
void UpgradeClusterQueueSpec(void* self) {
  auto& spec = *static_cast<ClusterQueueSpec*>(self);
  if (spec.previous_admission_checks.empty()) return;
  AdmissionChecksStrategy& strategy = spec.admission_checks_strategy.emplace();
  for (std::string& check : std::exchange(spec.previous_admission_checks, {})) {
    strategy.admission_checks.push_back({.name = std::move(check)});
  }
}

}  // namespace

const schema::Struct& FlavorFungibility::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorFungibility::when_can_borrow>("whenCanBorrow",
                                                  "whenCanBorrow decides whether to use a flavor "
                                                  "that requires borrowing or to try the next.")
          .OneOf(kFlavorFungibilityPolicies)
          .PreviousOneOf(kV1Beta1BorrowPolicies)
          .Default("\"MayStopSearch\""),
      Member<&FlavorFungibility::when_can_preempt>("whenCanPreempt",
                                                   "whenCanPreempt decides whether to use a flavor "
                                                   "that requires preemption or to try the next.")
          .OneOf(kFlavorFungibilityPolicies)
          .PreviousOneOf(kV1Beta1PreemptPolicies)
          .Default("\"TryNextFlavor\""),
      Member<&FlavorFungibility::preference>("preference",
                                             "preference decides between borrowing and preemption "
                                             "if every flavor requires one of them.")
          .OneOf(kFlavorFungibilityPreferences),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const FlavorFungibility& self) {
        return !self.preference ||
               (self.when_can_borrow == kTryNextFlavor && self.when_can_preempt == kTryNextFlavor);
      }>("!has(self.preference) || (self.whenCanBorrow == 'TryNextFlavor' && "
         "self.whenCanPreempt == 'TryNextFlavor')",
         "preference requires TryNextFlavor for whenCanBorrow and whenCanPreempt"),
  };
  static constexpr auto kStruct =
      schema::Describe<FlavorFungibility>(
          "FlavorFungibility",
          "FlavorFungibility decides which of several suitable flavors is assigned.", kFields,
          kRules)
          .Upgrade(&UpgradeFlavorFungibility);
  return kStruct;
}

const schema::Struct& BorrowWithinCohort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&BorrowWithinCohort::policy>(
          "policy", "policy decides which workloads may be preempted for a borrowing workload.")
          .OneOf(kBorrowWithinCohortPolicies)
          .Default("\"Never\""),
      Member<&BorrowWithinCohort::max_priority_threshold>(
          "maxPriorityThreshold",
          "maxPriorityThreshold is the highest priority that may be preempted while borrowing."),
  };
  static constexpr auto kStruct = schema::Describe<BorrowWithinCohort>(
      "BorrowWithinCohort",
      "BorrowWithinCohort configures preemption in other ClusterQueues while borrowing.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueuePreemption::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueuePreemption::reclaim_within_cohort>(
          "reclaimWithinCohort",
          "reclaimWithinCohort decides which workloads of borrowing queues may be preempted to "
          "reclaim quota.")
          .OneOf(kReclaimWithinCohortPolicies)
          .Default("\"Never\""),
      Member<&ClusterQueuePreemption::borrow_within_cohort>(
          "borrowWithinCohort",
          "borrowWithinCohort decides whether a borrowing workload may preempt in other queues.")
          .Default("{}"),
      Member<&ClusterQueuePreemption::within_cluster_queue>(
          "withinClusterQueue",
          "withinClusterQueue decides which workloads of this ClusterQueue may be preempted.")
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
  static constexpr auto kStruct =
      schema::Describe<ClusterQueuePreemption>("ClusterQueuePreemption",
                                               "ClusterQueuePreemption decides which workloads may "
                                               "be preempted for those of a ClusterQueue.",
                                               kFields, kRules);
  return kStruct;
}

const schema::Struct& AdmissionCheckStrategyRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckStrategyRule::name>("name", "name is the name of the AdmissionCheck.")
          .Required()
          .MinLength(1)
          .MaxLength(316),
      Member<&AdmissionCheckStrategyRule::on_flavors>(
          "onFlavors", "onFlavors lists the flavors that the check applies to. If empty, all.")
          .MaxItems(64)
          .Items(kObjectNameBounds)
          .SetOf(),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckStrategyRule>(
      "AdmissionCheckStrategyRule",
      "AdmissionCheckStrategyRule applies an admission check to flavors.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionChecksStrategy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionChecksStrategy::admission_checks>(
          "admissionChecks",
          "admissionChecks lists the checks that a workload passes after its quota reservation.")
          .Required()
          .MinItems(1)
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionChecksStrategy>(
      "AdmissionChecksStrategy",
      "AdmissionChecksStrategy lists the admission checks of a ClusterQueue.", kFields);
  return kStruct;
}

const schema::Struct& MigrationConstraints::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MigrationConstraints::last_acceptable_flavor_name>(
          "lastAcceptableFlavorName",
          "lastAcceptableFlavorName is the last flavor, in order, that a workload may migrate to.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
  };
  static constexpr auto kStruct = schema::Describe<MigrationConstraints>(
      "MigrationConstraints",
      "MigrationConstraints limits the flavors that an admitted workload may migrate to.", kFields);
  return kStruct;
}

const schema::Struct& ConcurrentAdmissionMigration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ConcurrentAdmissionMigration::mode>(
          "mode",
          "mode decides whether an admitted workload migrates when a preferred flavor becomes "
          "available.")
          .Required()
          .MaxLength(253)
          .OneOf(kMigrationModes),
      Member<&ConcurrentAdmissionMigration::constraints>(
          "constraints", "constraints limits the flavors to migrate to."),
  };
  static constexpr auto kStruct = schema::Describe<ConcurrentAdmissionMigration>(
      "ConcurrentAdmissionMigration",
      "ConcurrentAdmissionMigration configures migration to a preferred flavor after admission.",
      kFields);
  return kStruct;
}

const schema::Struct& ConcurrentAdmissionPolicy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ConcurrentAdmissionPolicy::migration>(
          "migration", "migration configures migration after the first admission.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<ConcurrentAdmissionPolicy>(
      "ConcurrentAdmissionPolicy",
      "ConcurrentAdmissionPolicy lets a workload be pending for several flavors at once.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueueSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueueSpec::resource_groups>(
          "resourceGroups",
          "resourceGroups holds the quota. A resource or flavor belongs to one group at most.")
          .MaxItems(16),
      Member<&ClusterQueueSpec::cohort_name>("cohortName",
                                             "cohortName is the Cohort that quota is shared with. "
                                             "If absent, there is no borrowing or lending.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .PreviousName("cohort"),
      Member<&ClusterQueueSpec::queueing_strategy>(
          "queueingStrategy",
          "queueingStrategy decides whether an inadmissible workload blocks later ones "
          "(StrictFIFO) or not.")
          .OneOf(kQueueingStrategies)
          .Default("\"BestEffortFIFO\""),
      Member<&ClusterQueueSpec::namespace_selector>(
          "namespaceSelector",
          "namespaceSelector selects the namespaces that may use the queue: {} is all, absent is "
          "none."),
      Member<&ClusterQueueSpec::flavor_fungibility>(
          "flavorFungibility",
          "flavorFungibility decides which of several suitable flavors is assigned.")
          .Default("{}"),
      Member<&ClusterQueueSpec::preemption>(
          "preemption",
          "preemption decides which workloads may be preempted for those of this ClusterQueue.")
          .Default("{}"),
      Member<&ClusterQueueSpec::admission_checks_strategy>(
          "admissionChecksStrategy",
          "admissionChecksStrategy lists the admission checks of the ClusterQueue."),
      Member<&ClusterQueueSpec::stop_policy>(
          "stopPolicy",
          "stopPolicy stops admission (Hold) or also evicts admitted workloads (HoldAndDrain).")
          .OneOf(kStopPolicies)
          .Default("\"None\""),
      Member<&ClusterQueueSpec::fair_sharing>(
          "fairSharing", "fairSharing holds the weight of the ClusterQueue among its siblings."),
      Member<&ClusterQueueSpec::admission_scope>(
          "admissionScope",
          "admissionScope configures fair sharing between the LocalQueues of the ClusterQueue."),
      Member<&ClusterQueueSpec::concurrent_admission_policy>(
          "concurrentAdmissionPolicy",
          "concurrentAdmissionPolicy lets a workload be pending for several flavors at once.")
          .New(),
      Member<&ClusterQueueSpec::exclude_resource_prefixes>(
          "excludeResourcePrefixes",
          "excludeResourcePrefixes lists resources that do not count against quota in this queue, "
          "in addition to resources.excludeResourcePrefixes of the Configuration. A prefix matches "
          "a resource if it is the whole name, the part before the slash, or a beginning that ends "
          "in a character other than a letter or digit: \"example.com\" matches example.com/gpu "
          "and "
          "not example.community/gpu; \"hugepages-\" matches hugepages-2Mi. It wins over "
          "resourceGroups, and matches canonical names of device classes. Admitted Workloads keep "
          "their charge. No effect unless the feature gate ClusterQueueResourceExclusion is on, or "
          "if quotaCheck is OnlyDeclared.")
          .MaxItems(64)
          .Items({.min_length = 1, .max_length = 317}),
      Member<&ClusterQueueSpec::previous_admission_checks>(
          "admissionChecks", "Deprecated: use admissionChecksStrategy.")
          .Previous(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ClusterQueueSpec& self) {
        return self.cohort_name || std::ranges::none_of(self.resource_groups, HasBorrowingLimit);
      }>("has(self.cohortName) || !has(self.resourceGroups) || self.resourceGroups.all(g, "
         "g.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit))))",
         "borrowingLimit requires cohortName; a ClusterQueue without a cohort cannot borrow")
          .PreviousCel(
              "has(self.cohort) || !has(self.resourceGroups) || self.resourceGroups.all(g, "
              "g.flavors.all(f, f.resources.all(r, !has(r.borrowingLimit))))"),
  };
  static constexpr auto kStruct =
      schema::Describe<ClusterQueueSpec>("ClusterQueueSpec",
                                         "ClusterQueueSpec is the desired state of a ClusterQueue.",
                                         kFields, kRules)
          .Upgrade(&UpgradeClusterQueueSpec);
  return kStruct;
}

const schema::Struct& ResourceUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceUsage::name>("name", "name is the name of the resource.").Required(),
      Member<&ResourceUsage::total>("total",
                                    "total is the amount in use, borrowed quota included."),
      Member<&ResourceUsage::borrowed>("borrowed",
                                       "borrowed is the part of total above nominalQuota."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceUsage>(
      "ResourceUsage", "ResourceUsage is the usage of a resource.", kFields);
  return kStruct;
}

const schema::Struct& FlavorUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorUsage::name>("name", "name is the name of the flavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&FlavorUsage::resources>("resources",
                                      "resources lists the usage of each resource of the flavor.")
          .Required()
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<FlavorUsage>(
      "FlavorUsage", "FlavorUsage is the usage of a flavor.", kFields);
  return kStruct;
}

const schema::Struct& ClusterQueueStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueueStatus::conditions>(
          "conditions", "conditions holds the condition Active, with the reason if it is not True.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&ClusterQueueStatus::flavors_reservation>(
          "flavorsReservation",
          "flavorsReservation is the quota reserved by workloads, admitted or not.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&ClusterQueueStatus::flavors_usage>(
          "flavorsUsage", "flavorsUsage is the quota used by admitted workloads.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&ClusterQueueStatus::pending_workloads>(
          "pendingWorkloads", "pendingWorkloads is the number of workloads waiting for admission."),
      Member<&ClusterQueueStatus::reserving_workloads>(
          "reservingWorkloads",
          "reservingWorkloads is the number of unfinished workloads with a quota reservation."),
      Member<&ClusterQueueStatus::admitted_workloads>(
          "admittedWorkloads", "admittedWorkloads is the number of unfinished admitted workloads."),
      Member<&ClusterQueueStatus::fair_sharing>("fairSharing",
                                                "fairSharing holds the share of the ClusterQueue."),
      Member<&ClusterQueueStatus::previous_pending_workloads_status>(
          "pendingWorkloadsStatus", "Deprecated: use the visibility API.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<ClusterQueueStatus>(
          "ClusterQueueStatus", "ClusterQueueStatus is the observed state of a ClusterQueue.",
          kFields)
          .Upgrade([](void* self) {
            static_cast<ClusterQueueStatus*>(self)->previous_pending_workloads_status = {};
          });
  return kStruct;
}

const schema::Struct& ClusterQueue::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterQueue::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&ClusterQueue::spec>("spec", "spec is the desired state of the ClusterQueue."),
      Member<&ClusterQueue::status>("status", "status is the observed state of the ClusterQueue."),
  };
  static constexpr auto kStruct = schema::Describe<ClusterQueue>(
      "ClusterQueue", "ClusterQueue is a pool of quota for the LocalQueues of many namespaces.",
      kFields);
  return kStruct;
}

const schema::Kind& ClusterQueue::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"cq"};
  static constexpr schema::Column kColumns[] = {
      {"Cohort", "string", ".spec.cohortName", "Cohort that quota is shared with", false,
       ".spec.cohort"},
      {"Strategy", "string", ".spec.queueingStrategy", "Order of admission", true},
      {"Pending Workloads", "integer", ".status.pendingWorkloads", "Pending workloads"},
      {"Admitted Workloads", "integer", ".status.admittedWorkloads",
       "Admitted, unfinished workloads", true},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ClusterQueue",
                                      .plural = "clusterqueues",
                                      .structure = &ClusterQueue::Description,
                                      .previous_versions = kPreviousKueueVersions,
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
