#pragma once

// May they read this? The cluster's API server is asked, with a TokenReview where somebody shows a
// token and with a SubjectAccessReview, so that what administrators allow there holds here.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "store/json.h"
#include "store/store.h"

namespace berth::replica {

enum class Access : uint8_t {
  kAllowed,
  kUnknown,  // nobody's token
  kDenied,   // known, but may not
  kFailed,   // the API server could not be asked
};

// What somebody wants to read, as a SubjectAccessReview words it: a path, or an object of a kind.
struct Reading {
  store::json::object attributes;

  static Reading OfPath(std::string_view path);
  static Reading OfObject(const store::Resource& resource, std::string_view subresource,
                          std::string_view namespace_name, std::string_view name);
};

// Answers are kept for a while. Used by one thread.
class AccessCheck {
 public:
  struct Limits {
    base::Duration allowed = base::Duration::Seconds(60);  // so long a yes is good
    base::Duration refused = base::Duration::Seconds(10);
    size_t most_kept = 1000;
  };

  // The store must outlive it, and let us write.
  explicit AccessCheck(store::Store& store) : AccessCheck(store, Limits()) {}
  AccessCheck(store::Store& store, Limits limits) : store_(store), limits_(limits) {}

  using Answer = std::move_only_function<void(Access)>;
  // The answer comes on the executor, which is that of the one thread; it must outlive the call.
  void Ask(std::string_view token, Reading reading, store::Executor& executor, Answer answer);
  // Of somebody who is known: user, groups, uid and extra as in a SubjectAccessReview.
  void AskOf(store::json::object subject, Reading reading, store::Executor& executor,
             Answer answer);

 private:
  struct Kept {
    Access access = Access::kFailed;
    base::Time until;
  };
  struct Question;

  // True if it was answered before; that answer is given.
  bool IsKnown(const std::shared_ptr<Question>& question);
  void AskWhether(store::json::object subject, const std::shared_ptr<Question>& question);
  void Finish(const std::shared_ptr<Question>& question, Access access);

  store::Store& store_;
  Limits limits_;
  std::map<std::string, Kept> kept_;  // by who and what, hashed: tokens are not for keeping
};

}  // namespace berth::replica
