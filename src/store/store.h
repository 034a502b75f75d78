#pragma once

// The port to "an API server". Controllers know nothing else of the world: whether this is the
// embedded server or a real Kubernetes cluster is decided where the program is put together.
//
// Resource versions. Every write to any object gives it a version that is later than all before.
// Versions are text and opaque; only the server orders them.
//   - In an Update or a Delete a version says which state of the object was meant; if the object
//   has
//     moved on, the answer is Conflict.
//   - In a List or a Watch it says how fresh the answer must be. "" is the newest state. "0" is any
//     state that the server has at hand. Otherwise not older than this version; with kExact, and in
//     the further pages of a list, exactly this one.
//   - A List's version is where a Watch goes on without missing or doubling anything.
//   - Servers forget. A version, or a continue token, that is too old fails with Expired: list
//     again from the beginning. informer.h does all of this.
//
// Ordering. Events of one watch come in the order of the writes. Calls are independent: two that
// are under way at once may be done in either order, so who needs an order waits for the answer.
// A write that was answered is durable, and every Get, List and Watch that begins after the answer
// sees it.
//
// Threads. Any thread may call. The answers come as tasks of the executor that the caller gives,
// never from within the call itself.

#include <expected>
#include <functional>
#include <memory>

#include "store/call.h"
#include "store/executor.h"
#include "store/failure.h"

namespace berth::store {

using Answer = std::move_only_function<void(Outcome<Reply>)>;
// Gets the events of a watch. After a Failure, and after kEnd, nothing more comes.
using EventSink = std::move_only_function<void(Outcome<Event>)>;

// A watch that is under way; ends it when destroyed. If that happens on the executor's thread (in
// one of its tasks), no event comes afterwards; from another thread, one may just be delivered.
class Subscription {
 public:
  class Source {
   public:
    virtual ~Source() = default;
  };

  Subscription() = default;
  explicit Subscription(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  explicit operator bool() const { return source_ != nullptr; }

 private:
  std::unique_ptr<Source> source_;
};

class Store {
 public:
  virtual ~Store() = default;

  // `answer` is called exactly once, unless the executor goes away first. The executor must outlive
  // the call.
  virtual void Do(Call call, Executor& executor, Answer answer) = 0;

  // The executor must outlive the subscription. A sink that is slow holds back only itself; if it
  // is so slow that the server forgets what it has not told yet, the watch fails with Expired.
  [[nodiscard]] virtual Subscription Subscribe(Watch watch, Executor& executor, EventSink sink) = 0;
};

}  // namespace berth::store
