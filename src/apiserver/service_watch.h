#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/service_request.h"
#include "apiserver/service_selectors.h"
#include "apiserver/storage.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// A watch as a place in the history, from which events are taken when the client has room for them:
// a slow client costs no memory, and once the history has moved on past it, it gets Expired.
// For one thread at a time.
class WatchCursor {
 public:
  struct Start {
    ServiceRequest request;  // kind, version and namespace
    ObjectFilter filter;
    bool begins_with_state = false;
    bool marks_end_of_state = false;  // with a bookmark
    Revision after = 0;               // otherwise: changes after this revision
  };
  WatchCursor(Storage& storage, Start start, std::function<void()> wake);
  ~WatchCursor();
  WatchCursor(const WatchCursor&) = delete;
  WatchCursor& operator=(const WatchCursor&) = delete;

  // The next events, at most so many; none if there are none now. Then `wake` is called once there
  // may be more; it may be called without need.
  store::Outcome<std::vector<store::Event>> Take(size_t most);

  // Says up to which version everything was told. Take must have returned nothing just before.
  store::Event Bookmark() const { return BookmarkAt(position_, false); }

 private:
  void LoadState();
  void TakeState(std::vector<store::Event>& events, size_t most);
  std::optional<store::Event> EventOf(const Change& change) const;
  store::Event BookmarkAt(Revision revision, bool ends_state) const;
  bool IsWanted(const Item& item) const { return item && start_.filter.Matches(*item.text); }

  Storage& storage_;
  Start start_;
  std::deque<RangeItem> state_;  // still to be told
  bool owes_bookmark_ = false;
  Revision position_ = 0;
  Storage::ListenerId listener_ = 0;
};

}  // namespace berth::apiserver
