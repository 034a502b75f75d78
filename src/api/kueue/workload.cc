#include "api/kueue/workload.h"

#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

namespace {

constexpr std::string_view kPriorityClassGroups[] = {kKueueGroup, kSchedulingGroup};

// Sources of priority classes in v1beta1.
constexpr std::string_view kV1Beta1WorkloadSource = "kueue.x-k8s.io/workloadpriorityclass";
constexpr std::string_view kV1Beta1PodSource = "scheduling.k8s.io/priorityclass";
constexpr std::string_view kPreviousPriorityClassSources[] = {kV1Beta1WorkloadSource,
                                                              kV1Beta1PodSource, ""};

void UpgradeSpec(void* self) {
  auto& spec = *static_cast<WorkloadSpec*>(self);
  const std::string source = std::exchange(spec.previous_priority_class_source, {});
  const std::string name = std::exchange(spec.previous_priority_class_name, {});
  if (source == kV1Beta1WorkloadSource)
    spec.priority_class_ref = {std::string(kKueueGroup), std::string(kWorkloadPriorityClassKind),
                               name};
  if (source == kV1Beta1PodSource)
    spec.priority_class_ref = {std::string(kSchedulingGroup), std::string(kPriorityClassKind),
                               name};
}

}  // namespace

const schema::Struct& PriorityClassRef::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PriorityClassRef::group>("group", "group is the group of the class.")
          .Required()
          .OneOf(kPriorityClassGroups),
      Member<&PriorityClassRef::kind>("kind", "kind is the kind of the class.")
          .Required()
          .OneOf(kPriorityClassKinds),
      Member<&PriorityClassRef::name>("name", "name is the name of the class.")
          .Required()
          .MinLength(1)
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const PriorityClassRef& self) {
        return self.group != kSchedulingGroup || self.kind == kPriorityClassKind;
      }>("self.group != 'scheduling.k8s.io' || self.kind == 'PriorityClass'",
         "kind must be PriorityClass in group scheduling.k8s.io"),
      Must<[](const PriorityClassRef& self) {
        return self.group != kKueueGroup || self.kind == kWorkloadPriorityClassKind;
      }>("self.group != 'kueue.x-k8s.io' || self.kind == 'WorkloadPriorityClass'",
         "kind must be WorkloadPriorityClass in group kueue.x-k8s.io"),
  };
  static constexpr auto kStruct = schema::Describe<PriorityClassRef>(
      "PriorityClassRef", "PriorityClassRef refers to the class that defines the priority.",
      kFields, kRules);
  return kStruct;
}

const schema::Struct& PreemptionGate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreemptionGate::name>("name", "name is the name of the gate.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
  };
  static constexpr auto kStruct = schema::Describe<PreemptionGate>(
      "PreemptionGate", "PreemptionGate blocks preemption by the Workload while closed.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionConstraints::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionConstraints::preemption>(
          "preemption",
          "preemption set to Never rules out every flavor in which admission needs preemption. The "
          "Workload is considered as if all preemption policies of its ClusterQueue were Never.")
          .OneOf(kAdmissionConstraintValues),
      Member<&AdmissionConstraints::borrowing>(
          "borrowing",
          "borrowing set to Never rules out every flavor in which usage of the ClusterQueue would "
          "exceed its nominalQuota, whatever the Cohort offers.")
          .OneOf(kAdmissionConstraintValues),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionConstraints>(
      "AdmissionConstraints",
      "AdmissionConstraints restricts the means of admission of a Workload.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadSpec::pod_sets>("podSets", "podSets lists the sets of identical pods.")
          .Required()
          .MinItems(1)
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadSpec::queue_name>("queueName", "queueName is the name of the LocalQueue.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&WorkloadSpec::priority_class_ref>(
          "priorityClassRef", "priorityClassRef refers to the class that defines the priority.")
          .New(),
      Member<&WorkloadSpec::priority>("priority", "priority orders the queue; higher comes first."),
      Member<&WorkloadSpec::active>(
          "active", "active set to false blocks admission and evicts an admitted Workload.")
          .Default("true"),
      Member<&WorkloadSpec::maximum_execution_time_seconds>(
          "maximumExecutionTimeSeconds",
          "maximumExecutionTimeSeconds is the time after which an admitted Workload is "
          "deactivated.")
          .Min(1),
      Member<&WorkloadSpec::preemption_gates>(
          "preemptionGates",
          "preemptionGates lists gates that must be open before the Workload may preempt.")
          .MaxItems(8)
          .MapBy(kByName)
          .New(),
      Member<&WorkloadSpec::admission_constraints>(
          "admissionConstraints",
          "admissionConstraints restricts the means of admission: without preemption, without "
          "borrowing, or both. The annotations kueue.x-k8s.io/cannot-preempt and "
          "kueue.x-k8s.io/cannot-borrow of the job, with the value \"true\", set it; annotations "
          "and field must agree. It cannot be changed while quota is reserved. No effect unless "
          "the feature gate WorkloadAdmissionConstraints is on."),
      Member<&WorkloadSpec::previous_priority_class_name>("priorityClassName",
                                                          "Deprecated: use priorityClassRef.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .Previous(),
      Member<&WorkloadSpec::previous_priority_class_source>("priorityClassSource",
                                                            "Deprecated: use priorityClassRef.")
          .OneOf(kPreviousPriorityClassSources)
          .Previous(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const WorkloadSpec& self) { return !self.priority_class_ref || self.priority; }>(
          "!has(self.priorityClassRef) || has(self.priority)",
          "priority must be set together with priorityClassRef")
          .PreviousCel("!has(self.priorityClassName) || has(self.priority)"),
  };
  static constexpr auto kStruct =
      schema::Describe<WorkloadSpec>(
          "WorkloadSpec", "WorkloadSpec is the desired state of a Workload.", kFields, kRules)
          .Upgrade(&UpgradeSpec);
  return kStruct;
}

