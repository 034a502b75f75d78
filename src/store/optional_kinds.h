#pragma once

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// A store in which every kind is served: one that the server does not know has no objects, until
// the server knows it. So controllers need not care which definitions are installed, and notice
// when one comes or goes.
//
// In detail: a List that the server does not find is an empty list. A Watch from the version of
// such a list asks now and then, and fails with Expired when the kind is there: list again.
class OptionalKinds final : public Store {
 public:
  struct Options {
    base::Duration interval = base::Duration::Seconds(5);
  };

  // The store must outlive it.
  explicit OptionalKinds(Store& store) : OptionalKinds(store, Options{}) {}
  OptionalKinds(Store& store, Options options) : store_(store), options_(options) {}

  void Do(Call call, Executor& executor, Answer answer) override;
  [[nodiscard]] Subscription Subscribe(Watch watch, Executor& executor, EventSink sink) override;

 private:
  Store& store_;
  Options options_;
};

}  // namespace berth::store
