#include "api/core/admission_review.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& GroupVersionKind::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GroupVersionKind::group>("group", "Group of the kind.").Required(),
      Member<&GroupVersionKind::version>("version", "Version of the kind.").Required(),
      Member<&GroupVersionKind::kind>("kind", "Name of the kind.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<GroupVersionKind>(
      "GroupVersionKind", "GroupVersionKind identifies a kind.", kFields);
  return kStruct;
}

const schema::Struct& GroupVersionResource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GroupVersionResource::group>("group", "Group of the resource.").Required(),
      Member<&GroupVersionResource::version>("version", "Version of the resource.").Required(),
      Member<&GroupVersionResource::resource>("resource", "Plural name of the resource.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<GroupVersionResource>(
      "GroupVersionResource", "GroupVersionResource identifies a resource.", kFields);
  return kStruct;
}

namespace {

constexpr schema::Type kCarriedStringsMap{.shape = schema::Shape::kMap,
                                          .element = &schema::kCarriedStrings};

}  // namespace

const schema::Struct& UserInfo::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&UserInfo::username>("username", "Name of the user."),
      Member<&UserInfo::uid>("uid", "ID of the user."),
      Member<&UserInfo::groups>("groups", "Groups of the user."),
      Carried("extra", kCarriedStringsMap, "Additional attributes of the user."),
  };
  static constexpr auto kStruct =
      schema::Describe<UserInfo>("UserInfo", "UserInfo identifies the user of a request.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionRequest::uid>("uid", "ID of the request, repeated in the response.")
          .Required(),
      Member<&AdmissionRequest::kind>("kind", "Kind of the object in this review.").Required(),
      Member<&AdmissionRequest::resource>("resource", "Resource in this review.").Required(),
      Member<&AdmissionRequest::sub_resource>("subResource",
                                              "Subresource, such as status or scale."),
      Member<&AdmissionRequest::request_kind>("requestKind", "Kind of the original request."),
      Member<&AdmissionRequest::request_resource>("requestResource",
                                                  "Resource of the original request."),
      Member<&AdmissionRequest::request_sub_resource>("requestSubResource",
                                                      "Subresource of the original request."),
      Member<&AdmissionRequest::name>("name", "Name of the object. May be empty on create."),
      Member<&AdmissionRequest::namespace_>("namespace", "Namespace of the object."),
      Member<&AdmissionRequest::operation>("operation", "CREATE, UPDATE, DELETE or CONNECT.")
          .Required(),
      Member<&AdmissionRequest::user_info>("userInfo", "User of the request.").Required(),
      Member<&AdmissionRequest::object>("object", "Object after the operation."),
      Member<&AdmissionRequest::old_object>("oldObject", "Object before the operation."),
      Member<&AdmissionRequest::dry_run>("dryRun", "Whether the operation is a dry run."),
      Member<&AdmissionRequest::options>("options", "Options of the operation."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionRequest>(
      "AdmissionRequest", "AdmissionRequest describes an operation to admit.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionResponse::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionResponse::uid>("uid", "ID of the request.").Required(),
      Member<&AdmissionResponse::allowed>("allowed", "Whether the operation is admitted.")
          .Required(),
      Member<&AdmissionResponse::status>("status", "Reason of a rejection."),
      Member<&AdmissionResponse::patch>("patch", "JSON patch of the object, in base64."),
      Member<&AdmissionResponse::patch_type>("patchType", "JSONPatch."),
      Member<&AdmissionResponse::audit_annotations>("auditAnnotations",
                                                    "Annotations of the audit log."),
      Member<&AdmissionResponse::warnings>("warnings", "Warnings shown to the user."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionResponse>(
      "AdmissionResponse", "AdmissionResponse is the answer of a webhook.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionReview::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionReview::request>("request", "Operation to admit."),
      Member<&AdmissionReview::response>("response", "Answer of the webhook."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionReview>(
      "AdmissionReview", "AdmissionReview is a request to an admission webhook or its response.",
      kFields);
  return kStruct;
}

const schema::Kind& AdmissionReview::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "admission.k8s.io",
      .version = "v1",
      .kind = "AdmissionReview",
      .plural = "",
      .structure = &AdmissionReview::Description,
  };
  return kKind;
}

}  // namespace berth::api
