#pragma once

#include <functional>
#include <map>
#include <utility>

#include "base/time.h"
#include "store/executor.h"
#include "store/weak_self.h"

namespace berth::control {

// One-shot timers by key. A wake-up may be early: re-check and re-arm.
template <class Key>
class KeyedTimer {
 public:
  // The executor must outlive the timer.
  KeyedTimer(store::Executor& executor, std::function<void(const Key&)> ring)
      : executor_(executor), ring_(std::move(ring)) {}
  KeyedTimer(const KeyedTimer&) = delete;
  KeyedTimer& operator=(const KeyedTimer&) = delete;

  // Arms the timer of the key, unless it rings before that anyway.
  void SetFor(const Key& key, base::Time when, base::Time now) {
    const auto armed = armed_.find(key);
    if (armed != armed_.end() && now < armed->second && armed->second <= when) return;
    armed_[key] = when;
    executor_.PostAfter(when - now, self_.Wrap([this, key, when] { OnTime(key, when); }));
  }
  void Erase(const Key& key) { armed_.erase(key); }

 private:
  void OnTime(const Key& key, base::Time when) {
    const auto armed = armed_.find(key);
    if (armed == armed_.end() || armed->second != when) return;
    armed_.erase(armed);
    ring_(key);
  }

  store::Executor& executor_;
  std::function<void(const Key&)> ring_;
  std::map<Key, base::Time> armed_;
  store::WeakSelf self_;
};

}  // namespace berth::control
