#include "apiserver/handler/watch.h"

#include <utility>

#include "apiserver/object_tree.h"

namespace berth::apiserver {

WatchCursor::WatchCursor(Storage& storage, Start start, std::function<void()> wake)
    : storage_(storage), start_(std::move(start)), position_(start_.after) {
  listener_ = storage_.Listen(start_.request.kind->collection, std::move(wake));
  if (start_.begins_with_state) LoadState();
}

WatchCursor::~WatchCursor() { storage_.Unlisten(listener_); }

void WatchCursor::LoadState() {
  std::optional<Range> range = storage_.Read(
      {.collection = start_.request.kind->collection, .namespace_ = start_.request.namespace_});
  position_ = range->revision;
  for (RangeItem& item : range->items)
    if (IsWanted(item.item)) state_.push_back(std::move(item));
  needs_bookmark_ = start_.marks_end_of_state;
}

store::Outcome<std::vector<store::Event>> WatchCursor::Take(size_t limit) {
  std::vector<store::Event> events;
  TakeState(events, limit);
  while (events.size() < limit && state_.empty()) {
    const size_t room = limit - events.size();
    const auto found = storage_.ChangesAfter(position_, room, start_.request.kind->collection);
    if (!found)
      return std::unexpected(
          store::Expired("too old resource version: " + std::to_string(position_) + " (" +
                         std::to_string(storage_.oldest()) + ")"));
    for (const ChangePtr& change : found->changes)
      if (auto event = EventOf(*change)) events.push_back(std::move(*event));
    position_ = found->reached;
    if (found->changes.size() < room) break;
  }
  return events;
}

void WatchCursor::TakeState(std::vector<store::Event>& events, size_t limit) {
  while (!state_.empty() && events.size() < limit) {
    RangeItem& item = state_.front();
    events.push_back({.kind = store::Event::Kind::kAdded,
                      .object = Present(start_.request, item.namespace_, item.name, item.item)});
    state_.pop_front();
  }
  if (!state_.empty() || !needs_bookmark_ || events.size() == limit) return;
  events.push_back(BookmarkAt(position_, true));
  needs_bookmark_ = false;
}

std::optional<store::Event> WatchCursor::EventOf(const Change& change) const {
  using Kind = store::Event::Kind;
  const std::string& wanted = start_.request.namespace_;
  if (!wanted.empty() && change.id.namespace_ != wanted) return std::nullopt;
  const bool was_in = IsWanted(change.previous);
  const Item now{.revision = change.revision, .text = change.text};
  const bool is_in = !change.is_removal && IsWanted(now);
  if (!was_in && !is_in) return std::nullopt;
  // An object that leaves the selection is sent in its last matching state, with the
  // resourceVersion of the change.
  Item shown = now;
  if (!is_in && !change.is_removal)
    shown.text =
        std::make_shared<const std::string>(WithVersion(*change.previous.text, change.revision));
  return store::Event{
      .kind = !is_in   ? Kind::kDeleted
              : was_in ? Kind::kModified
                       : Kind::kAdded,
      .object = Present(start_.request, change.id.namespace_, change.id.name, shown)};
}

store::Event WatchCursor::BookmarkAt(Revision revision, bool ends_state) const {
  const HandlerRequest& request = start_.request;
  std::string text = R"({"kind":")" + request.resource().kind + R"(","apiVersion":")" +
                     request.ApiVersion() + R"(","metadata":{"resourceVersion":")" +
                     std::to_string(revision) + R"(","creationTimestamp":null)";
  if (ends_state) text += R"(,"annotations":{"k8s.io/initial-events-end":"true"})";
  text += "}}";
  store::Event event{.kind = store::Event::Kind::kBookmark, .ends_initial_events = ends_state};
  event.object.resource_version = std::to_string(revision);
  event.object.json = std::make_shared<const std::string>(std::move(text));
  return event;
}

}  // namespace berth::apiserver
