#pragma once

#include "apiserver/service.h"
#include "store/store.h"

namespace berth::apiserver {

// The embedded server as a store: what controllers in the same process use. Requests are prepared
// on the calling thread. A watch costs nothing but its place in the history: events are taken from
// there when the executor gets to it.
class EmbeddedStore final : public store::Store {
 public:
  // The service must outlive it, and every subscription.
  explicit EmbeddedStore(Service& service, Caller caller = {});

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override;
  store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                store::EventSink sink) override;

 private:
  Service& service_;
  Caller caller_;
};

}  // namespace berth::apiserver
