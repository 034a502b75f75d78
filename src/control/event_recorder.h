#pragma once

// Tells people what happened to an object: Events, of which nobody waits for the answer.
//
// They give way to what matters more: only few are under way at a time, so that a server that is
// busy gets to decisions first, and the rest follows when it has time. An Event says when it
// happened, not when it was written.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/object_reference.h"
#include "base/time.h"
#include "control/plan.h"
#include "store/store.h"

namespace berth::control {

class EventRecorder {
 public:
  // `instance` is this process among its replicas.
  EventRecorder(store::Store& store, store::Executor& executor, std::string instance);

  // The same about the same object is told again only after a while. Where very many wait to be
  // written, further ones are dropped.
  void Record(const api::ObjectReference& regarding, std::string_view controller, const Note& note);

  // Whether all are written.
  bool is_idle() const { return under_way_ == 0; }

 private:
  struct Said {
    base::Time at;
    std::string text;
  };

  bool IsRepeated(const std::string& key, const std::string& text, base::Time now);
  void ForgetOld(base::Time now);
  void WriteNext();

  store::Store& store_;
  store::Executor& executor_;
  std::string instance_;
  uint64_t count_ = 0;
  std::map<std::string, Said> said_;                      // by object and reason
  std::deque<std::pair<base::Time, std::string>> order_;  // in which they were said
  std::deque<store::Create> waiting_;
  size_t under_way_ = 0;
  std::shared_ptr<EventRecorder*> self_;
};

}  // namespace berth::control
