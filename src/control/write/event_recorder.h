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

  // An Event that repeats another one within six minutes becomes part of its series, as with
  // client-go: the first repetition is written at once, later counts when the series ends or has
  // lasted half an hour. Events are dropped while the queue is full.
  void Record(const api::ObjectReference& regarding, std::string_view controller,
              const lifecycle::EventRecord& event);

  // Whether all Events are written.
  bool is_idle() const { return in_flight_ == 0; }

 private:
  // An Event and its repetitions.
  struct Series {
    std::string namespace_;
    std::string name;  // of the Event
    base::Time last;
    int32_t count = 1;
    bool is_created = false;
    int32_t written = 1;  // the last count that was sent
    base::Time written_at;
  };
  struct Write {
    store::Call call;
    std::string created_key;  // "" if the call creates no Event
  };

  // True if the Event is part of a series, which has now one more.
  bool IsRepeated(const std::string& key, base::Time now);
  void WriteSeries(Series& series, base::Time now);
  void OnCreated(const std::string& key);
  // Ends the series without a repetition for some minutes.
  void Expire(base::Time now);
  void ExpireLater();
  void Submit(Write write);
  void WriteNext();

  store::Store& store_;
  store::Executor& executor_;
  std::string instance_;
  uint64_t count_ = 0;
  std::map<std::string, Series> recent_;                  // by object, reason and message
  std::deque<std::pair<base::Time, std::string>> order_;  // keys of recent_, once each
  std::deque<Write> queue_;
  size_t in_flight_ = 0;
  bool will_expire_ = false;  // by a timer
  store::WeakSelf self_;
};

}  // namespace berth::control
