#include "apiserver/rest_review.h"

#include "apiserver/rest_response.h"
#include "schema/json_writer.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {
namespace {

bool IsAccessReview(const RestTarget& target) {
  return target.group == "authorization.k8s.io" && target.version == "v1" &&
         target.plural == "selfsubjectaccessreviews";
}
bool IsSelfReview(const RestTarget& target) {
  return target.group == "authentication.k8s.io" && target.version == "v1" &&
         target.plural == "selfsubjectreviews";
}

// The question comes back with the answer where it can be read; the answer is always the same.
std::string AccessReview(std::string_view body) {
  const auto question = store::ParseJson(body);
  const store::json::value* spec = question ? store::FindJson(*question, {"spec"}) : nullptr;
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "SelfSubjectAccessReview");
  w.Member("apiVersion", "authorization.k8s.io/v1");
  w.Key("metadata").BeginObject().Key("creationTimestamp").Raw("null").EndObject();
  w.Key("spec").Raw(spec != nullptr ? store::PrintJson(*spec) : "{}");
  w.Key("status").BeginObject().Member("allowed", true);
  w.Member("reason", "every known user may do everything").EndObject().EndObject();
  return w.Take();
}

std::string SelfReview(const Subject& subject) {
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "SelfSubjectReview");
  w.Member("apiVersion", "authentication.k8s.io/v1");
  w.Key("metadata").BeginObject().Key("creationTimestamp").Raw("null").EndObject();
  w.Key("status").BeginObject().Key("userInfo").BeginObject().Member("username", subject.user);
  w.Key("groups").BeginArray();
  for (const std::string& group : subject.groups) w.Value(group);
  w.Value("system:authenticated").EndArray().EndObject().EndObject().EndObject();
  return w.Take();
}

}  // namespace

bool IsReview(const RestTarget& target) {
  return target.name.empty() && (IsAccessReview(target) || IsSelfReview(target));
}

HttpResponse AnswerReview(const HttpRequest& request, const RestTarget& target) {
  if (request.method != "POST")
    return StatusResponse(405, store::reason::kMethodNotAllowed,
                          "the server does not allow this method on the requested resource");
  HttpResponse response =
      RenderJson(IsSelfReview(target) ? SelfReview(request.subject) : AccessReview(request.body));
  response.status = 201;
  return response;
}

}  // namespace berth::apiserver
