#include "replica/access_check.h"

#include <utility>

#include "base/sha256.h"

namespace berth::replica {
namespace {

store::Call ReviewOf(std::string group, std::string plural, std::string kind, json::object spec) {
  json::object review{{"apiVersion", group + "/v1"}, {"kind", kind}, {"spec", std::move(spec)}};
  return store::Create{.resource = {.group = std::move(group),
                                    .version = "v1",
                                    .plural = std::move(plural),
                                    .kind = std::move(kind)},
                       .namespace_ = "",
                       .object = json::Print(review),
                       .options = {}};
}

// The user of a TokenReview, as a SubjectAccessReview names it; empty if not authenticated.
json::object UserIn(const store::Reply& reply) {
  const auto review = json::Parse(reply.object.text());
  const json::value* status = review ? json::Find(*review, {"status"}) : nullptr;
  if (status == nullptr || !json::IsTrue(*status, "authenticated")) return {};
  json::object user{{"user", json::Text(json::StringAt(*status, {"user", "username"}))}};
  for (const std::string_view key : {"groups", "uid", "extra"})
    if (const json::value* value = json::Find(*status, {"user", key}))
      user[json::BoostView(key)] = *value;
  return user;
}

bool IsAllowedIn(const store::Reply& reply) {
  const auto review = json::Parse(reply.object.text());
  const json::value* status = review ? json::Find(*review, {"status"}) : nullptr;
  return status != nullptr && json::IsTrue(*status, "allowed");
}

}  // namespace

AccessAttributes AccessAttributes::OfPath(std::string_view path) {
  return {{{"nonResourceAttributes", json::object{{"path", json::Text(path)}, {"verb", "get"}}}}};
}

AccessAttributes AccessAttributes::OfObject(const store::Resource& resource,
                                            std::string_view subresource,
                                            std::string_view namespace_name,
                                            std::string_view name) {
  return {{{"resourceAttributes", json::object{{"group", json::Text(resource.group)},
                                               {"version", json::Text(resource.version)},
                                               {"resource", json::Text(resource.plural)},
                                               {"subresource", json::Text(subresource)},
                                               {"namespace", json::Text(namespace_name)},
                                               {"name", json::Text(name)},
                                               {"verb", "get"}}}}};
}

AccessAttributes AccessAttributes::OfList(const store::Resource& resource,
                                          std::string_view namespace_name) {
  AccessAttributes access = OfObject(resource, "", namespace_name, "");
  access.attributes["resourceAttributes"].as_object()["verb"] = "list";
  return access;
}

struct AccessCheck::Review {
  std::string key;
  AccessAttributes attributes;
  store::Executor& executor;
  Answer answer;

  Review(std::string_view user, AccessAttributes needed, store::Executor& where, Answer then)
      : key(base::Sha256Hex(std::string(user) + '\n' + json::Print(needed.attributes))),
        attributes(std::move(needed)),
        executor(where),
        answer(std::move(then)) {}
};

void AccessCheck::AuthorizeToken(std::string_view token, AccessAttributes attributes,
                                 store::Executor& executor, Answer answer) {
  if (token.empty()) return answer(Access::kUnauthenticated);
  auto review = std::make_shared<Review>(token, std::move(attributes), executor, std::move(answer));
  if (AnswerFromCache(review)) return;
  Authenticate(token, executor, [this, review](json::object user, Access why_none) {
    if (user.empty()) return Finish(review, why_none);
    ReviewAccess(std::move(user), review);
  });
}

void AccessCheck::Authenticate(std::string_view token, store::Executor& executor,
                               UserAnswer answer) {
  if (token.empty()) return answer({}, Access::kUnauthenticated);
  if (reviews_ >= limits_.most_reviews) return answer({}, Access::kBusy);
  ++reviews_;
  store_.Do(ReviewOf("authentication.k8s.io", "tokenreviews", "TokenReview",
                     {{"token", json::Text(token)}}),
            executor,
            [this, answer = std::move(answer)](store::Outcome<store::Reply> reply) mutable {
              --reviews_;
              if (!reply) return answer({}, Access::kUnavailable);
              answer(UserIn(*reply), Access::kUnauthenticated);
            });
}

void AccessCheck::AuthorizeUser(json::object user, AccessAttributes attributes,
                                store::Executor& executor, Answer answer) {
  auto review = std::make_shared<Review>(json::Print(user), std::move(attributes), executor,
                                         std::move(answer));
  if (!AnswerFromCache(review)) ReviewAccess(std::move(user), review);
}

bool AccessCheck::AnswerFromCache(const std::shared_ptr<Review>& review) {
  const auto cached = cache_.find(review->key);
  if (cached == cache_.end() || review->executor.Now() >= cached->second.until) return false;
  review->answer(cached->second.access);
  return true;
}

void AccessCheck::ReviewAccess(json::object user, const std::shared_ptr<Review>& review) {
  for (const auto& [key, value] : review->attributes.attributes) user[key] = value;
  store_.Do(ReviewOf("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview",
                     std::move(user)),
            review->executor, [this, review](store::Outcome<store::Reply> reply) {
              Finish(review, !reply                ? Access::kUnavailable
                             : IsAllowedIn(*reply) ? Access::kAllowed
                                                   : Access::kForbidden);
            });
}

void AccessCheck::Finish(const std::shared_ptr<Review>& review, Access access) {
  if (access != Access::kUnavailable && access != Access::kBusy) {
    MakeRoomInCache(review->executor.Now());
    const base::Duration ttl =
        access == Access::kAllowed ? limits_.allowed_ttl : limits_.denied_ttl;
    cache_[review->key] = {.access = access, .until = review->executor.Now() + ttl};
  }
  review->answer(access);
}

// A client that sends many tokens must not exhaust memory.
void AccessCheck::MakeRoomInCache(base::Time now) {
  if (cache_.size() < limits_.most_cached) return;
  std::erase_if(cache_, [&](const auto& entry) {
    return entry.second.access != Access::kAllowed || entry.second.until <= now;
  });
  if (cache_.size() >= limits_.most_cached) cache_.clear();
}

}  // namespace berth::replica
