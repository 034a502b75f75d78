#include "api/kueue/admission_check.h"

#include "api/kueue/well_known.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::MustChange;

const schema::Struct& AdmissionCheckParametersReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckParametersReference::api_group>(
          "apiGroup", "apiGroup is the group of the referenced object.")
          .Required()
          .MinLength(1)
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&AdmissionCheckParametersReference::kind>("kind",
                                                       "kind is the kind of the referenced object.")
          .Required()
          .MinLength(1)
          .MaxLength(63)
          .Matches(kKindNamePattern),
      Member<&AdmissionCheckParametersReference::name>("name",
                                                       "name is the name of the referenced object.")
          .Required()
          .MinLength(1)
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckParametersReference>(
      "AdmissionCheckParametersReference",
      "AdmissionCheckParametersReference identifies the object that configures a check.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheckSpec::Description() {
  static constexpr schema::Rule kStays[] = {
      MustChange<[](const std::string& self, const std::string& old) { return self == old; }>(
          "self == oldSelf",
          "controllerName cannot be changed; create another AdmissionCheck instead"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckSpec::controller_name>("controllerName",
                                                   "controllerName is the controller of the check, "
                                                   "such as kueue.x-k8s.io/provisioning-request.")
          .Required()
          .MinLength(1)
          .MaxLength(253)
          .Rules(kStays),
      Member<&AdmissionCheckSpec::parameters>(
          "parameters", "parameters refers to the object that configures the check."),
      Member<&AdmissionCheckSpec::previous_retry_delay_minutes>("retryDelayMinutes",
                                                                "retryDelayMinutes has no effect.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<AdmissionCheckSpec>(
          "AdmissionCheckSpec", "AdmissionCheckSpec is the desired state of an AdmissionCheck.",
          kFields)
          .Upgrade([](void* self) {
            static_cast<AdmissionCheckSpec*>(self)->previous_retry_delay_minutes = {};
          });
  return kStruct;
}

const schema::Struct& AdmissionCheckStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckStatus::conditions>(
          "conditions", "conditions holds the condition Active, with the reason if it is not True.")
          .MaxItems(16)
          .MapBy(kByType),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckStatus>(
      "AdmissionCheckStatus", "AdmissionCheckStatus is the observed state of an AdmissionCheck.",
      kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheck::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheck::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&AdmissionCheck::spec>("spec", "spec is the desired state of the AdmissionCheck."),
      Member<&AdmissionCheck::status>("status",
                                      "status is the observed state of the AdmissionCheck."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheck>(
      "AdmissionCheck",
      "AdmissionCheck is a check that Workloads with a quota reservation pass before admission.",
      kFields);
  return kStruct;
}

const schema::Kind& AdmissionCheck::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"ac"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "AdmissionCheck",
                                      .plural = "admissionchecks",
                                      .structure = &AdmissionCheck::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames,
                                      .has_status = true};
  return kKind;
}

}  // namespace berth::api
