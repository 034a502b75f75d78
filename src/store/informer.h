#pragma once

#include <functional>
#include <memory>

#include "store/reflector.h"
#include "store/store.h"

namespace berth::store {

// Keeps a copy of the objects of a selection, and tells of every change: a Reflector at work over a
// store. Everything, the handlers too, runs on the executor, which is where it must be made, asked
// and destroyed. The store and the executor must outlive it.
class Informer {
 public:
  struct Handlers {
    std::function<void(const Change&)> on_change;  // the objects are good during the call
    std::function<void()> on_synced;               // once, after the changes of the first list
    // A request failed; it will be tried again. For logs.
    std::function<void(const Failure&)> on_failure;
  };

  // Starts at once.
  Informer(Store& store, Executor& executor, Resource resource, Selection selection,
           Handlers handlers, Reflector::Options options = {});
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  const Reflector::Objects& objects() const { return reflector_.objects(); }
  // Null if there is none. Good until the next task of the executor.
  const Object* Find(const ObjectName& name) const;
  bool is_synced() const { return reflector_.is_synced(); }

 private:
  void Go();
  void Do(const List& list);
  void Do(const Watch& watch);
  void Do(const Reflector::Pause& pause);
  void OnList(Outcome<Reply> reply);
  void OnEvent(Outcome<Event> event);
  void Tell(const Change& change);

  Store& store_;
  Executor& executor_;
  Handlers handlers_;
  Reflector reflector_;
  Subscription subscription_;
  // Answers that are still under way hold it weakly: gone with the informer, they do nothing.
  std::shared_ptr<Informer*> self_;
};

}  // namespace berth::store
