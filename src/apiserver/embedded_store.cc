#include "apiserver/embedded_store.h"

#include <atomic>
#include <utility>

namespace berth::apiserver {
namespace {

constexpr size_t kEventsAtOnce = 64;
constexpr base::Duration kDefaultTimeout = base::Duration::Seconds(1800);
constexpr base::Duration kBookmarkInterval = base::Duration::Seconds(60);

class EmbeddedWatch;

// Wakes a watch after a write. Holds the watch weakly and never locks it, so the watch cannot be
// destroyed on the writing thread.
class WatchWaker {
 public:
  WatchWaker(store::Executor& executor, std::weak_ptr<EmbeddedWatch> watch)
      : executor_(executor), watch_(std::move(watch)) {}

  // At most one pending task, regardless of the number of writes.
  void Wake() {
    if (!is_pending_.exchange(true)) PostPump();
  }
  void Reset() { is_pending_ = false; }

 private:
  void PostPump();

  store::Executor& executor_;
  std::weak_ptr<EmbeddedWatch> watch_;
  std::atomic<bool> is_pending_ = false;
};

// A watch that delivers to one sink. Everything but Start runs on the executor.
class EmbeddedWatch : public std::enable_shared_from_this<EmbeddedWatch> {
 public:
  EmbeddedWatch(store::Executor& executor, store::EventSink sink)
      : executor_(executor), sink_(std::move(sink)) {}

  void Start(ApiHandler& handler, store::Watch watch) {
    waker_ = std::make_shared<WatchWaker>(executor_, weak_from_this());
    executor_.Post([self = shared_from_this(), &handler, watch = std::move(watch)] {
      self->Open(handler, watch);
    });
  }

  void Pump() {
    waker_->Reset();
    if (is_over_) return;
    auto events = cursor_->Take(kEventsAtOnce);
    if (!events) return Fail(events.error());
    for (store::Event& event : *events)
      if (!is_over_) sink_(std::move(event));
    if (events->size() == kEventsAtOnce) waker_->Wake();
  }

  void Cancel() { is_over_ = true; }

 private:
  void Open(ApiHandler& handler, const store::Watch& watch) {
    if (is_over_) return;
    auto cursor = handler.OpenWatch(watch, [waker = waker_] { waker->Wake(); });
    if (!cursor) return Fail(cursor.error());
    cursor_ = std::move(*cursor);
    waker_->Wake();
    PostAfter(watch.timeout.value_or(kDefaultTimeout), [](EmbeddedWatch& self) { self.End(); });
    if (watch.allows_bookmarks) PlanBookmark();
  }

  template <class Action>
  void PostAfter(base::Duration delay, Action action) {
    executor_.PostAfter(delay, [weak = weak_from_this(), action] {
      if (const auto self = weak.lock()) action(*self);
    });
  }

  void PlanBookmark() {
    PostAfter(kBookmarkInterval, [](EmbeddedWatch& self) {
      self.Pump();
      if (self.is_over_) return;
      self.sink_(self.cursor_->Bookmark());
      self.PlanBookmark();
    });
  }

  void End() {
    Pump();
    if (is_over_.exchange(true)) return;
    sink_(store::Event{.kind = store::Event::Kind::kEnd});
  }

  void Fail(const store::Failure& failure) {
    if (!is_over_.exchange(true)) sink_(std::unexpected(failure));
  }

  store::Executor& executor_;
  store::EventSink sink_;
  std::shared_ptr<WatchWaker> waker_;
  std::unique_ptr<WatchCursor> cursor_;
  std::atomic<bool> is_over_ = false;
};

void WatchWaker::PostPump() {
  executor_.Post([weak = watch_] {
    if (const auto watch = weak.lock()) watch->Pump();
  });
}

class EmbeddedSource final : public store::Subscription::Source {
 public:
  explicit EmbeddedSource(std::shared_ptr<EmbeddedWatch> watch) : watch_(std::move(watch)) {}
  ~EmbeddedSource() override { watch_->Cancel(); }

 private:
  std::shared_ptr<EmbeddedWatch> watch_;
};

}  // namespace

EmbeddedStore::EmbeddedStore(ApiHandler& handler, Caller caller)
    : handler_(handler), caller_(std::move(caller)) {}

void EmbeddedStore::Do(store::Call call, store::Executor& executor, store::Answer answer) {
  handler_.Do(call, caller_,
              [&executor, answer = std::move(answer)](store::Outcome<store::Reply> reply) mutable {
                executor.Post([answer = std::move(answer), reply = std::move(reply)]() mutable {
                  answer(std::move(reply));
                });
              });
}

store::Subscription EmbeddedStore::Subscribe(store::Watch watch, store::Executor& executor,
                                             store::EventSink sink) {
  auto running = std::make_shared<EmbeddedWatch>(executor, std::move(sink));
  running->Start(handler_, std::move(watch));
  return store::Subscription(std::make_unique<EmbeddedSource>(std::move(running)));
}

}  // namespace berth::apiserver
