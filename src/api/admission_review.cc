#include "api/admission_review.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& GroupVersionKind::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GroupVersionKind::group>("group", "Its group.").Required(),
      Member<&GroupVersionKind::version>("version", "Its version.").Required(),
      Member<&GroupVersionKind::kind>("kind", "Its name.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<GroupVersionKind>("GroupVersionKind", "A kind.", kFields);
  return kStruct;
}

const schema::Struct& GroupVersionResource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GroupVersionResource::group>("group", "Its group.").Required(),
      Member<&GroupVersionResource::version>("version", "Its version.").Required(),
      Member<&GroupVersionResource::resource>("resource", "Its plural name.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<GroupVersionResource>("GroupVersionResource", "A resource.", kFields);
  return kStruct;
}

namespace {

constexpr schema::Type kCarriedStringsMap{.shape = schema::Shape::kMap,
                                          .element = &schema::kCarriedStrings};

}  // namespace

const schema::Struct& UserInfo::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&UserInfo::username>("username", "Name of the user."),
      Member<&UserInfo::uid>("uid", "Id of the user."),
      Member<&UserInfo::groups>("groups", "Groups of the user."),
      Carried("extra", kCarriedStringsMap, "More about the user."),
  };
  static constexpr auto kStruct = schema::Describe<UserInfo>("UserInfo", "Who asks.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionRequest::uid>("uid", "Id of the request, for the answer.").Required(),
      Member<&AdmissionRequest::kind>("kind", "Kind of the object as sent here.").Required(),
      Member<&AdmissionRequest::resource>("resource", "Resource as sent here.").Required(),
      Member<&AdmissionRequest::sub_resource>("subResource", "Such as status or scale."),
      Member<&AdmissionRequest::request_kind>("requestKind", "Kind as the user sent it."),
      Member<&AdmissionRequest::request_resource>("requestResource",
                                                  "Resource as the user sent it."),
      Member<&AdmissionRequest::request_sub_resource>("requestSubResource",
                                                      "Subresource as the user sent it."),
      Member<&AdmissionRequest::name>("name", "Name of the object; empty while it is to be made."),
      Member<&AdmissionRequest::namespace_>("namespace", "Namespace of the object."),
      Member<&AdmissionRequest::operation>("operation", "CREATE, UPDATE, DELETE or CONNECT.")
          .Required(),
      Member<&AdmissionRequest::user_info>("userInfo", "Who asks.").Required(),
      Member<&AdmissionRequest::object>("object", "The object as it would be."),
      Member<&AdmissionRequest::old_object>("oldObject", "The object as it is."),
      Member<&AdmissionRequest::dry_run>("dryRun", "Whether nothing will be stored."),
      Member<&AdmissionRequest::options>("options", "Options of the operation."),
  };
  static constexpr auto kStruct =
      schema::Describe<AdmissionRequest>("AdmissionRequest", "What is asked for.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionResponse::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionResponse::uid>("uid", "Id of the request.").Required(),
      Member<&AdmissionResponse::allowed>("allowed", "Whether it may go on.").Required(),
      Member<&AdmissionResponse::status>("status", "Why not."),
      Member<&AdmissionResponse::patch>("patch", "Changes to make, as base64 of a JSON patch."),
      Member<&AdmissionResponse::patch_type>("patchType", "JSONPatch."),
      Member<&AdmissionResponse::audit_annotations>("auditAnnotations", "Notes for the audit log."),
      Member<&AdmissionResponse::warnings>("warnings", "Shown to the user."),
  };
  static constexpr auto kStruct =
      schema::Describe<AdmissionResponse>("AdmissionResponse", "The answer.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionReview::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionReview::request>("request", "The question."),
      Member<&AdmissionReview::response>("response", "The answer."),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionReview>(
      "AdmissionReview", "A question to a webhook, or its answer.", kFields);
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
