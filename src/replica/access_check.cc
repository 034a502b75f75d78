#include "replica/access_check.h"

#include <utility>

#include "base/sha256.h"

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

Reading Reading::OfPath(std::string_view path) {
  return {
      {{"nonResourceAttributes", json::object{{"path", store::JsonText(path)}, {"verb", "get"}}}}};
}

Reading Reading::OfObject(const store::Resource& resource, std::string_view subresource,
                          std::string_view namespace_name, std::string_view name) {
  return {{{"resourceAttributes", json::object{{"group", store::JsonText(resource.group)},
                                               {"version", store::JsonText(resource.version)},
                                               {"resource", store::JsonText(resource.plural)},
                                               {"subresource", store::JsonText(subresource)},
                                               {"namespace", store::JsonText(namespace_name)},
                                               {"name", store::JsonText(name)},
                                               {"verb", "get"}}}}};
}

struct AccessCheck::Question {
  std::string key;
  Reading reading;
  store::Executor& executor;
  Answer answer;

  Question(std::string_view who, Reading what, store::Executor& where, Answer then)
      : key(base::Sha256Hex(std::string(who) + '\n' + store::PrintJson(what.attributes))),
        reading(std::move(what)),
        executor(where),
        answer(std::move(then)) {}
};

void AccessCheck::Ask(std::string_view token, Reading reading, store::Executor& executor,
                      Answer answer) {
  if (token.empty()) return answer(Access::kUnknown);
  auto question =
      std::make_shared<Question>(token, std::move(reading), executor, std::move(answer));
  if (IsKnown(question)) return;
  store_.Do(ReviewOf("authentication.k8s.io", "tokenreviews", "TokenReview",
                     {{"token", store::JsonText(token)}}),
            executor, [this, question](store::Outcome<store::Reply> reply) {
              if (!reply) return Finish(question, Access::kFailed);
              json::object subject = SubjectIn(*reply);
              if (subject.empty()) return Finish(question, Access::kUnknown);
              AskWhether(std::move(subject), question);
            });
}

void AccessCheck::AskOf(json::object subject, Reading reading, store::Executor& executor,
                        Answer answer) {
  auto question = std::make_shared<Question>(store::PrintJson(subject), std::move(reading),
                                             executor, std::move(answer));
  if (!IsKnown(question)) AskWhether(std::move(subject), question);
}

bool AccessCheck::IsKnown(const std::shared_ptr<Question>& question) {
  const auto known = kept_.find(question->key);
  if (known == kept_.end() || question->executor.Now() >= known->second.until) return false;
  question->answer(known->second.access);
  return true;
}

void AccessCheck::AskWhether(json::object subject, const std::shared_ptr<Question>& question) {
  for (const auto& [key, value] : question->reading.attributes) subject[key] = value;
  store_.Do(ReviewOf("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview",
                     std::move(subject)),
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
