#pragma once

#include <functional>
#include <utility>

#include "store/store.h"

namespace berth::embedded {

// A store that reports every call to an observer. Watches are not calls.
class TappedStore final : public store::Store {
 public:
  using Tap = std::function<void(const store::Call&)>;

  // The store must outlive it. The tap runs on the calling thread.
  TappedStore(store::Store& store, Tap tap) : store_(store), tap_(std::move(tap)) {}

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override {
    tap_(call);
    store_.Do(std::move(call), executor, std::move(answer));
  }
  [[nodiscard]] store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                              store::EventSink sink) override {
    return store_.Subscribe(std::move(watch), executor, std::move(sink));
  }

 private:
  store::Store& store_;
  Tap tap_;
};

}  // namespace berth::embedded
