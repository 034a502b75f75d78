#pragma once

#include "apiserver/service.h"
#include "store/store.h"

namespace berth::embedded {

// The port to an API server in the same process.
class ServiceStore final : public store::Store {
 public:
  // The service must outlive the store and all its subscriptions.
  explicit ServiceStore(apiserver::Service& service) : service_(service) {}

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override;
  store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                store::EventSink sink) override;

 private:
  apiserver::Service& service_;
};

}  // namespace berth::embedded
