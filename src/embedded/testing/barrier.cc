#include "embedded/testing/barrier.h"

#include <utility>
#include <variant>

#include "base/check.h"

namespace berth::embedded::testing {

store::Taps Barrier::Taps() {
  return {.on_call =
              [this](const store::Call& call, store::Proceed proceed) {
                const std::lock_guard lock(mutex_);
                if (!filter_ || !filter_(call)) return proceed();
                held_.push_back(std::move(proceed));
              },
          .on_event =
              [this](const store::Watch& watch, store::Proceed proceed) {
                const std::lock_guard lock(mutex_);
                if (watch.resource != resource_) return proceed();
                held_.push_back(std::move(proceed));
              }};
}

void Barrier::HoldCalls(Filter filter) {
  const std::lock_guard lock(mutex_);
  filter_ = std::move(filter);
}

void Barrier::HoldEvents(store::Resource resource) {
  const std::lock_guard lock(mutex_);
  resource_ = std::move(resource);
}

size_t Barrier::held() const {
  const std::lock_guard lock(mutex_);
  return held_.size();
}

void Barrier::LetOnePass() {
  const std::lock_guard lock(mutex_);
  CHECK(!held_.empty());
  held_.front()();
  held_.pop_front();
}

void Barrier::Open() {
  const std::lock_guard lock(mutex_);
  filter_ = nullptr;
  resource_ = {};
  for (store::Proceed& one : std::exchange(held_, {})) one();
}

Barrier::Filter PatchesOf(store::Resource resource, std::string name, std::string text) {
  return [resource = std::move(resource), name = std::move(name),
          text = std::move(text)](const store::Call& call) {
    const auto* patch = std::get_if<store::Patch>(&call);
    return patch != nullptr && patch->resource == resource && patch->name.starts_with(name) &&
           patch->body.contains(text);
  };
}

}  // namespace berth::embedded::testing
