#pragma once

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// A store that serves every kind: a kind without a definition on the server has no objects until
// the definition is installed. Controllers need not know which CRDs are installed, and notice when
// one is added or removed.
//
// A List of a kind that is not served returns an empty list. A Watch from the version of such a
// list polls, and fails with Expired once the kind is served, so that the caller relists.
class OptionalKinds final : public Store {
 public:
  struct Options {
    base::Duration interval = base::Duration::Seconds(5);
  };

  // The store must outlive this one.
  explicit OptionalKinds(Store& store) : OptionalKinds(store, Options{}) {}
  OptionalKinds(Store& store, Options options) : store_(store), options_(options) {}

  void Do(Call call, Executor& executor, Answer answer) override;
  [[nodiscard]] Subscription Subscribe(Watch watch, Executor& executor, EventSink sink) override;

 private:
  Store& store_;
  Options options_;
};

}  // namespace berth::store
