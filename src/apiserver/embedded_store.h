#pragma once

#include "apiserver/handler/api_handler.h"
#include "store/store.h"

namespace berth::apiserver {

// The embedded server as a Store for controllers in the same process. Requests are prepared on the
// calling thread. A watch is a position in the history; its events are read on the executor.
class EmbeddedStore final : public store::Store {
 public:
  // The handler must outlive the store and every subscription.
  explicit EmbeddedStore(ApiHandler& handler, Caller caller = {});

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override;
  store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                store::EventSink sink) override;

 private:
  ApiHandler& handler_;
  Caller caller_;
};

}  // namespace berth::apiserver
