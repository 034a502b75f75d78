#include "api/toleration.h"

namespace berth::api {

using schema::Member;

const schema::Struct& Taint::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Taint::key>("key", "Name of the taint.").Required(),
      Member<&Taint::value>("value", "Value that tolerations compare with."),
      Member<&Taint::effect>("effect", "NoSchedule, PreferNoSchedule or NoExecute.").Required(),
      Member<&Taint::time_added>("timeAdded", "When the taint was put on the node."),
  };
  static constexpr auto kStruct =
      schema::Describe<Taint>("Taint", "Keeps pods that do not tolerate it off a node.", kFields);
  return kStruct;
}

const schema::Struct& Toleration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Toleration::key>("key", "Taint that is tolerated; empty with Exists means all."),
      Member<&Toleration::op>("operator", "Exists, Equal (the default), Lt or Gt."),
      Member<&Toleration::value>("value", "What the taint's value is compared with."),
      Member<&Toleration::effect>("effect", "Effect that is tolerated; empty means all."),
      Member<&Toleration::toleration_seconds>(
          "tolerationSeconds", "How long a NoExecute taint is tolerated; for ever if absent."),
  };
  static constexpr auto kStruct =
      schema::Describe<Toleration>("Toleration", "Lets a pod onto nodes with a taint.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Taint>;
template class std::vector<berth::api::Toleration>;
