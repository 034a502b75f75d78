#pragma once

// Deletes pods by force that are stuck in deletion on unreachable nodes (forced_deletion.h).
//
// Watches all pods and nodes, but keeps only the pods that are stuck and the names of unreachable
// nodes; other objects are reduced to their names on arrival, and their changes are not reported.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "control/deadline_timer.h"
#include "control/kind_watches.h"
#include "control/placement/forced_deletion.h"
#include "control/write/event_recorder.h"
#include "control/write/object_writer.h"
#include "store/store.h"

namespace berth::control {

// Everything runs on the executor.
class FailureRecovery {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    std::function<void(std::string_view)> log;
  };

  // Everything that is referred to must outlive this.
  FailureRecovery(store::Store& store, store::Executor& executor, EventRecorder& events,
                  Hooks hooks);
  ~FailureRecovery();

  void Watch(KindWatches& watches);
  void OnPodChange(const store::Change& change);
  void OnNodeChange(const store::Change& change);

  // Deletes the pods that are due.
  void Plan(base::Time now);
  bool is_idle() const { return writer_.is_idle(); }

 private:
  void Upsert(const store::ObjectName& name, const store::Object* object);
  void Enqueue(const store::ObjectName& pod);
  void EnqueueAll();
  void Delete(const store::ObjectName& name, const StuckPod& pod);
  void OnDeleteAnswer(const store::ObjectName& name, const StuckPod& pod,
                      const store::Outcome<store::Reply>& outcome);
  // Null if the pod that was planned is gone or was deleted by force already.
  const StuckPod* Find(const store::ObjectName& name, const std::string& uid) const;
  ObjectWriter::Request BuildMark(const store::ObjectName& name, const std::string& uid) const;
  ObjectWriter::Request BuildDelete(const store::ObjectName& name, const std::string& uid) const;
  ObjectWriter::Cache CacheHooks();

  store::Executor& executor_;
  EventRecorder& events_;
  Hooks hooks_;
  std::map<store::ObjectName, StuckPod> pods_;
  std::set<std::string, std::less<>> unreachable_;  // nodes
  std::set<store::ObjectName> queued_;
  DeadlineTimer timer_;
  ObjectWriter writer_;
};

}  // namespace berth::control
