#pragma once

#include <thread>

#include "store/inbox.h"
#include "store/store.h"

namespace berth::embedded {

// A store in the same process whose work is done on a thread of its own: who calls goes on at once,
// as with a server elsewhere. Calls are taken up in the order in which they were made.
class WorkerStore final : public store::Store {
 public:
  // The store must outlive it.
  explicit WorkerStore(store::Store& store);
  // What has not been taken up is dropped.
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
