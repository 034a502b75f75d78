#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/handler/request.h"
#include "apiserver/handler/selectors.h"
#include "apiserver/storage/storage.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// A watch as a position in the history. Events are pulled when the client has room: a slow client
// costs no memory, and gets Expired once the history is compacted past its position. Not
// thread-safe.
class WatchCursor {
 public:
  struct Start {
    HandlerRequest request;  // kind, version and namespace
    ObjectFilter filter;
    bool begins_with_state = false;
    bool marks_end_of_state = false;  // with a bookmark
    Revision after = 0;               // otherwise: changes after this revision
  };
  WatchCursor(Storage& storage, Start start, std::function<void()> wake);
  ~WatchCursor();
  WatchCursor(const WatchCursor&) = delete;
  WatchCursor& operator=(const WatchCursor&) = delete;

  // The next events, at most `limit`; empty if there are none yet. `wake` is then called when there
  // may be more; wake-ups may be spurious.
  store::Outcome<std::vector<store::Event>> Take(size_t limit);

  // A bookmark at the current position. Take must have just returned nothing.
  store::Event Bookmark() const { return BookmarkAt(position_, false); }

  // For the response's head.
  const std::vector<std::string>& warnings() const { return start_.request.warnings; }

 private:
  void LoadState();
  void TakeState(std::vector<store::Event>& events, size_t limit);
  std::optional<store::Event> EventOf(const Change& change) const;
  store::Event BookmarkAt(Revision revision, bool ends_state) const;
  bool IsWanted(const Item& item) const { return item && start_.filter.Matches(*item.text); }

  Storage& storage_;
  Start start_;
  std::deque<RangeItem> state_;  // initial events still to send
  bool needs_bookmark_ = false;
  Revision position_ = 0;
  Storage::ListenerId listener_ = 0;
};

}  // namespace berth::apiserver
