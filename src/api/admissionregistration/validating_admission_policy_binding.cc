#include "api/admissionregistration/validating_admission_policy_binding.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::Member;

namespace {

const schema::Struct& ParamRefShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the parameters."),
      Carried("namespace", kCarriedString, "Namespace of the parameters."),
      Carried("selector", kCarriedStruct<&LabelSelector::Description>,
              "Labels of the parameters, instead of a name."),
      Carried("parameterNotFoundAction", kCarriedString, "Allow or Deny."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ParamRef", "ParamRef refers to the parameters of a policy.", kFields)
          .Atomic();
  return kStruct;
}

}  // namespace

const schema::Struct& ValidatingAdmissionPolicyBindingSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("policyName", kCarriedString, "Name of the ValidatingAdmissionPolicy."),
      Carried("paramRef", kCarriedStruct<&ParamRefShape>, "Parameters of the policy."),
      Member<&ValidatingAdmissionPolicyBindingSpec::match_resources>(
          "matchResources", "Requests to validate, in addition to the policy's constraints."),
      Carried("validationActions", kCarriedStrings, "Deny, Warn and Audit.").SetOf(),
  };
  static constexpr auto kStruct = schema::Describe<ValidatingAdmissionPolicyBindingSpec>(
      "ValidatingAdmissionPolicyBindingSpec",
      "ValidatingAdmissionPolicyBindingSpec says where and how a policy applies.", kFields);
  return kStruct;
}

const schema::Struct& ValidatingAdmissionPolicyBinding::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ValidatingAdmissionPolicyBinding::metadata>("metadata", "Standard object metadata."),
      Member<&ValidatingAdmissionPolicyBinding::spec>("spec", "Where and how the policy applies."),
  };
  static constexpr auto kStruct = schema::Describe<ValidatingAdmissionPolicyBinding>(
      "ValidatingAdmissionPolicyBinding",
      "ValidatingAdmissionPolicyBinding puts a policy into effect.", kFields);
  return kStruct;
}

const schema::Kind& ValidatingAdmissionPolicyBinding::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "admissionregistration.k8s.io",
      .version = "v1",
      .kind = "ValidatingAdmissionPolicyBinding",
      .plural = "validatingadmissionpolicybindings",
      .structure = &ValidatingAdmissionPolicyBinding::Description,
  };
  return kKind;
}

}  // namespace berth::api
