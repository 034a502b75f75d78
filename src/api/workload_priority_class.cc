#include "api/workload_priority_class.h"

#include "api/well_known.h"

namespace berth::api {

using schema::Member;

const schema::Struct& WorkloadPriorityClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadPriorityClass::metadata>("metadata", "Name, labels and so on."),
      Member<&WorkloadPriorityClass::value>("value", "Priority; the higher comes first.")
          .Required(),
      Member<&WorkloadPriorityClass::description>("description", "When to use this class.")
          .MaxLength(2048),
  };
  static constexpr auto kStruct = schema::Describe<WorkloadPriorityClass>(
      "WorkloadPriorityClass", "A named priority for workloads in their queues.", kFields);
  return kStruct;
}

const schema::Kind& WorkloadPriorityClass::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"wpc"};
  static constexpr schema::Column kColumns[] = {
      {"Value", "integer", ".value", "Priority of workloads of this class"},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "WorkloadPriorityClass",
                                      .plural = "workloadpriorityclasses",
                                      .structure = &WorkloadPriorityClass::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns};
  return kKind;
}

}  // namespace berth::api
