#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// What a consumer reads of an object, as a smaller object of the same identity and version. The
// rest is forgotten on arrival.
using Projection = std::function<Object(Object)>;

// An object of a selection was added (before is null), modified, or deleted (after is null).
struct Change {
  const Object* before = nullptr;
  const Object* after = nullptr;
};

// The list-and-watch state machine behind an informer: holds the cache of a selection and decides
// the next request. No I/O, no clock: Informer drives it, tests drive it by hand.
//
//   1. List in pages. If a continue token expires, the list restarts without paging, which cannot
//      expire. The cache does not change before the last page; then it is replaced by the list, and
//      the differences are reported as changes.
//   2. Watch from the version of the list, with bookmarks; each event is one change. A watch that
//      ends, or fails with a transient error, resumes from the last version received.
//   3. An expired version or a permanent failure leads back to 1. Until the new list is complete,
//      the cache keeps its objects.
//   4. Failures back off exponentially, or for the server's Retry-After. The first Expired relists
//      at once; another one without an event in between backs off, although a list succeeded. A
//      pause also follows a watch that ended within a second without an event.
//
// Changes to an object are reported in version order, exactly once, except that objects created and
// deleted between an expired version and the new list are not reported. With a projection, the
// cache holds projected objects, and a change of what the projection leaves out is not reported.
class Reflector {
 public:
  struct Options {
    int64_t page_size = 500;
    base::Duration first_pause = base::Duration::Milliseconds(200);
    base::Duration longest_pause = base::Duration::Seconds(30);
    Projection project = {};  // null: objects are kept whole
  };
  using OnChange = std::function<void(const Change&)>;
  using Objects = std::map<ObjectName, Object>;

  struct Pause {
    base::Duration length;
  };
  using Step = std::variant<List, Watch, Pause>;

  Reflector(Resource resource, Selection selection, Options options);

  // The next step. Call again after a Pause; report the result of a List or a Watch.
  Step Next(base::Time now);

  void OnList(Outcome<Reply> reply, const OnChange& report);
  // True if the watch is over: call Next.
  bool OnEvent(Outcome<Event> event, base::Time now, const OnChange& report);

  const Objects& objects() const { return objects_; }
  // Whether a list was ever complete.
  bool is_synced() const { return is_synced_; }

 private:
  List ListStep() const;
  Watch WatchStep() const;
  Object Projected(Object object) const;
  void Replace(const OnChange& report);
  void Upsert(Object object, const OnChange& report);
  void Remove(const ObjectName& name, const OnChange& report);
  void Relist();
  void BackOff(const Failure& failure);
  bool OnEnd(base::Time now);
  bool OnWatchFailure(const Failure& failure);

  Resource resource_;
  Selection selection_;
  Options options_;
  Objects objects_;
  bool is_synced_ = false;

  // The list in progress:
  std::vector<Object> listed_;
  std::string continue_token_;
  bool lists_without_pages_ = false;

  std::string version_;  // to watch from; "" while listing
  base::Time watch_start_;
  bool had_event_ = false;
  int failures_ = 0;  // consecutive
  int expiries_ = 0;  // of watches, without an event between them
  base::Duration pause_;
};

}  // namespace berth::store
