#include "api/core_condition.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedTime;
using schema::Member;

const schema::Struct& CoreCondition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CoreCondition::type>("type", "Which aspect this is about.").Required(),
      Member<&CoreCondition::status>("status", "True, False or Unknown.").Required(),
      Member<&CoreCondition::observed_generation>("observedGeneration",
                                                  "Generation that it was derived from."),
      Member<&CoreCondition::last_transition_time>("lastTransitionTime",
                                                   "When status last changed."),
      Member<&CoreCondition::reason>("reason", "Why, as one word for programs."),
      Member<&CoreCondition::message>("message", "Why, for people."),
      Carried("lastProbeTime", kCarriedTime, "When it was last looked at."),
      Carried("lastHeartbeatTime", kCarriedTime, "When the node last reported."),
      Carried("lastUpdateTime", kCarriedTime, "When it was last written."),
  };
  static constexpr auto kStruct = schema::Describe<CoreCondition>(
      "CoreCondition", "One aspect of the state of a built-in kind.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CoreCondition>;
