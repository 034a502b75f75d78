#pragma once

// Where changes of Workloads are written down, one at a time for each.
//
// A reservation holds in the engine from the moment of the decision. Until it is written, what else
// becomes known of the Workload waits here, so that the engine is never told of a state that is
// older than its own decision. If the write fails for good, the engine takes the decision back.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/workload.h"
#include "control/event_recorder.h"
#include "control/fact.h"
#include "control/scheduler.h"
#include "control/workload_plan.h"
#include "store/store.h"
#include "workload/engine_feed.h"

namespace berth::control {

class WorkloadDesk {
 public:
  struct Hooks {
    // The Workload is known in this state now, or is gone (null). Tells the feed, and marks what
    // depends on it.
    std::function<void(std::string_view name, const api::Workload* workload)> on_known;
    // What else the status says as soon as a decision is written down, so that it need not be
    // another write.
    std::function<void(api::Workload&)> complete = [](api::Workload&) {};
    // A write failed in a way that will not pass by itself; for logs.
    std::function<void(std::string_view name, const store::Failure&)> on_failure;
    // Every state that it was in, one after the other, as far as they were seen.
    std::function<void(const WorkloadStep&)> on_step = [](const WorkloadStep&) {};
  };

  WorkloadDesk(store::Store& store, store::Executor& executor, workload::EngineFeed& feed,
               EventRecorder& events, Hooks hooks);
  ~WorkloadDesk();

  // Whether this state of a Workload, or a later one, is known already: as a rule what was written
  // here, which the watch repeats.
  bool IsKnown(const store::Object& object) const;
  // What a watch says. `workload` is null if it was deleted.
  void OnSeen(const std::string& name, std::optional<api::Workload> workload);

  // Whether something of this Workload is on its way: plans for it must wait.
  bool IsBusy(std::string_view name) const { return desks_.contains(name); }
  bool is_idle() const { return desks_.empty(); }
  // How many reasons to wait are being written: who has more of them holds them back, since
  // decisions would have to wait behind them.
  size_t waits_under_way() const { return waits_under_way_; }

  // A decision of the engine. Waits its turn.
  void Write(WorkloadChange change);
  // A plan; the Workload must not be busy.
  void Write(const std::string& name, const WorkloadPlan& plan);
  // What people should know of, though nothing is written.
  void Tell(const api::Workload& workload, const Note& note);

 private:
  // What is going on with one Workload.
  struct Desk {
    std::optional<api::Workload> newest;  // as far as known
    std::optional<api::Workload> told;    // what on_step was told last, if it is another
    bool is_deleted = false;
    std::deque<WorkloadChange> changes;  // the first is being written, if `writes_change`
    bool writes_change = false;
    bool has_news = false;  // since it was last told
    int failures = 0;
  };
  using Desks = std::map<std::string, Desk, std::less<>>;

  Desk& DeskOf(const std::string& name);
  void WriteNext(const std::string& name, Desk& desk);
  // Whether the write that has been answered was that of the first change.
  bool EndChange(Desk& desk);
  static void Advance(Desk& desk, api::Workload workload);
  void TellStep(Desk& desk, bool is_ours);
  // `teller` is the controller that the notes are of.
  void Send(const std::string& name, store::Call call, std::vector<Note> notes,
            std::string_view teller);
  void OnAnswer(const std::string& name, store::Outcome<store::Reply> outcome,
                const std::vector<Note>& notes, std::string_view teller, bool is_write);
  void OnRefused(const std::string& name, Desk& desk, const store::Failure& failure);
  void ReadAgain(const std::string& name);
  void GiveUp(const std::string& name, Desk& desk);
  void Close(const std::string& name);
  void Tell(const api::Workload& workload, const std::vector<Note>& notes, std::string_view teller);

  store::Store& store_;
  store::Executor& executor_;
  workload::EngineFeed& feed_;
  EventRecorder& events_;
  Hooks hooks_;
  Desks desks_;
  size_t waits_under_way_ = 0;
  std::shared_ptr<WorkloadDesk*> self_;
};

}  // namespace berth::control
