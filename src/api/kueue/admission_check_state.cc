#include "api/kueue/admission_check_state.h"

#include "api/core/toleration_rules.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;

const schema::Struct& PodSetUpdate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetUpdate::name>("name", "name is the name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&PodSetUpdate::labels>("labels", "labels are added to the pods."),
      Member<&PodSetUpdate::annotations>("annotations", "annotations are added to the pods."),
      Member<&PodSetUpdate::node_selector>("nodeSelector", "nodeSelector is added to the pods."),
      Member<&PodSetUpdate::tolerations>("tolerations", "tolerations are added to the pods.")
          .MaxItems(8)
          .Rules(kTolerationRules),
  };
  static constexpr auto kStruct = schema::Describe<PodSetUpdate>(
      "PodSetUpdate", "PodSetUpdate holds changes that a check makes to the pods of a set.",
      kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheckState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckState::name>("name", "name is the name of the AdmissionCheck.")
          .Required()
          .MinLength(1)
          .MaxLength(316),
      Member<&AdmissionCheckState::state>("state", "state is the state of the check.")
          .Required()
          .OneOf(kCheckStates),
      Member<&AdmissionCheckState::last_transition_time>(
          "lastTransitionTime", "lastTransitionTime is the time at which state last changed.")
          .Required(),
      Member<&AdmissionCheckState::message>("message", "message explains the state to users.")
          .Required()
          .MaxLength(32768),
      Member<&AdmissionCheckState::requeue_after_seconds>(
          "requeueAfterSeconds",
          "requeueAfterSeconds is the delay before the Workload is requeued. Valid for state "
          "Retry.")
          .Min(0),
      Member<&AdmissionCheckState::retry_count>(
          "retryCount", "retryCount is the number of times the check entered state Retry.")
          .Min(0),
      Member<&AdmissionCheckState::pod_set_updates>(
          "podSetUpdates", "podSetUpdates holds changes that the check makes to the pods.")
          .MaxItems(18),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckState>(
      "AdmissionCheckState",
      "AdmissionCheckState is the state of one admission check of a Workload.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::AdmissionCheckState>;
template class std::vector<berth::api::PodSetUpdate>;
