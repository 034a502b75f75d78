#pragma once

#include <thread>

#include "store/inbox.h"
#include "store/store.h"

namespace berth::embedded {

// A store in the same process that executes calls on its own thread, so that callers never block.
// Calls start in order.
class WorkerStore final : public store::Store {
 public:
  // The store must outlive it.
  explicit WorkerStore(store::Store& store);
  // Drops calls that have not started.
  ~WorkerStore() override;
  WorkerStore(const WorkerStore&) = delete;
  WorkerStore& operator=(const WorkerStore&) = delete;

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override;
  [[nodiscard]] store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                              store::EventSink sink) override;

 private:
  store::Store& store_;
  store::Inbox calls_;
  std::thread thread_;
};

}  // namespace berth::embedded
