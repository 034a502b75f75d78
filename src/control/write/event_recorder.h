#pragma once

// Records Kubernetes Events about objects, asynchronously and best-effort.
//
// Only few Events are in flight at a time, so that decisions take precedence on a busy API server.
// An Event carries the time when it happened, not when it was written.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/meta/object_reference.h"
#include "base/time.h"
#include "lifecycle/event_record.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::control {

class EventRecorder {
 public:
  // `instance` names this process among its replicas.
  EventRecorder(store::Store& store, store::Executor& executor, std::string instance);

  // Repetitions of an Event within some minutes are suppressed. Events are dropped while the queue
  // is full.
  void Record(const api::ObjectReference& regarding, std::string_view controller,
              const lifecycle::EventRecord& event);

  // Whether all Events are written.
  bool is_idle() const { return in_flight_ == 0; }

 private:
  struct Recorded {
    base::Time at;
    std::string message;
  };

  bool IsRepeated(const std::string& key, const std::string& message, base::Time now);
  void Expire(base::Time now);
  void WriteNext();

  store::Store& store_;
  store::Executor& executor_;
  std::string instance_;
  uint64_t count_ = 0;
  std::map<std::string, Recorded> recent_;                // the last one by object and reason
  std::deque<std::pair<base::Time, std::string>> order_;  // keys of recent_, oldest first
  std::deque<store::Create> queue_;
  size_t in_flight_ = 0;
  store::WeakSelf self_;
};

}  // namespace berth::control
