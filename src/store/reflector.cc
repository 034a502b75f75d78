#include "store/reflector.h"

#include <algorithm>
#include <set>
#include <utility>

namespace berth::store {
namespace {

constexpr base::Duration kShortWatch = base::Duration::Seconds(1);
constexpr int kMostDoublings = 20;

}  // namespace

Reflector::Reflector(Resource resource, Selection selection, Options options)
    : resource_(std::move(resource)), selection_(std::move(selection)), options_(options) {}

Reflector::Step Reflector::Next(base::Time now) {
  if (pause_.nanos > 0) return Pause{std::exchange(pause_, {})};
  if (version_.empty()) return ListStep();
  watch_start_ = now;
  had_event_ = false;
  return WatchStep();
}

List Reflector::ListStep() const {
  return {.resource = resource_,
          .selection = selection_,
          .limit = lists_in_one_piece_ ? 0 : options_.page_size,
          .continue_token = continue_token_};
}

Watch Reflector::WatchStep() const {
  return {.resource = resource_,
          .selection = selection_,
          .resource_version = version_,
          .allows_bookmarks = true};
}

void Reflector::OnList(Outcome<Reply> reply, const OnChange& tell) {
  if (!reply) {
    const bool is_expired = reply.error().IsExpired();
    StartOver();
    if (is_expired) lists_in_one_piece_ = true;
    return NoteFailure(reply.error());
  }
  std::ranges::move(reply->items, std::back_inserter(listed_));
  continue_token_ = std::move(reply->continue_token);
  failures_ = 0;
  if (!continue_token_.empty()) return;
  Replace(tell);
  version_ = std::move(reply->resource_version);
  lists_in_one_piece_ = false;
  is_synced_ = true;
}

void Reflector::Replace(const OnChange& tell) {
  std::set<ObjectName> kept;
  for (const Object& object : listed_) kept.insert(object.key());
  std::vector<ObjectName> gone;
  for (const auto& [name, object] : objects_)
    if (!kept.contains(name)) gone.push_back(name);
  for (const ObjectName& name : gone) Remove(name, tell);
  for (Object& object : std::exchange(listed_, {})) Put(std::move(object), tell);
}

void Reflector::Put(Object object, const OnChange& tell) {
  const auto [at, is_new] = objects_.try_emplace(object.key());
  if (!is_new && at->second.resource_version == object.resource_version) return;
  if (!is_new && at->second.uid != object.uid) {
    // Deleted and made again while nobody looked: two changes, since it is another object.
    const Object before = std::exchange(at->second, std::move(object));
    tell({.before = &before});
    return tell({.after = &at->second});
  }
  const Object before = std::exchange(at->second, std::move(object));
  tell({.before = is_new ? nullptr : &before, .after = &at->second});
}

void Reflector::Remove(const ObjectName& name, const OnChange& tell) {
  const auto removed = objects_.extract(name);
  if (!removed.empty()) tell({.before = &removed.mapped()});
}

void Reflector::StartOver() {
  listed_.clear();
  continue_token_.clear();
  version_.clear();
}

void Reflector::NoteFailure(const Failure& failure) {
  const int doublings = std::min(failures_++, kMostDoublings);
  pause_ =
      std::min(base::Duration{options_.first_pause.nanos << doublings}, options_.longest_pause);
  if (failure.retry_after_seconds() > 0)
    pause_ = std::max(pause_, base::Duration::Seconds(failure.retry_after_seconds()));
}

bool Reflector::OnEvent(Outcome<Event> event, base::Time now, const OnChange& tell) {
  if (!event) return OnWatchFailure(event.error());
  if (event->kind == Event::Kind::kEnd) return OnEnd(now);
  had_event_ = true;
  failures_ = 0;
  version_ = event->object.resource_version;
  if (event->kind == Event::Kind::kDeleted) {
    Remove(event->object.key(), tell);
  } else if (event->kind != Event::Kind::kBookmark) {
    Put(std::move(event->object), tell);
  }
  return false;
}

bool Reflector::OnEnd(base::Time now) {
  if (!had_event_ && now - watch_start_ < kShortWatch) pause_ = kShortWatch;
  return true;
}

bool Reflector::OnWatchFailure(const Failure& failure) {
  // The first time, the version was simply too old; after that something is wrong.
  if (failure.IsExpired() && failures_++ == 0) {
    StartOver();
    return true;
  }
  NoteFailure(failure);
  if (!failure.IsTransient()) StartOver();
  return true;
}

}  // namespace berth::store
