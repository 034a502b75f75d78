#include "embedded/service_store.h"

#include <atomic>
#include <memory>
#include <utility>

#include "apiserver/service_watch.h"

namespace berth::embedded {
namespace {

constexpr size_t kEventsAtOnce = 256;

// Takes events out of the history, on the executor, whenever there may be some.
class Pump : public std::enable_shared_from_this<Pump> {
 public:
  Pump(store::Executor& executor, store::EventSink sink)
      : executor_(executor), sink_(std::move(sink)) {}

  void Open(apiserver::Service& service, const store::Watch& watch) {
    auto cursor = service.OpenWatch(watch, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Want();
    });
    if (cursor) {
      cursor_ = std::move(*cursor);
    } else {
      failure_ = cursor.error();
    }
    Want();
  }

  // On the executor's thread nothing comes afterwards.
  void Close() { is_closed_ = true; }

 private:
  void Want() {
    if (is_wanted_.exchange(true)) return;
    executor_.Post([self = shared_from_this()] { self->Run(); });
  }

  void Run() {
    is_wanted_ = false;
    if (is_closed_) {
      cursor_.reset();
      return;
    }
    if (failure_) return Fail(std::move(*failure_));
    auto events = cursor_->Take(kEventsAtOnce);
    if (!events) return Fail(std::move(events.error()));
    const bool may_be_more = events->size() == kEventsAtOnce;
    for (store::Event& event : *events) {
      if (is_closed_) return;
      sink_(std::move(event));
    }
    if (may_be_more) Want();
  }

  void Fail(store::Failure failure) {
    is_closed_ = true;
    cursor_.reset();
    sink_(std::unexpected(std::move(failure)));
  }

  store::Executor& executor_;
  store::EventSink sink_;
  std::unique_ptr<apiserver::WatchCursor> cursor_;
  std::optional<store::Failure> failure_;
  std::atomic<bool> is_wanted_ = false;
  std::atomic<bool> is_closed_ = false;
};

class PumpSource final : public store::Subscription::Source {
 public:
  explicit PumpSource(std::shared_ptr<Pump> pump) : pump_(std::move(pump)) {}
  ~PumpSource() override { pump_->Close(); }

 private:
  std::shared_ptr<Pump> pump_;
};

}  // namespace

void ServiceStore::Do(store::Call call, store::Executor& executor, store::Answer answer) {
  service_.Do(call, apiserver::Caller(),
              [&executor, answer = std::move(answer)](store::Outcome<store::Reply> reply) mutable {
                executor.Post([answer = std::move(answer), reply = std::move(reply)]() mutable {
                  answer(std::move(reply));
                });
              });
}

store::Subscription ServiceStore::Subscribe(store::Watch watch, store::Executor& executor,
                                            store::EventSink sink) {
  auto pump = std::make_shared<Pump>(executor, std::move(sink));
  pump->Open(service_, watch);
  return store::Subscription(std::make_unique<PumpSource>(std::move(pump)));
}

}  // namespace berth::embedded