bool HasQuotaReserved(const Workload& workload) {
  return IsConditionTrue(workload.status.conditions, condition::kQuotaReserved);
}

// --- Rules on the whole object ---

namespace {

bool IsAdmitted(const Workload& workload) {
  return IsConditionTrue(workload.status.conditions, condition::kAdmitted);
}

// Whether quota was reserved and a priority class is set before and after.
bool KeepsPriorityClass(const Workload& self, const Workload& old) {
  return HasQuotaReserved(old) && old.spec.priority_class_ref && self.spec.priority_class_ref;
}

bool IsPodPriorityClass(const PriorityClassRef& ref) {
  return ref.group == kSchedulingGroup && ref.kind == kPriorityClassKind;
}

bool HasSameConstraints(const Workload& a, const Workload& b) {
  const auto& of_a = a.spec.admission_constraints;
  const auto& of_b = b.spec.admission_constraints;
  if (!of_a || !of_b) return of_a.has_value() == of_b.has_value();
  return of_a->preemption == of_b->preemption && of_a->borrowing == of_b->borrowing;
}

}  // namespace

// CEL has no user-defined functions; macros compose recurring expressions.
#define CEL_CONDITION(object, type)                                         \
  "(has(" object ".status) && has(" object ".status.conditions) && " object \
  ".status.conditions.exists(c, c.type == '" type "' && c.status == 'True'))"
#define CEL_RESERVED CEL_CONDITION("self", "QuotaReserved")
#define CEL_WAS_RESERVED CEL_CONDITION("oldSelf", "QuotaReserved")
#define CEL_ADMITTED CEL_CONDITION("self", "Admitted")
#define CEL_WAS_ADMITTED CEL_CONDITION("oldSelf", "Admitted")
#define CEL_KEEPS_CLASS \
  CEL_WAS_RESERVED " && has(oldSelf.spec.priorityClassRef) && has(self.spec.priorityClassRef)"

