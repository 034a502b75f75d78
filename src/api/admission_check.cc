#include "api/admission_check.h"

#include "api/list_keys.h"
#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::MustChange;

const schema::Struct& AdmissionCheckParametersReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckParametersReference::api_group>("apiGroup", "Group of that object.")
          .Required()
          .MinLength(1)
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&AdmissionCheckParametersReference::kind>("kind", "Kind of that object.")
          .Required()
          .MinLength(1)
          .MaxLength(63)
          .Matches(kKindNamePattern),
      Member<&AdmissionCheckParametersReference::name>("name", "Name of that object.")
          .Required()
          .MinLength(1)
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckParametersReference>(
      "AdmissionCheckParametersReference", "The object that configures a check.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheckSpec::Description() {
  static constexpr schema::Rule kStays[] = {
      MustChange<[](const std::string& self, const std::string& old) { return self == old; }>(
          "self == oldSelf",
          "controllerName cannot be changed; create another AdmissionCheck instead"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckSpec::controller_name>(
          "controllerName", "Who decides, such as kueue.x-k8s.io/provisioning-request.")
          .Required()
          .MinLength(1)
          .MaxLength(253)
          .Rules(kStays),
      Member<&AdmissionCheckSpec::parameters>("parameters",
                                              "The object that configures the check."),
      Member<&AdmissionCheckSpec::former_retry_delay_minutes>("retryDelayMinutes", "Had no effect.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<AdmissionCheckSpec>("AdmissionCheckSpec", "Who decides, and how.", kFields)
          .Upgrade([](void* self) {
            static_cast<AdmissionCheckSpec*>(self)->former_retry_delay_minutes = {};
          });
  return kStruct;
}

const schema::Struct& AdmissionCheckStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheckStatus::conditions>("conditions", "State: Active, or why it is not.")
          .MaxItems(16)
          .MapBy(kByType),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheckStatus>(
      "AdmissionCheckStatus", "Whether the check works.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionCheck::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionCheck::metadata>("metadata", "Name, labels and so on."),
      Member<&AdmissionCheck::spec>("spec", "Who decides, and how."),
      Member<&AdmissionCheck::status>("status", "Whether the check works."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionCheck>(
      "AdmissionCheck", "What must agree before a workload that has quota may start.", kFields);
  return kStruct;
}

const schema::Kind& AdmissionCheck::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"ac"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "AdmissionCheck",
                                      .plural = "admissionchecks",
                                      .structure = &AdmissionCheck::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .has_status = true};
  return kKind;
}

}  // namespace berth::api
