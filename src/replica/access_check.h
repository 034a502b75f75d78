#pragma once

// Delegated authentication and authorization: the cluster's API server decides, by TokenReview and
// SubjectAccessReview, so that its RBAC rules apply here too.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/json.h"
#include "store/store.h"

namespace berth::replica {

enum class Access : uint8_t {
  kAllowed,
  kUnauthenticated,  // no valid token
  kForbidden,        // authenticated, but not authorized
  kUnavailable,      // the API server did not answer the review
  kBusy,             // too many other tokens are under review
};

// The access under review, as in the spec of a SubjectAccessReview: verb get on a path or an
// object, or list on objects.
struct AccessAttributes {
  json::object attributes;

  static AccessAttributes OfPath(std::string_view path);
  static AccessAttributes OfObject(const store::Resource& resource, std::string_view subresource,
                                   std::string_view namespace_name, std::string_view name);
  // All objects of the resource in a namespace, "" for all namespaces.
  static AccessAttributes OfList(const store::Resource& resource, std::string_view namespace_name);
};

// Caches decisions for a while. Unknown tokens are reviewed a few at a time: strangers who send
// many must not load the API server, nor delay what else its client does. Single-threaded.
class AccessCheck {
 public:
  struct Limits {
    base::Duration allowed_ttl = base::Duration::Seconds(60);
    base::Duration denied_ttl = base::Duration::Seconds(10);
    size_t most_cached = 1000;
    size_t most_reviews = 8;  // of tokens, at a time
  };

  // The store must outlive the check and allow writes.
  explicit AccessCheck(store::Store& store) : AccessCheck(store, Limits()) {}
  AccessCheck(store::Store& store, Limits limits) : store_(store), limits_(limits) {}

  using Answer = std::move_only_function<void(Access)>;
  // The user of a token, as in a SubjectAccessReview; empty if there is none, with the reason:
  // kUnauthenticated, kUnavailable or kBusy. Not cached.
  using UserAnswer = std::move_only_function<void(json::object user, Access why_none)>;
  void Authenticate(std::string_view token, store::Executor& executor, UserAnswer answer);
  // Answers on the executor, which belongs to the calling thread and must outlive the call.
  void AuthorizeToken(std::string_view token, AccessAttributes attributes,
                      store::Executor& executor, Answer answer);
  // For an authenticated user: user, groups, uid and extra as in a SubjectAccessReview.
  void AuthorizeUser(json::object user, AccessAttributes attributes, store::Executor& executor,
                     Answer answer);

 private:
  struct CachedAccess {
    Access access = Access::kUnavailable;
    base::Time until;
  };
  struct Review;

  // Answers from the cache if it can.
  bool AnswerFromCache(const std::shared_ptr<Review>& review);
  void ReviewAccess(json::object user, const std::shared_ptr<Review>& review);
  void Finish(const std::shared_ptr<Review>& review, Access access);
  // Keeps those of users who are allowed as long as possible.
  void MakeRoomInCache(base::Time now);

  store::Store& store_;
  Limits limits_;
  size_t reviews_ = 0;                         // of tokens, under way
  std::map<std::string, CachedAccess> cache_;  // by hash of user and attributes: tokens are secret
};

}  // namespace berth::replica
