#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "store/store.h"

namespace berth::store {

// Lets a call or an event pass; from any thread, at most once. What is never let pass never
// happens.
using Proceed = std::move_only_function<void()>;

// Observers of what passes through a TappedStore, for tests. They count, or hold back by calling
// `proceed` later. Without an observer everything passes.
struct Taps {
  // The failure of a call that is not to arrive; nullopt to let it pass. On the calling thread.
  std::function<std::optional<Failure>(const Call&)> deny = {};
  // Runs on the calling thread.
  std::function<void(const Call&, Proceed proceed)> on_call;
  // Runs on the executor of the watch. Events that are let pass arrive in that order.
  std::function<void(const Watch&, Proceed proceed)> on_event;
};

// A store whose calls and events pass observers first.
class TappedStore final : public Store {
 public:
  // The store must outlive it.
  TappedStore(Store& store, Taps taps) : store_(store), taps_(std::move(taps)) {}

  void Do(Call call, Executor& executor, Answer answer) override {
    if (auto failure = taps_.deny ? taps_.deny(call) : std::nullopt)
      return executor.Post([answer = std::move(answer), failure = *std::move(failure)]() mutable {
        answer(std::unexpected(std::move(failure)));
      });
    if (!taps_.on_call) return store_.Do(std::move(call), executor, std::move(answer));
    auto held = std::make_shared<Call>(std::move(call));
    taps_.on_call(*held, [this, held, &executor, answer = std::move(answer)]() mutable {
      store_.Do(std::move(*held), executor, std::move(answer));
    });
  }

  [[nodiscard]] Subscription Subscribe(Watch watch, Executor& executor, EventSink sink) override {
    if (!taps_.on_event) return store_.Subscribe(std::move(watch), executor, std::move(sink));
    auto shared = std::make_shared<EventSink>(std::move(sink));
    auto inner = store_.Subscribe(
        watch, executor,
        [this, watch, &executor, weak = std::weak_ptr(shared)](Outcome<Event> event) {
          taps_.on_event(watch, [weak, &executor, event = std::move(event)]() mutable {
            executor.Post([weak, event = std::move(event)]() mutable {
              if (const auto living = weak.lock()) (*living)(std::move(event));
            });
          });
        });
    return Subscription(std::make_unique<TappedWatch>(std::move(shared), std::move(inner)));
  }

 private:
  // Owns the sink; events that are held back refer to it weakly.
  class TappedWatch final : public Subscription::Source {
   public:
    TappedWatch(std::shared_ptr<EventSink> sink, Subscription inner)
        : sink_(std::move(sink)), inner_(std::move(inner)) {}

   private:
    std::shared_ptr<EventSink> sink_;
    Subscription inner_;
  };

  Store& store_;
  Taps taps_;
};

}  // namespace berth::store
