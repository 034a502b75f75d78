#include "api/admission_check_state.h"

#include "api/names.h"
#include "api/toleration_rules.h"

namespace berth::api {

using schema::Member;

const schema::Struct& PodSetUpdate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetUpdate::name>("name", "Name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&PodSetUpdate::labels>("labels", "Labels that the pods get."),
      Member<&PodSetUpdate::annotations>("annotations", "Annotations that the pods get."),
      Member<&PodSetUpdate::node_selector>("nodeSelector", "Node selector that the pods get."),
      Member<&PodSetUpdate::tolerations>("tolerations", "Tolerations that the pods get.")
          .MaxItems(8)
          .Rules(kTolerationRules),
  };
  static constexpr auto kStruct = schema::Describe<PodSetUpdate>(
      "PodSetUpdate", "What a check adds to the pods of a set.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheckState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckState::name>("name", "Name of the AdmissionCheck.")
          .Required()
          .MinLength(1)
          .MaxLength(316),
      Member<&AdmissionCheckState::state>("state", "What the check says.")
          .Required()
          .OneOf(kCheckStates),
      Member<&AdmissionCheckState::last_transition_time>("lastTransitionTime",
                                                         "When state last changed.")
          .Required(),
      Member<&AdmissionCheckState::message>("message", "Why, for people.")
          .Required()
          .MaxLength(32768),
      Member<&AdmissionCheckState::requeue_after_seconds>(
          "requeueAfterSeconds",
          "With Retry: how long the workload waits before it is queued again.")
          .Min(0),
      Member<&AdmissionCheckState::retry_count>("retryCount", "How often the check said Retry.")
          .Min(0),
      Member<&AdmissionCheckState::pod_set_updates>("podSetUpdates",
                                                    "What the check adds to the pods.")
          .MaxItems(18),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckState>(
      "AdmissionCheckState", "What one admission check says about the workload.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::AdmissionCheckState>;
template class std::vector<berth::api::PodSetUpdate>;
