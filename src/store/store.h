#pragma once

// The interface to an API server. Controllers depend on nothing else: the composition root decides
// whether this is the embedded server or a Kubernetes cluster.
//
// Resource versions. Every write gives its object a version later than all previous ones. Versions
// are opaque text; only the server orders them.
//   - In an Update or a Delete the version is a precondition on the state of the object; if it does
//     not hold, the call fails with Conflict.
//   - In a List or a Watch it bounds staleness. "" is the newest state. "0" is any state that the
//     server has cached. Otherwise the state is not older than this version; with kExact, and in
//     further pages of a list, exactly this one.
//   - A Watch from the version of a List continues it without gaps or duplicates.
//   - Servers compact their history. A version or continue token that is too old fails with
//     Expired: relist. Informer handles all of this.
//
// Ordering. Events of a watch arrive in the order of the writes. Calls are independent: concurrent
// calls may be processed in either order; await the reply where order matters. A write is durable
// once it is answered, and every later Get, List and Watch observes it.
//
// Threads. Any thread may call. Answers are posted to the executor that the caller passes, never
// delivered from within the call.

#include <expected>
#include <functional>
#include <memory>

#include "store/call.h"
#include "store/executor.h"
#include "store/failure.h"

namespace berth::store {

using Answer = std::move_only_function<void(Outcome<Reply>)>;
// Receives the events of a watch. A Failure or kEnd is the last one.
using EventSink = std::move_only_function<void(Outcome<Event>)>;

// An active watch; destruction ends it. If destroyed in a task of the executor, no event is
// delivered afterwards; from another thread, a delivery may be in progress.
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

  // Calls `answer` exactly once, unless the executor is destroyed first. The executor must outlive
  // the call.
  virtual void Do(Call call, Executor& executor, Answer answer) = 0;

  // The executor must outlive the subscription. A slow sink delays only its own watch; if it falls
  // behind the history of the server, the watch fails with Expired.
  [[nodiscard]] virtual Subscription Subscribe(Watch watch, Executor& executor, EventSink sink) = 0;
};

}  // namespace berth::store
