#include "store/informer.h"

#include <utility>
#include <variant>

namespace berth::store {

Informer::Informer(Store& store, Executor& executor, Resource resource, Selection selection,
                   Handlers handlers, Reflector::Options options)
    : store_(store),
      executor_(executor),
      handlers_(std::move(handlers)),
      reflector_(std::move(resource), std::move(selection), std::move(options)) {
  Go();
}

Informer::~Informer() = default;

const Object* Informer::Find(const ObjectName& name) const {
  const auto found = objects().find(name);
  return found == objects().end() ? nullptr : &found->second;
}

void Informer::Go() {
  std::visit([this](const auto& step) { Do(step); }, reflector_.Next(executor_.Now()));
}

void Informer::Do(const List& list) {
  store_.Do(list, executor_,
            self_.Wrap([this](Outcome<Reply> reply) { OnList(std::move(reply)); }));
}

void Informer::Do(const Watch& watch) {
  subscription_ = store_.Subscribe(
      watch, executor_, self_.Wrap([this](Outcome<Event> event) { OnEvent(std::move(event)); }));
}

void Informer::Do(const Reflector::Pause& pause) {
  executor_.PostAfter(pause.length, self_.Wrap([this] { Go(); }));
}

void Informer::OnList(Outcome<Reply> reply) {
  if (!reply && handlers_.on_failure) handlers_.on_failure(reply.error());
  const bool was_synced = is_synced();
  reflector_.OnList(std::move(reply), [this](const Change& change) { Notify(change); });
  if (!was_synced && is_synced() && handlers_.on_synced) handlers_.on_synced();
  Go();
}

void Informer::OnEvent(Outcome<Event> event) {
  if (!event && handlers_.on_failure) handlers_.on_failure(event.error());
  const bool is_over = reflector_.OnEvent(std::move(event), executor_.Now(),
                                          [this](const Change& change) { Notify(change); });
  // The running sink belongs to the subscription; replace the subscription from another task.
  if (!is_over) return;
  executor_.Post(self_.Wrap([this] { Go(); }));
}

void Informer::Notify(const Change& change) {
  if (handlers_.on_change) handlers_.on_change(change);
}

}  // namespace berth::store
