#include "api/core/core_condition.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedTime;
using schema::Member;

const schema::Struct& CoreCondition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CoreCondition::type>("type", "Type of the condition.").Required(),
      Member<&CoreCondition::status>("status", "True, False or Unknown.").Required(),
      Member<&CoreCondition::observed_generation>(
          "observedGeneration", "Generation of the object that the condition was derived from."),
      Member<&CoreCondition::last_transition_time>("lastTransitionTime",
                                                   "Time at which status last changed."),
      Member<&CoreCondition::reason>("reason", "Machine-readable reason, in one word."),
      Member<&CoreCondition::message>("message", "Human-readable details."),
      Carried("lastProbeTime", kCarriedTime, "Time of the last probe."),
      Carried("lastHeartbeatTime", kCarriedTime, "Time of the node's last report."),
      Carried("lastUpdateTime", kCarriedTime, "Time of the last update."),
  };
  static constexpr auto kStruct = schema::Describe<CoreCondition>(
      "CoreCondition", "CoreCondition is a condition of a built-in kind.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CoreCondition>;
