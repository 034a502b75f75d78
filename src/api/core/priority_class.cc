#include "api/core/priority_class.h"

namespace berth::api {

using schema::Member;

const schema::Struct& PriorityClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PriorityClass::metadata>("metadata", "Standard object metadata."),
      Member<&PriorityClass::value>("value", "Priority of the pods; higher is more important.")
          .Required(),
      Member<&PriorityClass::global_default>("globalDefault",
                                             "Whether pods without a class get this one."),
      Member<&PriorityClass::description>("description", "Advice on when to use the class."),
      Member<&PriorityClass::preemption_policy>("preemptionPolicy",
                                                "PreemptLowerPriority or Never.")
          .Default("\"PreemptLowerPriority\""),
  };
  static constexpr auto kStruct = schema::Describe<PriorityClass>(
      "PriorityClass", "PriorityClass maps a name to a priority of pods.", kFields);
  return kStruct;
}

const schema::Kind& PriorityClass::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"pc"};
  static constexpr schema::Kind kKind{
      .group = "scheduling.k8s.io",
      .version = "v1",
      .kind = "PriorityClass",
      .plural = "priorityclasses",
      .structure = &PriorityClass::Description,
      .short_names = kShortNames,
  };
  return kKind;
}

}  // namespace berth::api
