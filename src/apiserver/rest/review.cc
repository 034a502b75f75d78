#include "apiserver/rest/review.h"

#include <optional>

#include "apiserver/rest/request.h"
#include "apiserver/rest/response.h"
#include "json/json.h"
#include "schema/json/writer.h"
#include "store/failure.h"

namespace berth::apiserver {
namespace {

enum class Review : uint8_t { kNone, kAccess, kRules, kSelf, kToken, kOthersAccess };

Review ReviewOf(const RestTarget& target) {
  if (!target.name.empty() || target.version != "v1") return Review::kNone;
  const bool is_about_rights = target.group == "authorization.k8s.io";
  if (is_about_rights && target.plural == "selfsubjectaccessreviews") return Review::kAccess;
  if (is_about_rights && target.plural == "selfsubjectrulesreviews") return Review::kRules;
  if (is_about_rights && target.plural == "subjectaccessreviews") return Review::kOthersAccess;
  const bool is_about_who = target.group == "authentication.k8s.io";
  if (is_about_who && target.plural == "tokenreviews") return Review::kToken;
  return is_about_who && target.plural == "selfsubjectreviews" ? Review::kSelf : Review::kNone;
}

void BeginReview(schema::JsonWriter& w, std::string_view group, std::string_view kind) {
  w.BeginObject().Member("kind", kind).Member("apiVersion", std::string(group) + "/v1");
  w.Key("metadata").BeginObject().Key("creationTimestamp").Raw("null").EndObject();
}

// Echoes the spec of the review if it parses.
void WriteReviewSpec(schema::JsonWriter& w, std::string_view body) {
  const auto question = json::Parse(body);
  const json::value* spec = question ? json::Find(*question, {"spec"}) : nullptr;
  w.Key("spec").Raw(spec != nullptr ? json::Print(*spec) : "{}");
}

std::string AccessReview(std::string_view kind, std::string_view body) {
  schema::JsonWriter w;
  BeginReview(w, "authorization.k8s.io", kind);
  WriteReviewSpec(w, body);
  w.Key("status").BeginObject().Member("allowed", true);
  w.Member("reason", "every authenticated user is authorized").EndObject().EndObject();
  return w.Take();
}

void WriteEverything(schema::JsonWriter& w, std::string_view key) {
  w.Key(key).BeginArray().Value("*").EndArray();
}

std::string RulesReview(std::string_view body) {
  schema::JsonWriter w;
  BeginReview(w, "authorization.k8s.io", "SelfSubjectRulesReview");
  WriteReviewSpec(w, body);
  w.Key("status").BeginObject().Key("resourceRules").BeginArray().BeginObject();
  for (const std::string_view key : {"verbs", "apiGroups", "resources"}) WriteEverything(w, key);
  w.EndObject().EndArray().Key("nonResourceRules").BeginArray().BeginObject();
  for (const std::string_view key : {"verbs", "nonResourceURLs"}) WriteEverything(w, key);
  w.EndObject().EndArray().Member("incomplete", false).EndObject().EndObject();
  return w.Take();
}

void WriteUser(schema::JsonWriter& w, std::string_view key, const http::Subject& subject) {
  w.Key(key).BeginObject().Member("username", subject.user).Key("groups").BeginArray();
  for (const std::string& group : subject.groups) w.Value(group);
  w.Value("system:authenticated").EndArray().EndObject();
}

std::string SelfReview(const http::Subject& subject) {
  schema::JsonWriter w;
  BeginReview(w, "authentication.k8s.io", "SelfSubjectReview");
  w.Key("status").BeginObject();
  WriteUser(w, "userInfo", subject);
  w.EndObject().EndObject();
  return w.Take();
}

// The token is not echoed.
std::string TokenReview(std::string_view body, const http::TokenTable& tokens) {
  const auto question = json::Parse(body);
  const std::string_view token = question ? json::StringAt(*question, {"spec", "token"}) : "";
  const std::optional<http::Subject> subject = tokens.Find(token);
  schema::JsonWriter w;
  BeginReview(w, "authentication.k8s.io", "TokenReview");
  w.Key("spec").BeginObject().EndObject().Key("status").BeginObject();
  w.Member("authenticated", subject.has_value());
  if (subject) {
    WriteUser(w, "user", *subject);
  } else {
    w.Member("error", "invalid bearer token");
  }
  w.EndObject().EndObject();
  return w.Take();
}

std::string AnswerTo(Review review, const http::Subject& subject, std::string_view body,
                     const http::TokenTable& tokens) {
  switch (review) {
    case Review::kSelf:
      return SelfReview(subject);
    case Review::kRules:
      return RulesReview(body);
    case Review::kToken:
      return TokenReview(body, tokens);
    case Review::kOthersAccess:
      return AccessReview("SubjectAccessReview", body);
    case Review::kAccess:
    case Review::kNone:
      break;
  }
  return AccessReview("SelfSubjectAccessReview", body);
}

}  // namespace

bool IsReview(const RestTarget& target) { return ReviewOf(target) != Review::kNone; }

http::Response AnswerReview(http::Request& request, const RestTarget& target,
                            const http::TokenTable& tokens) {
  if (request.method != "POST")
    return http::StatusResponse(405, store::reason::kMethodNotAllowed,
                                "the server does not allow this method on the requested resource");
  const auto body = TakeBodyAsJson(request);
  if (!body) return RenderFailure(body.error());
  http::Response response = RenderJson(AnswerTo(ReviewOf(target), request.subject, *body, tokens));
  response.status = 201;
  return response;
}

}  // namespace berth::apiserver
