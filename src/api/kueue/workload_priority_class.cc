#include "api/kueue/workload_priority_class.h"

#include "api/kueue/well_known.h"

namespace berth::api {

using schema::Member;

const schema::Struct& WorkloadPriorityClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadPriorityClass::metadata>("metadata",
                                               "metadata is the standard object metadata."),
      Member<&WorkloadPriorityClass::value>("value", "value is the priority; higher comes first.")
          .Required(),
      Member<&WorkloadPriorityClass::description>("description",
                                                  "description is advice on when to use the class.")
          .MaxLength(2048),
  };
  static constexpr auto kStruct = schema::Describe<WorkloadPriorityClass>(
      "WorkloadPriorityClass", "WorkloadPriorityClass maps a name to a priority of Workloads.",
      kFields);
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
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns};
  return kKind;
}

}  // namespace berth::api
