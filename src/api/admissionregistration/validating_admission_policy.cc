#include "api/admissionregistration/validating_admission_policy.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt64;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

namespace {

const schema::Struct& ParamKindShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiVersion", kCarriedString, "Group and version of the parameters."),
      Carried("kind", kCarriedString, "Kind of the parameters."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ParamKind", "ParamKind is the kind of a policy's parameters.",
                              kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& ValidationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("expression", kCarriedString, "CEL expression that must be true.").Required(),
      Carried("message", kCarriedString, "Message if the expression is false."),
      Carried("reason", kCarriedString, "Reason of the status if the expression is false."),
      Carried("messageExpression", kCarriedString, "CEL expression of the message."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("Validation", "Validation is a rule for requests.", kFields);
  return kStruct;
}

const schema::Struct& AuditAnnotationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("key", kCarriedString, "Key of the annotation.").Required(),
      Carried("valueExpression", kCarriedString, "CEL expression of the value.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "AuditAnnotation", "AuditAnnotation is added to the audit event of a request.", kFields);
  return kStruct;
}

// MatchCondition and Variable.
const schema::Struct& NamedExpressionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the expression.").Required(),
      Carried("expression", kCarriedString, "CEL expression.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NamedExpression", "NamedExpression is a CEL expression with a name.", kFields);
  return kStruct;
}

const schema::Struct& ExpressionWarningShape() {
  static constexpr schema::Field kFields[] = {
      Carried("fieldRef", kCarriedString, "Path of the expression.").Required(),
      Carried("warning", kCarriedString, "Result of type checking.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ExpressionWarning", "ExpressionWarning is a finding about an expression.", kFields);
  return kStruct;
}

const schema::Struct& TypeCheckingShape() {
  static constexpr schema::Field kFields[] = {
      Carried("expressionWarnings", kCarriedStructs<&ExpressionWarningShape>,
              "Findings, by expression."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "TypeChecking", "TypeChecking is the result of checking the expressions.", kFields);
  return kStruct;
}

const schema::Struct& PolicyStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("observedGeneration", kCarriedInt64, "Generation of the status."),
      Carried("typeChecking", kCarriedStruct<&TypeCheckingShape>, "Result of type checking."),
      Carried("conditions", kCarriedStructs<&Condition::Description>, "Conditions of the policy.")
          .MapBy(kByType),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ValidatingAdmissionPolicyStatus",
      "ValidatingAdmissionPolicyStatus is the observed state of a policy.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ValidatingAdmissionPolicySpec::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("paramKind", kCarriedStruct<&ParamKindShape>, "Kind of the parameters."),
      Member<&ValidatingAdmissionPolicySpec::match_constraints>("matchConstraints",
                                                                "Requests to validate."),
      Carried("validations", kCarriedStructs<&ValidationShape>, "Rules for the requests."),
      Member<&ValidatingAdmissionPolicySpec::failure_policy>("failurePolicy",
                                                             "Treatment of errors: Fail or Ignore.")
          .Default("\"Fail\""),
      Carried("auditAnnotations", kCarriedStructs<&AuditAnnotationShape>,
              "Annotations of audit events."),
      Carried("matchConditions", kCarriedStructs<&NamedExpressionShape>,
              "Conditions that requests must meet to be validated.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("variables", kCarriedStructs<&NamedExpressionShape>,
              "Expressions that others refer to as variables.NAME.")
          .MapBy(kByName)
          .PatchBy("name"),
  };
  static constexpr auto kStruct = schema::Describe<ValidatingAdmissionPolicySpec>(
      "ValidatingAdmissionPolicySpec",
      "ValidatingAdmissionPolicySpec is the desired behaviour of a policy.", kFields);
  return kStruct;
}

const schema::Struct& ValidatingAdmissionPolicy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ValidatingAdmissionPolicy::metadata>("metadata", "Standard object metadata."),
      Member<&ValidatingAdmissionPolicy::spec>("spec", "Desired behaviour of the policy."),
      Carried("status", kCarriedStruct<&PolicyStatusShape>, "Observed state of the policy."),
  };
  static constexpr auto kStruct = schema::Describe<ValidatingAdmissionPolicy>(
      "ValidatingAdmissionPolicy",
      "ValidatingAdmissionPolicy accepts or rejects requests without changing them.", kFields);
  return kStruct;
}

const schema::Kind& ValidatingAdmissionPolicy::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "admissionregistration.k8s.io",
      .version = "v1",
      .kind = "ValidatingAdmissionPolicy",
      .plural = "validatingadmissionpolicies",
      .structure = &ValidatingAdmissionPolicy::Description,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
