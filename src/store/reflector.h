#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "store/store.h"

namespace berth::store {

// An object of a selection came (before is null), changed, or went (after is null).
struct Change {
  const Object* before = nullptr;
  const Object* after = nullptr;
};

// A copy of all objects of a selection, and the rules that keep it true: what to ask the API server
// next, and what an answer changes. No I/O, no clock: Informer drives it, tests drive it by hand.
//
//   1. List, page by page. A page whose token has expired starts the list over, then in one piece,
//      which cannot expire. Nothing of the copy changes before the last page has come; then it is
//      compared with the list, and what differs is told as changes.
//   2. Watch from the list's version, with bookmarks; each event is one change. A watch that ends,
//      or fails for a reason that passes, goes on from the last version that was told.
//   3. A version that the server has forgotten (Expired), or a failure that will not pass by
//      itself, leads back to 1. The copy stays as it was meanwhile.
//   4. After a failure there is a pause, doubled with each in a row, or as long as the server asked
//      for; an Expired watch is listed again at once. So is there after a watch that ended within a
//      second without an event.
//
// So changes come in the order of the versions of each object, none is missed, none comes twice,
// except that what came and went between a forgotten version and the new list is not seen.
class Reflector {
 public:
  struct Options {
    int64_t page_size = 500;
    base::Duration first_pause = base::Duration::Milliseconds(200);
    base::Duration longest_pause = base::Duration::Seconds(30);
  };
  using OnChange = std::function<void(const Change&)>;
  using Objects = std::map<ObjectName, Object>;

  struct Pause {
    base::Duration length;
  };
  using Step = std::variant<List, Watch, Pause>;

  Reflector(Resource resource, Selection selection, Options options);

  // What to do now. After a Pause ask again; after a List or a Watch tell what came of it.
  Step Next(base::Time now);

  void OnList(Outcome<Reply> reply, const OnChange& tell);
  // Whether the watch is over, so that Next has the next step.
  bool OnEvent(Outcome<Event> event, base::Time now, const OnChange& tell);

  const Objects& objects() const { return objects_; }
  // Whether a list was ever complete. Stays so.
  bool is_synced() const { return is_synced_; }

 private:
  List ListStep() const;
  Watch WatchStep() const;
  void Replace(const OnChange& tell);
  void Put(Object object, const OnChange& tell);
  void Remove(const ObjectName& name, const OnChange& tell);
  void StartOver();
  void NoteFailure(const Failure& failure);
  bool OnEnd(base::Time now);
  bool OnWatchFailure(const Failure& failure);

  Resource resource_;
  Selection selection_;
  Options options_;
  Objects objects_;
  bool is_synced_ = false;

  // While listing:
  std::vector<Object> listed_;
  std::string continue_token_;
  bool lists_in_one_piece_ = false;

  std::string version_;  // to watch from; "" while listing
  base::Time watch_start_;
  bool had_event_ = false;
  int failures_ = 0;  // in a row
  base::Duration pause_;
};

}  // namespace berth::store
