#pragma once

// Tells people what happened to an object: Events, of which nobody waits for the answer.

#include <cstdint>
#include <deque>
#include <map>
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

  // The same about the same object is told again only after a while.
  void Record(const api::ObjectReference& regarding, std::string_view controller, const Note& note);

 private:
  struct Said {
    base::Time at;
    std::string text;
  };

  bool IsRepeated(const std::string& key, const std::string& text, base::Time now);
  void ForgetOld(base::Time now);

  store::Store& store_;
  store::Executor& executor_;
  std::string instance_;
  uint64_t count_ = 0;
  std::map<std::string, Said> said_;                      // by object and reason
  std::deque<std::pair<base::Time, std::string>> order_;  // in which they were said
};

}  // namespace berth::control
