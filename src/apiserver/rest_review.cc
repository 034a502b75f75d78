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

std::string AccessReview(const store::json::value& question) {
  const store::json::value* spec = store::FindJson(question, {"spec"});
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
  HttpResponse response;
  if (IsSelfReview(target)) {
    response = RenderJson(SelfReview(request.subject));
  } else {
    const auto question = store::ParseJson(request.body);
    if (!question) return RenderFailure(store::BadRequest(base::ToString(question.error())));
    response = RenderJson(AccessReview(*question));
  }
  response.status = 201;
  return response;
}

}  // namespace berth::apiserver
