#pragma once

// Keeps what others see of queues, cohorts, flavors and admission checks in step with the engine:
// their status, what LocalQueues consumed, and the finalizer that holds what is in use.
//
// Only what may have changed is looked at. The status of one object is written a few times in a
// row, and then once in an interval with all that has happened since: however many workloads come
// and go, it costs no more than that.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/admission_check.h"
#include "api/cohort.h"
#include "api/object.h"
#include "api/resource_flavor.h"
#include "base/time.h"
#include "control/alarm.h"
#include "control/pace.h"
#include "control/queue_status.h"
#include "control/tallies.h"
#include "control/usage_sampling.h"
#include "store/store.h"
#include "workload/engine_feed.h"

namespace berth::control {

class QueueDesk {
 public:
  struct Hooks {
    // An object was written and is in this state now. Watches may tell of later ones before.
    std::function<void(const schema::Kind&, const store::Object&)> on_written;
    // There may be something to plan: a write is over, in whichever way, or the time has come.
    std::function<void()> on_over;
    std::function<void(std::string_view)> log;
  };

  // `sampling`: of what LocalQueues consume; absent if nobody asks.
  QueueDesk(store::Store& store, store::Executor& executor, const workload::EngineFeed& feed,
            std::optional<UsageSampling> sampling, Hooks hooks);
  ~QueueDesk();

  // What there is; ClusterQueues and LocalQueues are known from the feed.
  void Learn(const api::Object& object);
  void Forget(const schema::Kind& kind, std::string_view namespace_name, std::string_view name);
  // A workload came, changed, went or was decided upon.
  void NoteWorkload(std::string_view namespaced_name) { tallies_.Note(namespaced_name); }

  // Counts what was noted. The feed must be in sync.
  void Count();
  // Writes what is not as it ought to be, one write of each object at a time.
  void Plan(base::Time now);
  // Nothing is being written, and nothing waits for its time.
  bool is_idle() const {
    return status_writes_.empty() && finalizer_writes_.empty() && statuses_.empty() &&
           held_.empty();
  }

  const Tallies& tallies() const { return tallies_; }

 private:
  enum class Sort : uint8_t { kClusterQueue, kLocalQueue, kCohort, kFlavor, kCheck };
  using Item = std::pair<Sort, std::string>;  // LocalQueues by their namespaced name
  // What the status of others may depend on, of a queue.
  struct Form {
    std::string uid;
    int64_t generation = 0;
    std::optional<base::Time> deletion;

    friend bool operator==(const Form&, const Form&) = default;
  };

  void LearnQueue(Item item, const api::ObjectMeta& metadata);
  void NoteEverything();
  void NoteStatus(Item item);
  void NoteSamples(base::Time now);
  void ReleaseHeld(base::Time now);
  // Whether that is all for now.
  bool LookAtStatus(const Item& item, base::Time now);
  void LookAtFinalizer(const Item& item);
  base::Duration Interval() const;

  void Sample(const api::LocalQueue& queue, base::Time now, api::LocalQueueStatus& status);
  template <class T, class Status>
  bool WriteStatus(const Item& item, const T& object, const Status& status, base::Time now);
  template <class T>
  void KeepFinalizer(const Item& item, const T& object, bool is_used);
  void WriteOnce(std::set<Item>& under_way, const Item& item, const schema::Kind& kind,
                 store::Patch patch);
  void OnWritten(const Item& item, const schema::Kind& kind,
                 const store::Outcome<store::Reply>& outcome);
  bool IsFlavorUsed(std::string_view flavor) const;
  bool IsCheckUsed(std::string_view check) const;

  store::Store& store_;
  store::Executor& executor_;
  const workload::EngineFeed& feed_;
  std::optional<UsageSampling> sampling_;
  std::optional<base::Time> next_sample_;
  Hooks hooks_;
  Alarm alarm_;
  Tallies tallies_;
  std::map<std::string, api::Cohort, std::less<>> cohorts_;
  std::map<std::string, api::ResourceFlavor, std::less<>> flavors_;
  std::map<std::string, api::AdmissionCheck, std::less<>> checks_;
  std::map<Item, Form> queues_;      // of both sorts
  bool is_everything_new_ = false;   // all are to be looked at
  std::set<Item> statuses_;          // to be looked at
  std::set<Item> finalizers_;        // to be looked at
  std::set<Item> held_;              // statuses that are to be looked at when their time comes
  std::map<Item, Pace> paces_;       // of writes of status
  std::set<Item> status_writes_;     // under way
  std::set<Item> finalizer_writes_;  // under way
  std::shared_ptr<QueueDesk*> self_;
};

}  // namespace berth::control
