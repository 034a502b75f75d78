#include "api/runtime_class.h"

namespace berth::api {

using schema::Member;

const schema::Struct& RuntimeOverhead::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeOverhead::pod_fixed>("podFixed", "Resources of each pod."),
  };
  static constexpr auto kStruct = schema::Describe<RuntimeOverhead>(
      "RuntimeOverhead", "What running a pod costs besides its containers.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeScheduling::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeScheduling::node_selector>("nodeSelector", "Labels of such nodes."),
      Member<&RuntimeScheduling::tolerations>("tolerations", "Tolerations that its pods get."),
  };
  static constexpr auto kStruct = schema::Describe<RuntimeScheduling>(
      "RuntimeScheduling", "Nodes that have the runtime.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RuntimeClass::metadata>("metadata", "Name, labels and the like."),
      Member<&RuntimeClass::handler>("handler", "Name of the runtime in the nodes' configuration.")
          .Required(),
      Member<&RuntimeClass::overhead>("overhead",
                                      "What running a pod costs besides its containers."),
      Member<&RuntimeClass::scheduling>("scheduling", "Nodes that have the runtime."),
  };
  static constexpr auto kStruct =
      schema::Describe<RuntimeClass>("RuntimeClass", "A way to run containers.", kFields);
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
