#include "apiserver/embedded_store.h"

#include <atomic>
#include <utility>

namespace berth::apiserver {
namespace {

constexpr size_t kEventsAtOnce = 64;
constexpr base::Duration kDefaultTimeout = base::Duration::Seconds(1800);
constexpr base::Duration kBookmarkInterval = base::Duration::Seconds(60);

class EmbeddedWatch;

// Gets a watch going again when something was written. It holds the watch weakly and never looks at
// it, so the watch cannot come to its end on the thread that rings.
class Bell {
 public:
  Bell(store::Executor& executor, std::weak_ptr<EmbeddedWatch> watch)
      : executor_(executor), watch_(std::move(watch)) {}

  // One task at a time, however many writes there are.
  void Ring() {
    if (!is_rung_.exchange(true)) PostPump();
  }
  void Reset() { is_rung_ = false; }

 private:
  void PostPump();

  store::Executor& executor_;
  std::weak_ptr<EmbeddedWatch> watch_;
  std::atomic<bool> is_rung_ = false;
};

// A watch on its way to one sink. Everything but the start happens on the executor.
class EmbeddedWatch : public std::enable_shared_from_this<EmbeddedWatch> {
 public:
  EmbeddedWatch(store::Executor& executor, store::EventSink sink)
      : executor_(executor), sink_(std::move(sink)) {}

  void Start(Service& service, store::Watch watch) {
    bell_ = std::make_shared<Bell>(executor_, weak_from_this());
    executor_.Post([self = shared_from_this(), &service, watch = std::move(watch)] {
      self->Open(service, watch);
    });
  }

  void Pump() {
    bell_->Reset();
    if (is_over_) return;
    auto events = cursor_->Take(kEventsAtOnce);
    if (!events) return Fail(events.error());
    for (store::Event& event : *events)
      if (!is_over_) sink_(std::move(event));
    if (events->size() == kEventsAtOnce) bell_->Ring();
  }

  void Cancel() { is_over_ = true; }

 private:
  void Open(Service& service, const store::Watch& watch) {
    if (is_over_) return;
    auto cursor = service.OpenWatch(watch, [bell = bell_] { bell->Ring(); });
    if (!cursor) return Fail(cursor.error());
    cursor_ = std::move(*cursor);
    bell_->Ring();
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
  std::shared_ptr<Bell> bell_;
  std::unique_ptr<WatchCursor> cursor_;
  std::atomic<bool> is_over_ = false;
};

void Bell::PostPump() {
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

EmbeddedStore::EmbeddedStore(Service& service, Caller caller)
    : service_(service), caller_(std::move(caller)) {}

void EmbeddedStore::Do(store::Call call, store::Executor& executor, store::Answer answer) {
  service_.Do(call, caller_,
              [&executor, answer = std::move(answer)](store::Outcome<store::Reply> reply) mutable {
                executor.Post([answer = std::move(answer), reply = std::move(reply)]() mutable {
                  answer(std::move(reply));
                });
              });
}

store::Subscription EmbeddedStore::Subscribe(store::Watch watch, store::Executor& executor,
                                             store::EventSink sink) {
  auto running = std::make_shared<EmbeddedWatch>(executor, std::move(sink));
  running->Start(service_, std::move(watch));
  return store::Subscription(std::make_unique<EmbeddedSource>(std::move(running)));
}

}  // namespace berth::apiserver
