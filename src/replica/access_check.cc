#include "replica/access_check.h"

#include <utility>

#include "base/sha256.h"
#include "store/json.h"

namespace berth::replica {
namespace {

namespace json = store::json;

store::Call ReviewOf(std::string group, std::string plural, std::string kind, json::object spec) {
  json::object review{{"apiVersion", group + "/v1"}, {"kind", kind}, {"spec", std::move(spec)}};
  return store::Create{.resource = {.group = std::move(group),
                                    .version = "v1",
                                    .plural = std::move(plural),
                                    .kind = std::move(kind)},
                       .namespace_ = "",
                       .object = store::PrintJson(review),
                       .options = {}};
}

// Who it is, as a SubjectAccessReview asks; empty if nobody.
json::object SubjectIn(const store::Reply& reply) {
  const auto review = store::ParseJson(reply.object.text());
  const json::value* status = review ? store::FindJson(*review, {"status"}) : nullptr;
  if (status == nullptr || !store::IsJsonTrue(*status, "authenticated")) return {};
  json::object subject{
      {"user", store::JsonText(store::JsonStringAt(*status, {"user", "username"}))}};
  for (const std::string_view key : {"groups", "uid", "extra"})
    if (const json::value* value = store::FindJson(*status, {"user", key}))
      subject[store::BoostView(key)] = *value;
  return subject;
}

bool IsAllowedIn(const store::Reply& reply) {
  const auto review = store::ParseJson(reply.object.text());
  const json::value* status = review ? store::FindJson(*review, {"status"}) : nullptr;
  return status != nullptr && store::IsJsonTrue(*status, "allowed");
}

}  // namespace

struct AccessCheck::Question {
  std::string key;
  std::string path;
  store::Executor& executor;
  Answer answer;
};

void AccessCheck::Ask(std::string_view token, std::string_view path, store::Executor& executor,
                      Answer answer) {
  if (token.empty()) return answer(Access::kUnknown);
  auto question = std::make_shared<Question>(base::Sha256Hex(token) + std::string(path),
                                             std::string(path), executor, std::move(answer));
  const auto known = kept_.find(question->key);
  if (known != kept_.end() && executor.Now() < known->second.until)
    return question->answer(known->second.access);
  store_.Do(ReviewOf("authentication.k8s.io", "tokenreviews", "TokenReview",
                     {{"token", store::JsonText(token)}}),
            executor, [this, question](store::Outcome<store::Reply> reply) {
              if (!reply) return Finish(question, Access::kFailed);
              AskWhether(*reply, question);
            });
}

void AccessCheck::AskWhether(const store::Reply& whose, const std::shared_ptr<Question>& question) {
  json::object spec = SubjectIn(whose);
  if (spec.empty()) return Finish(question, Access::kUnknown);
  spec["nonResourceAttributes"] =
      json::object{{"path", store::JsonText(question->path)}, {"verb", "get"}};
  store_.Do(ReviewOf("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview",
                     std::move(spec)),
            question->executor, [this, question](store::Outcome<store::Reply> reply) {
              Finish(question, !reply                ? Access::kFailed
                               : IsAllowedIn(*reply) ? Access::kAllowed
                                                     : Access::kDenied);
            });
}

void AccessCheck::Finish(const std::shared_ptr<Question>& question, Access access) {
  if (access != Access::kFailed) {
    // Whoever sends many tokens must not fill the memory.
    if (kept_.size() >= limits_.most_kept) kept_.clear();
    const base::Duration life = access == Access::kAllowed ? limits_.allowed : limits_.refused;
    kept_[question->key] = {.access = access, .until = question->executor.Now() + life};
  }
  question->answer(access);
}

}  // namespace berth::replica
