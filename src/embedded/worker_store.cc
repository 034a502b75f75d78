#include "embedded/worker_store.h"

#include <utility>

namespace berth::embedded {

WorkerStore::WorkerStore(store::Store& store) : store_(store), thread_([this] { calls_.Run(); }) {}

WorkerStore::~WorkerStore() {
  calls_.Stop();
  thread_.join();
}

void WorkerStore::Do(store::Call call, store::Executor& executor, store::Answer answer) {
  calls_.Post([this, call = std::move(call), &executor, answer = std::move(answer)]() mutable {
    store_.Do(std::move(call), executor, std::move(answer));
  });
}

store::Subscription WorkerStore::Subscribe(store::Watch watch, store::Executor& executor,
                                           store::EventSink sink) {
  return store_.Subscribe(std::move(watch), executor, std::move(sink));
}

}  // namespace berth::embedded
