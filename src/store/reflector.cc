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
    : resource_(std::move(resource)),
      selection_(std::move(selection)),
      options_(std::move(options)) {}

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
          .limit = lists_without_pages_ ? 0 : options_.page_size,
          .continue_token = continue_token_};
}

Watch Reflector::WatchStep() const {
  return {.resource = resource_,
          .selection = selection_,
          .resource_version = version_,
          .allows_bookmarks = true};
}

void Reflector::OnList(Outcome<Reply> reply, const OnChange& report) {
  if (!reply) {
    const bool is_expired = reply.error().IsExpired();
    Relist();
    if (is_expired) lists_without_pages_ = true;
    return BackOff(reply.error());
  }
  for (Object& object : reply->items) listed_.push_back(Projected(std::move(object)));
  continue_token_ = std::move(reply->continue_token);
  failures_ = 0;
  if (!continue_token_.empty()) return;
  Replace(report);
  version_ = std::move(reply->resource_version);
  lists_without_pages_ = false;
  is_synced_ = true;
}

Object Reflector::Projected(Object object) const {
  return options_.project ? options_.project(std::move(object)) : object;
}

void Reflector::Replace(const OnChange& report) {
  std::set<ObjectName> kept;
  for (const Object& object : listed_) kept.insert(object.key());
  std::vector<ObjectName> gone;
  for (const auto& [name, object] : objects_)
    if (!kept.contains(name)) gone.push_back(name);
  for (const ObjectName& name : gone) Remove(name, report);
  for (Object& object : std::exchange(listed_, {})) Upsert(std::move(object), report);
}

void Reflector::Upsert(Object object, const OnChange& report) {
  const auto [at, is_new] = objects_.try_emplace(object.key());
  if (!is_new && at->second.resource_version == object.resource_version) return;
  if (!is_new && at->second.uid != object.uid) {
    // Deleted and recreated between two lists: two changes, because the objects differ.
    const Object before = std::exchange(at->second, std::move(object));
    report({.before = &before});
    return report({.after = &at->second});
  }
  const bool is_same = !is_new && options_.project && at->second.text() == object.text();
  const Object before = std::exchange(at->second, std::move(object));
  if (is_same) return;
  report({.before = is_new ? nullptr : &before, .after = &at->second});
}

void Reflector::Remove(const ObjectName& name, const OnChange& report) {
  const auto removed = objects_.extract(name);
  if (!removed.empty()) report({.before = &removed.mapped()});
}

void Reflector::Relist() {
  listed_.clear();
  continue_token_.clear();
  version_.clear();
}

void Reflector::BackOff(const Failure& failure) {
  const int doublings = std::min(failures_++, kMostDoublings);
  pause_ =
      std::min(base::Duration{options_.first_pause.nanos << doublings}, options_.longest_pause);
  if (failure.retry_after_seconds() > 0)
    pause_ = std::max(pause_, base::Duration::Seconds(failure.retry_after_seconds()));
}

bool Reflector::OnEvent(Outcome<Event> event, base::Time now, const OnChange& report) {
  if (!event) return OnWatchFailure(event.error());
  if (event->kind == Event::Kind::kEnd) return OnEnd(now);
  had_event_ = true;
  failures_ = expiries_ = 0;
  version_ = event->object.resource_version;
  if (event->kind == Event::Kind::kDeleted) {
    Remove(event->object.key(), report);
  } else if (event->kind != Event::Kind::kBookmark) {
    Upsert(Projected(std::move(event->object)), report);
  }
  return false;
}

bool Reflector::OnEnd(base::Time now) {
  if (!had_event_ && now - watch_start_ < kShortWatch) pause_ = kShortWatch;
  return true;
}

bool Reflector::OnWatchFailure(const Failure& failure) {
  if (failure.IsExpired() && expiries_++ == 0) {
    Relist();
    return true;
  }
  if (failure.IsExpired()) failures_ = std::max(failures_, expiries_ - 2);
  BackOff(failure);
  if (!failure.IsTransient()) Relist();
  return true;
}

}  // namespace berth::store
