#include "api/core/runtime_class.h"

namespace berth::api {

using schema::Member;

const schema::Struct& RuntimeOverhead::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeOverhead::pod_fixed>("podFixed", "Overhead of each pod."),
  };
  static constexpr auto kStruct = schema::Describe<RuntimeOverhead>(
      "RuntimeOverhead", "RuntimeOverhead is the overhead of running a pod.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeScheduling::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeScheduling::node_selector>("nodeSelector",
                                                "Labels of nodes that support the runtime."),
      Member<&RuntimeScheduling::tolerations>("tolerations", "Tolerations added to the pods."),
  };
  static constexpr auto kStruct = schema::Describe<RuntimeScheduling>(
      "RuntimeScheduling", "RuntimeScheduling selects nodes that support the runtime.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeClass::metadata>("metadata", "Standard object metadata."),
      Member<&RuntimeClass::handler>("handler",
                                     "Name of the runtime in the configuration of the nodes.")
          .Required(),
      Member<&RuntimeClass::overhead>("overhead", "Overhead of running a pod."),
      Member<&RuntimeClass::scheduling>("scheduling", "Nodes that support the runtime."),
  };
  static constexpr auto kStruct = schema::Describe<RuntimeClass>(
      "RuntimeClass", "RuntimeClass is a container runtime that pods can select.", kFields);
  return kStruct;
}

const schema::Kind& RuntimeClass::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "node.k8s.io",
      .version = "v1",
      .kind = "RuntimeClass",
      .plural = "runtimeclasses",
      .structure = &RuntimeClass::Description,
  };
  return kKind;
}

}  // namespace berth::api