const schema::Struct& Workload::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Workload::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&Workload::spec>("spec", "spec is the desired state of the Workload."),
      Member<&Workload::status>("status", "status is the observed state of the Workload."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const Workload& self) {
        return !HasQuotaReserved(self) || !self.status.admission ||
               self.spec.pod_sets.size() == self.status.admission->pod_set_assignments.size();
      }>("!" CEL_RESERVED " || !has(self.status.admission) || "
         "size(self.spec.podSets) == size(self.status.admission.podSetAssignments)",
         "status.admission.podSetAssignments must have one entry for each of spec.podSets"),
      MustChange<[](const Workload& self, const Workload& old) {
        return !HasQuotaReserved(old) ||
               old.spec.priority_class_ref.has_value() == self.spec.priority_class_ref.has_value();
      }>("!" CEL_WAS_RESERVED
         " || has(oldSelf.spec.priorityClassRef) == has(self.spec.priorityClassRef)",
         "spec.priorityClassRef cannot be added or removed while quota is reserved")
          .New(),
      MustChange<[](const Workload& self, const Workload& old) {
        return !KeepsPriorityClass(self, old) ||
               old.spec.priority_class_ref->group == self.spec.priority_class_ref->group;
      }>("!(" CEL_KEEPS_CLASS
         ") || oldSelf.spec.priorityClassRef.group == self.spec.priorityClassRef.group",
         "spec.priorityClassRef.group (v1beta1: spec.priorityClassSource) cannot be changed while "
         "quota is reserved")
          .PreviousCel("!(" CEL_WAS_RESERVED " && has(oldSelf.spec.priorityClassSource) && "
                       "has(self.spec.priorityClassSource)) || "
                       "oldSelf.spec.priorityClassSource == self.spec.priorityClassSource"),
      MustChange<[](const Workload& self, const Workload& old) {
        return !KeepsPriorityClass(self, old) ||
               old.spec.priority_class_ref->kind == self.spec.priority_class_ref->kind;
      }>("!(" CEL_KEEPS_CLASS
         ") || oldSelf.spec.priorityClassRef.kind == self.spec.priorityClassRef.kind",
         "spec.priorityClassRef.kind cannot be changed while quota is reserved")
          .New(),
      MustChange<[](const Workload& self, const Workload& old) {
        return !KeepsPriorityClass(self, old) ||
               !IsPodPriorityClass(*self.spec.priority_class_ref) ||
               old.spec.priority_class_ref->name == self.spec.priority_class_ref->name;
      }>("!(" CEL_KEEPS_CLASS " && self.spec.priorityClassRef.group == 'scheduling.k8s.io' && "
         "self.spec.priorityClassRef.kind == 'PriorityClass') || "
         "oldSelf.spec.priorityClassRef.name == self.spec.priorityClassRef.name",
         "spec.priorityClassRef.name (v1beta1: spec.priorityClassName) of a PriorityClass cannot "
         "be "
         "changed while quota is reserved")
          .PreviousCel(
              "!(" CEL_WAS_RESERVED
              " && has(oldSelf.spec.priorityClassSource) && has(self.spec.priorityClassSource) && "
              "self.spec.priorityClassSource != 'kueue.x-k8s.io/workloadpriorityclass' && "
              "has(oldSelf.spec.priorityClassName) && has(self.spec.priorityClassName)) || "
              "oldSelf.spec.priorityClassName == self.spec.priorityClassName"),
      MustChange<[](const Workload& self, const Workload& old) {
        return !HasQuotaReserved(old) || !HasQuotaReserved(self) ||
               old.spec.queue_name == self.spec.queue_name;
      }>("!" CEL_WAS_RESERVED " || !" CEL_RESERVED
         " || (has(oldSelf.spec.queueName) == has(self.spec.queueName) && "
         "(!has(oldSelf.spec.queueName) || oldSelf.spec.queueName == self.spec.queueName))",
         "spec.queueName cannot be changed while quota is reserved"),
      MustChange<[](const Workload& self, const Workload& old) {
        return !IsAdmitted(old) || !IsAdmitted(self) ||
               old.spec.maximum_execution_time_seconds.value_or(0) ==
                   self.spec.maximum_execution_time_seconds.value_or(0);
      }>("!" CEL_WAS_ADMITTED " || !" CEL_ADMITTED
         " || (has(oldSelf.spec.maximumExecutionTimeSeconds) ? "
         "oldSelf.spec.maximumExecutionTimeSeconds : 0) == "
         "(has(self.spec.maximumExecutionTimeSeconds) ? "
         "self.spec.maximumExecutionTimeSeconds : 0)",
         "spec.maximumExecutionTimeSeconds cannot be changed while the workload is admitted"),
      MustChange<[](const Workload& self, const Workload& old) {
        return !HasQuotaReserved(old) || HasSameConstraints(self, old);
      }>("!" CEL_WAS_RESERVED
         " || (has(oldSelf.spec.admissionConstraints) == has(self.spec.admissionConstraints) && "
         "(!has(oldSelf.spec.admissionConstraints) || "
         "oldSelf.spec.admissionConstraints == self.spec.admissionConstraints))",
         "spec.admissionConstraints cannot be changed while quota is reserved"),
  };
  static constexpr auto kStruct = schema::Describe<Workload>(
      "Workload", "Workload is a unit of admission: the pods of a job that are admitted together.",
      kFields, kRules);
  return kStruct;
}

#undef CEL_KEEPS_CLASS
#undef CEL_WAS_ADMITTED
#undef CEL_ADMITTED
#undef CEL_WAS_RESERVED
#undef CEL_RESERVED
#undef CEL_CONDITION

const schema::Kind& Workload::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"kwl", "kueueworkload", "kueueworkloads"};
  static constexpr schema::Column kColumns[] = {
      {"Queue", "string", ".spec.queueName", "LocalQueue of the workload"},
      {"Reserved in", "string", ".status.admission.clusterQueue",
       "ClusterQueue of the quota reservation"},
      {"Admitted", "string", ".status.conditions[?(@.type=='Admitted')].status",
       "Whether the workload is admitted"},
      {"Finished", "string", ".status.conditions[?(@.type=='Finished')].status",
       "Whether the workload is finished"},
      {"Age", "date", ".metadata.creationTimestamp", "Time since creation"},
  };
  static constexpr std::string_view kSelectableFields[] = {".status.admission.clusterQueue"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "Workload",
                                      .plural = "workloads",
                                      .is_namespaced = true,
                                      .structure = &Workload::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns,
                                      .has_status = true,
                                      .selectable_fields = kSelectableFields,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::PodSetRequest>;
template class std::vector<berth::api::PreemptionGate>;
template class std::vector<berth::api::PreemptionGateState>;
template class std::vector<berth::api::ReclaimablePod>;
template class std::vector<berth::api::SchedulingStatsEviction>;
template class std::vector<berth::api::UnhealthyNode>;
