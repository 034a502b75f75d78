#include "api/core/toleration.h"

namespace berth::api {

using schema::Member;

const schema::Struct& Taint::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Taint::key>("key", "Key of the taint.").Required(),
      Member<&Taint::value>("value", "Value that tolerations are compared with."),
      Member<&Taint::effect>("effect", "NoSchedule, PreferNoSchedule or NoExecute.").Required(),
      Member<&Taint::time_added>("timeAdded", "Time at which the taint was added."),
  };
  static constexpr auto kStruct =
      schema::Describe<Taint>("Taint", "Taint repels pods that do not tolerate it.", kFields);
  return kStruct;
}

const schema::Struct& Toleration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Toleration::key>("key",
                               "Key of the tolerated taint. Empty with Exists tolerates all."),
      Member<&Toleration::op>("operator", "Exists, Equal (the default), Lt or Gt."),
      Member<&Toleration::value>("value", "Value that the taint's value is compared with."),
      Member<&Toleration::effect>("effect", "Tolerated effect. Empty tolerates all."),
      Member<&Toleration::toleration_seconds>(
          "tolerationSeconds",
          "Seconds for which a NoExecute taint is tolerated. If absent, forever."),
  };
  static constexpr auto kStruct = schema::Describe<Toleration>(
      "Toleration", "Toleration allows a pod on nodes with a matching taint.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Taint>;
template class std::vector<berth::api::Toleration>;
