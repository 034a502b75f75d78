#pragma once

// Serialized writes to the API server, shared by the writers of Workloads, jobs, pods and queues.
//
// Each key, an object or a group of objects that are written as one, has a queue of write
// sequences. One request per key is in flight at a time, and the order of the queue is kept.
//
//   - Success: the cache learns the answer unless the watch delivered a newer version first. Events
//     are recorded once the whole sequence is written.
//   - Conflict, NotFound, AlreadyExists: the plan behind the write is stale. The sequence ends. The
//     object is planned again at once if the watch already delivered another version, otherwise
//     after kRejectionBackOff; the watch usually triggers a plan before that.
//   - Other rejections: the key stays busy for a back-off, then the sequence ends. The back-off
//     doubles with every rejection in a row; another version of the object shortens it.
//   - A write with several attempts is built again on the newest known state instead: after a
//     conflict when the watch delivers it (conflicts do not count as attempts), after a rejection
//     when the back-off is over. A final rejection (store::Failure) ends it at once by default.
//
// All functions and callbacks run on the executor.

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/meta/object_reference.h"
#include "base/time.h"
#include "control/write/event_recorder.h"
#include "lifecycle/event_record.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::control {

// An object among those of all kinds.
struct ObjectKey {
  std::string resource;  // store::Resource::GroupResource(), e.g. "jobs.batch"
  std::string namespace_;
  std::string name;

  static ObjectKey Of(const store::Resource& resource, const std::string& namespace_name,
                      const std::string& name) {
    return {.resource = resource.GroupResource(), .namespace_ = namespace_name, .name = name};
  }

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

// Rejections in a row, by object.
class RejectionCounts {
 public:
  // Counts another one. Forgets objects whose last one was long ago.
  int Add(const ObjectKey& key, base::Time now);
  void Reset(const ObjectKey& key) { counts_.erase(key); }

 private:
  struct Count {
    int rejections = 0;
    base::Time last;
  };
  std::map<ObjectKey, Count> counts_;
};

class ObjectWriter {
 public:
  // The caller's copies of the objects that it writes.
  struct Cache {
    // The known version of an object; nullopt if the object is not known.
    std::function<std::optional<std::string>(const ObjectKey&)> find_version;
    // Replaces the copy of a known object by a newer version.
    std::function<void(const ObjectKey&, const store::Object&)> upsert;
  };
  // Reports a rejection that planning again does not solve; for logs.
  using OnFailure = std::function<void(const ObjectKey& key, const store::Failure&)>;

  struct Result {
    bool is_written = false;
    // If not written: the time to wait before the object is planned again.
    base::Duration replan_after;
    std::optional<store::Failure> rejection = std::nullopt;  // of the last attempt of several
  };
  using Done = std::function<void(const Result&)>;

  struct NothingToWrite {};  // the write counts as done
  struct Outdated {};        // the state that the write builds on is gone: the sequence ends
  using Handoff = std::function<void(Done)>;  // another writer does the write and reports back
  using Request = std::variant<store::Call, NothingToWrite, Outdated, Handoff>;

  struct Write {
    // Builds the request from the newest known state, once per attempt.
    std::function<Request()> build;
    // Optional. Called with every answer, after the cache learned it.
    std::function<void(const store::Outcome<store::Reply>&)> on_answer = nullptr;
    int max_attempts = 1;
    bool accepts_not_found = false;  // an object that is gone counts as written
    // A final rejection counts as one attempt: given up at once, the write would be planned again.
    bool retries_final = false;
  };

  struct ObjectEvent {
    api::ObjectReference regarding;
    std::string controller;
    lifecycle::EventRecord event;
  };

  // Writes that run one after the other; if one fails, the rest does not run.
  struct Sequence {
    std::vector<Write> writes;
    // Optional. The Events to record once all writes succeeded.
    std::function<std::vector<ObjectEvent>()> events = nullptr;
    // Optional. Called at the end, in either way. The key is free unless more is queued.
    Done on_done = nullptr;
    // Optional. Called after a failure as soon as another plan is worthwhile.
    std::function<void()> replan = nullptr;
  };

  // Everything that is referred to must outlive the writer.
  ObjectWriter(store::Store& store, store::Executor& executor, EventRecorder& events, Cache cache,
               OnFailure on_failure);

  void Submit(const ObjectKey& key, Sequence sequence);
  // The watch delivered another version of the object.
  void OnWatchEvent(const ObjectKey& key);

  bool IsBusy(const ObjectKey& key) const { return queues_.contains(key); }
  bool is_idle() const { return queues_.empty(); }

 private:
  enum class State : uint8_t { kReady, kInFlight, kBackingOff, kWaitingForWatch };
  struct Queue {
    std::deque<Sequence> sequences;  // the first is being written
    size_t next = 0;                 // write of the first sequence
    State state = State::kReady;
    int failures = 0;                         // of this write
    uint64_t timer = 0;                       // identifies the pending back-off
    std::optional<base::Time> shortest_end;   // of the pending back-off, if it may be shortened
    ObjectKey target;                         // of the request in flight
    std::optional<std::string> sent_version;  // of the target, when the request was sent
  };

  void Advance(const ObjectKey& key);
  void Start(const ObjectKey& key, Queue& queue, Request request);
  void Send(const ObjectKey& key, Queue& queue, store::Call call);
  void OnAnswer(const ObjectKey& key, const store::Outcome<store::Reply>& outcome);
  void OnRejected(const ObjectKey& key, Queue& queue, const store::Failure& failure);
  void OnOvertaken(const ObjectKey& key, Queue& queue, const store::Failure& failure);
  void OnHandoffDone(const ObjectKey& key, const Result& result);
  void UpsertReply(const Queue& queue, const store::Reply& reply);
  void CompleteWrite(const ObjectKey& key, Queue& queue);
  // The pause after a rejection that does not end the sequence at once.
  base::Duration PauseAfter(const ObjectKey& key, Queue& queue, const store::Failure& failure);
  void BackOff(const ObjectKey& key, Queue& queue, State state, base::Duration pause);
  void ShortenBackOff(const ObjectKey& key, Queue& queue);
  void OnTimer(const ObjectKey& key, uint64_t timer);
  void Finish(const ObjectKey& key, const Result& result);

  store::Store& store_;
  store::Executor& executor_;
  EventRecorder& events_;
  Cache cache_;
  OnFailure on_failure_;
  std::map<ObjectKey, Queue> queues_;
  RejectionCounts rejections_;
  uint64_t last_timer_ = 0;
  store::WeakSelf self_;
};

}  // namespace berth::control
