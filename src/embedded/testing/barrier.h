#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "store/resource.h"
#include "store/tapped_store.h"

namespace berth::embedded::testing {

// Holds back calls or watch events of the controllers until a test lets them pass. Must outlive the
// cluster. Thread-safe.
class Barrier {
 public:
  using Filter = std::function<bool(const store::Call&)>;

  store::Taps Taps();

  // Holds back the calls that match, from now on.
  void HoldCalls(Filter filter);
  // Holds back the events of this kind, from now on.
  void HoldEvents(store::Resource resource);
  // The number of calls and events that are held back.
  size_t held() const;
  // Lets the oldest one pass.
  void LetOnePass();
  // Lets everything pass, now and from now on.
  void Open();

 private:
  mutable std::mutex mutex_;
  Filter filter_;
  store::Resource resource_;
  std::deque<store::Proceed> held_;
};

// A filter for patches of objects of a kind, or their subresources: their name begins with `name`,
// and the patch contains `text`.
Barrier::Filter PatchesOf(store::Resource resource, std::string name, std::string text);

}  // namespace berth::embedded::testing
