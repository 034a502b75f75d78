#include "api/workload.h"

#include <utility>

#include "api/conditions.h"
#include "api/list_keys.h"
#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

namespace {

constexpr std::string_view kPriorityClassGroups[] = {kKueueGroup, kSchedulingGroup};

// How the former API named where a priority class comes from.
constexpr std::string_view kFormerWorkloadSource = "kueue.x-k8s.io/workloadpriorityclass";
constexpr std::string_view kFormerPodSource = "scheduling.k8s.io/priorityclass";
constexpr std::string_view kFormerPriorityClassSources[] = {kFormerWorkloadSource, kFormerPodSource,
                                                            ""};

void UpgradeSpec(void* self) {
  auto& spec = *static_cast<WorkloadSpec*>(self);
  const std::string source = std::exchange(spec.former_priority_class_source, {});
  const std::string name = std::exchange(spec.former_priority_class_name, {});
  if (source == kFormerWorkloadSource)
    spec.priority_class_ref = {std::string(kKueueGroup), std::string(kWorkloadPriorityClassKind),
                               name};
  if (source == kFormerPodSource)
    spec.priority_class_ref = {std::string(kSchedulingGroup), std::string(kPriorityClassKind),
                               name};
}

}  // namespace

const schema::Struct& PriorityClassRef::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PriorityClassRef::group>("group", "Group of the class.")
          .Required()
          .OneOf(kPriorityClassGroups),
      Member<&PriorityClassRef::kind>("kind", "Kind of the class.")
          .Required()
          .OneOf(kPriorityClassKinds),
      Member<&PriorityClassRef::name>("name", "Name of the class.")
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
      "PriorityClassRef", "Where the priority comes from.", kFields, kRules);
  return kStruct;
}

const schema::Struct& PreemptionGate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreemptionGate::name>("name", "Name of the gate.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
  };
  static constexpr auto kStruct = schema::Describe<PreemptionGate>(
      "PreemptionGate", "Keeps the workload from preempting others until it is opened.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionConstraints::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionConstraints::preemption>("preemption",
                                                "Never: do not preempt others to admit it.")
          .OneOf(kAdmissionConstraintValues),
      Member<&AdmissionConstraints::borrowing>("borrowing",
                                               "Never: do not borrow quota to admit it.")
          .OneOf(kAdmissionConstraintValues),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionConstraints>(
      "AdmissionConstraints", "What must not be done to admit the workload.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadSpec::pod_sets>("podSets", "The pods of the workload, in sets of equal ones.")
          .Required()
          .MinItems(1)
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadSpec::queue_name>("queueName", "LocalQueue that the workload waits in.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&WorkloadSpec::priority_class_ref>("priorityClassRef",
                                                "Class that priority was taken from.")
          .New(),
      Member<&WorkloadSpec::priority>("priority", "Place in the queue; the higher comes first."),
      Member<&WorkloadSpec::active>("active",
                                    "False: do not admit the workload, and evict it if it runs.")
          .Default("true"),
      Member<&WorkloadSpec::maximum_execution_time_seconds>(
          "maximumExecutionTimeSeconds", "Time after which an admitted workload is deactivated.")
          .Min(1),
      Member<&WorkloadSpec::preemption_gates>(
          "preemptionGates", "Gates that must be open before the workload may preempt others.")
          .MaxItems(8)
          .MapBy(kByName)
          .New(),
      Member<&WorkloadSpec::admission_constraints>("admissionConstraints",
                                                   "What must not be done to admit the workload."),
      Member<&WorkloadSpec::former_priority_class_name>("priorityClassName",
                                                        "Replaced by priorityClassRef.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .Former(),
      Member<&WorkloadSpec::former_priority_class_source>("priorityClassSource",
                                                          "Replaced by priorityClassRef.")
          .OneOf(kFormerPriorityClassSources)
          .Former(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const WorkloadSpec& self) { return !self.priority_class_ref || self.priority; }>(
          "!has(self.priorityClassRef) || has(self.priority)",
          "priority must be given together with priorityClassRef")
          .FormerCel("!has(self.priorityClassName) || has(self.priority)"),
  };
  static constexpr auto kStruct =
      schema::Describe<WorkloadSpec>("WorkloadSpec", "What the workload asks for.", kFields, kRules)
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

// Whether quota was reserved, and a priority class is named before and after.
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

// CEL has no functions of one's own, so texts that recur are put together here.
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
      Member<&Workload::metadata>("metadata", "Name, labels and so on."),
      Member<&Workload::spec>("spec", "What the workload asks for."),
      Member<&Workload::status>("status", "What became of it."),
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
         "spec.priorityClassRef.group cannot be changed while quota is reserved")
          .New(),
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
         "spec.priorityClassRef.name of a PriorityClass cannot be changed while quota is reserved")
          .New(),
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
      "Workload", "What a job asks of a queue, and what became of it.", kFields, kRules);
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
      {"Queue", "string", ".spec.queueName", "LocalQueue that it waits in"},
      {"Reserved in", "string", ".status.admission.clusterQueue", "ClusterQueue that gave quota"},
      {"Admitted", "string", ".status.conditions[?(@.type=='Admitted')].status",
       "Whether it may run"},
      {"Finished", "string", ".status.conditions[?(@.type=='Finished')].status",
       "Whether it has finished"},
      {"Age", "date", ".metadata.creationTimestamp", "Time since it was created"},
  };
  static constexpr std::string_view kSelectableFields[] = {".status.admission.clusterQueue"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "Workload",
                                      .plural = "workloads",
                                      .is_namespaced = true,
                                      .structure = &Workload::Description,
                                      .former_versions = kFormerKueueVersions,
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
