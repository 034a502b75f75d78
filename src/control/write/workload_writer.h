#pragma once

// Writes Workloads: decisions of the engine and plans of their lifecycle, one write per Workload at
// a time.
//
// A reservation is assumed in the engine from the moment of the decision. Until it is written,
// newer states of the Workload are held here, so that the engine never learns a state that is older
// than its own decision. If the write fails for good, the engine reverts the decision.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "control/report/controller_event.h"
#include "control/scheduler.h"
#include "control/write/event_recorder.h"
#include "control/write/object_writer.h"
#include "lifecycle/workload_plan.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

class WorkloadWriter {
 public:
  struct Hooks {
    // The newest known state of the Workload; null if it is gone. Updates the cluster state and
    // enqueues what depends on the Workload.
    std::function<void(std::string_view name, const api::Workload* workload)> on_state_changed;
    // Adds to a status that is about to be written with a decision, to save another write.
    std::function<void(api::Workload&)> complete_status = [](api::Workload&) {};
    // A write was rejected; for logs.
    std::function<void(std::string_view name, const store::Failure&)> on_failure;
    // A reservation was rejected for good, and is reverted.
    std::function<void(std::string_view name, const store::Failure&)> on_reservation_rejected =
        [](std::string_view, const store::Failure&) {};
    // A decision about a Workload with quota was rejected, and is reverted. `decided_for`: the
    // Workload that it was made for, the preemptor if there is one.
    std::function<void(std::string_view decided_for, const store::Failure&)> on_decision_rejected =
        [](std::string_view, const store::Failure&) {};
    // Every observed state, in order.
    std::function<void(const WorkloadTransition&)> on_transition = [](const WorkloadTransition&) {};
  };

  // Everything that is referred to must outlive the writer.
  WorkloadWriter(store::Store& store, store::Executor& executor, workload::ClusterState& cluster,
                 EventRecorder& events, Hooks hooks);
  ~WorkloadWriter();

  // Whether this version of a Workload, or a later one, is known already. Most often it was written
  // here, and the watch repeats it.
  bool IsKnown(const store::Object& object) const;
  // A watch event; `workload` is nullopt if it was deleted.
  void OnWatchEvent(const std::string& name, std::optional<api::Workload> workload);

  // Whether a write is queued or in flight: plans for the Workload must wait.
  bool IsBusy(std::string_view name) const { return pending_.contains(name); }
  bool is_idle() const { return pending_.empty(); }
  // The number of pending reasons in flight. The caller defers further ones, since decisions would
  // queue behind them.
  size_t pending_reasons_in_flight() const { return pending_reasons_in_flight_; }

  // Queues a decision of the engine. Its follow-ups are queued once it is written.
  void Write(WorkloadChange change);
  // Queues a plan. The plan fails if the Workload has another version than the plan by then.
  // `on_done` may be null.
  void Write(const std::string& name, const lifecycle::WorkloadPlan& plan,
             ObjectWriter::Done on_done = nullptr);
  // The plan as a step of another writer's sequence.
  ObjectWriter::Write HandoffOf(std::string name, lifecycle::WorkloadPlan plan);
  // Records an Event that belongs to no write: of the lifecycle, or of the scheduler.
  void Record(const api::Workload& workload, const lifecycle::EventRecord& event);
  void RecordDecision(const api::Workload& workload, const lifecycle::EventRecord& event);

 private:
  // A Workload with queued writes.
  struct Pending {
    std::optional<api::Workload> newest;         // known state
    std::optional<api::Workload> last_reported;  // to on_transition, if it differs from newest
    bool is_deleted = false;
    bool has_news = false;               // since on_state_changed was last called
    std::deque<WorkloadChange> changes;  // the first is in flight if `is_change_in_flight`
    bool is_change_in_flight = false;
    std::vector<lifecycle::EventRecord> events;  // to record when the current sequence is written
  };
  using Answer = store::Outcome<store::Reply>;

  Pending& PendingOf(const std::string& name);
  Pending* FindPending(const ObjectKey& key);
  ObjectWriter::Cache CacheHooks();
  // Queues a sequence that ends with `on_done`.
  void Submit(const std::string& name, ObjectWriter::Sequence sequence, ObjectWriter::Done on_done);
  ObjectWriter::Request BuildChange(const std::string& name);
  ObjectWriter::Request BuildPatch(const std::string& name, const lifecycle::WorkloadPlan& plan);
  ObjectWriter::Request BuildFinalizerRemoval(const std::string& name);
  ObjectWriter::Request BuildDelete(const std::string& name,
                                    const std::vector<lifecycle::EventRecord>& events);
  ObjectWriter::Write WriteOf(const std::string& name,
                              std::function<ObjectWriter::Request()> build);
  void OnAnswer(const std::string& name, const Answer& answer);
  void OnChangeDone(const std::string& name, const ObjectWriter::Result& result);
  void OnChangeFailed(const std::string& name, Pending& pending,
                      const ObjectWriter::Result& result);
  void RevertDecisions(Pending& pending);
  static void Advance(Pending& pending, api::Workload workload);
  void ReportTransition(Pending& pending, bool is_ours);
  std::vector<ObjectWriter::ObjectEvent> EventsOf(const std::string& name,
                                                  std::string_view controller);
  void Replan(const std::string& name);
  void Close(const std::string& name);

  store::Executor& executor_;
  workload::ClusterState& cluster_;
  EventRecorder& events_;
  Hooks hooks_;
  std::map<std::string, Pending, std::less<>> pending_;
  size_t pending_reasons_in_flight_ = 0;
  ObjectWriter writer_;
};

store::Create CreateCallFor(const api::Workload& workload);

}  // namespace berth::control
