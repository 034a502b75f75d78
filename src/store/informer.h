#pragma once

#include <functional>

#include "store/reflector.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::store {

// A local cache of the objects of a selection with change notifications: runs a Reflector against a
// store. Handlers run on the executor; the informer must be created, used and destroyed there. The
// store and the executor must outlive it.
class Informer {
 public:
  struct Handlers {
    std::function<void(const Change&)> on_change;  // objects are valid during the call
    std::function<void()> on_synced;               // once, after the initial list
    // A request failed and will be retried. For logs.
    std::function<void(const Failure&)> on_failure;
  };

  // Starts at once.
  Informer(Store& store, Executor& executor, Resource resource, Selection selection,
           Handlers handlers, Reflector::Options options = {});
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  const Reflector::Objects& objects() const { return reflector_.objects(); }
  // Null if there is none. Valid until the next task of the executor.
  const Object* Find(const ObjectName& name) const;
  bool is_synced() const { return reflector_.is_synced(); }

 private:
  void Go();
  void Do(const List& list);
  void Do(const Watch& watch);
  void Do(const Reflector::Pause& pause);
  void OnList(Outcome<Reply> reply);
  void OnEvent(Outcome<Event> event);
  void Notify(const Change& change);

  Store& store_;
  Executor& executor_;
  Handlers handlers_;
  Reflector reflector_;
  Subscription subscription_;
  WeakSelf self_;
};

}  // namespace berth::store
