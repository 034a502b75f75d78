#pragma once

#include <memory>
#include <utility>

namespace berth::store {

// Guards callbacks that may outlive the object that they refer to. The owner declares it as its
// last member, so that callbacks are disarmed before any other member is destroyed. Callbacks run,
// and the owner is destroyed, on one executor.
class WeakSelf {
 public:
  WeakSelf() = default;
  WeakSelf(const WeakSelf&) = delete;
  WeakSelf& operator=(const WeakSelf&) = delete;

  // A callable that runs `fn`, which may capture the owner's `this`, only while the owner lives.
  template <class Fn>
  auto Wrap(Fn fn) const {
    return
        [alive = std::weak_ptr(token_), fn = std::move(fn)]<class... Args>(Args&&... args) mutable {
          if (!alive.expired()) fn(std::forward<Args>(args)...);
        };
  }

 private:
  struct Token {};
  std::shared_ptr<Token> token_ = std::make_shared<Token>();
};

}  // namespace berth::store
