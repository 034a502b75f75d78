#pragma once

// Maintains the status of ClusterQueues, LocalQueues and Cohorts, the consumption of LocalQueues,
// and the finalizers of ClusterQueues, ResourceFlavors, AdmissionChecks and Topologies that are in
// use.
//
// Only objects that may have changed are considered. Status writes of one object are rate-limited:
// a burst at first, then one per interval, however many workloads come and go.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/kueue/admission_check.h"
#include "api/kueue/cohort.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/meta/object.h"
#include "base/time.h"
#include "control/deadline_timer.h"
#include "control/rate_limit.h"
#include "control/report/queue_counters.h"
#include "control/report/queue_status.h"
#include "control/report/usage_sampling.h"
#include "control/write/object_writer.h"
#include "json/json.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

class QueueStatusController {
 public:
  struct Hooks {
    // An object was written, and the watch has not delivered a newer version yet.
    std::function<void(const schema::Kind&, const store::Object&)> on_written;
    // There may be something to plan: a write ended, or a deadline passed.
    std::function<void()> on_enqueued;
    std::function<void(std::string_view)> log;
  };

  // `sampling`: of the consumption of LocalQueues; nullopt if it is disabled.
  QueueStatusController(store::Store& store, store::Executor& executor,
                        const workload::ClusterState& cluster, EventRecorder& events,
                        std::optional<UsageSampling> sampling, Hooks hooks);
  ~QueueStatusController();

  // Registers the handlers of the kinds that a status or finalizer depends on, after those of the
  // cluster state. This must outlive the handlers.
  void AddHandlers(workload::ObjectHandlers& handlers);
  // A workload was created, changed or deleted, or there is a decision about it.
  void OnWorkload(std::string_view namespaced_name) { counters_.MarkChanged(namespaced_name); }

  // Recounts the changed workloads. The cluster state must be in sync.
  void Count();
  // Writes statuses and finalizers that differ from the desired ones, one write per object at a
  // time.
  void Plan(base::Time now);
  // Nothing is being written, and nothing waits for its time.
  bool is_idle() const { return writer_.is_idle() && dirty_statuses_.empty() && deferred_.empty(); }

  const QueueCounters& counters() const { return counters_; }

 private:
  enum class Sort : uint8_t { kClusterQueue, kLocalQueue, kCohort, kFlavor, kCheck, kTopology };
  using Item = std::pair<Sort, std::string>;  // LocalQueues by their namespaced name
  // The version of a queue's spec. The status of other queues may depend on it.
  struct Version {
    std::string uid;
    int64_t generation = 0;
    std::optional<base::Time> deletion;

    friend bool operator==(const Version&, const Version&) = default;
  };

  // Objects besides queues, by name.
  struct Known {
    std::map<std::string, api::Cohort, std::less<>> cohorts;
    std::map<std::string, api::ResourceFlavor, std::less<>> flavors;
    std::map<std::string, api::AdmissionCheck, std::less<>> checks;
    std::map<std::string, api::Topology, std::less<>> topologies;
  };

  template <class T>
  void AddQueueHandler(workload::ObjectHandlers& handlers, Sort sort);
  // Keeps objects of this kind in `objects`.
  template <class T>
  void AddObjectHandler(workload::ObjectHandlers& handlers,
                        std::map<std::string, T, std::less<>>& objects);
  void OnQueueUpsert(Item item, const api::ObjectMeta& metadata);
  void MarkAllDirty();
  void MarkStatusDirty(Item item);
  void MarkSamplesDirty(base::Time now);
  void ReleaseDeferred(base::Time now);
  static const schema::Kind& KindOf(Sort sort);
  static ObjectKey KeyOf(const Item& item);
  static Item ItemOf(const ObjectKey& key);
  // Takes the items that are not being written; the others stay.
  std::set<Item> TakeFree(std::set<Item>& items) const;
  // The time from which the status may be written.
  base::Time DueTime(const Item& item, base::Time now);
  void SyncStatus(const Item& item, base::Time now);
  void SyncFinalizer(const Item& item);
  base::Duration Interval() const;

  void Sample(const api::LocalQueue& queue, base::Time now, api::LocalQueueStatus& status);
  template <class T, class Status>
  void WriteStatus(const Item& item, const T& object, const Status& status, base::Time now);
  template <class T>
  void KeepFinalizer(const Item& item, const T& object, bool is_used);
  void Write(const Item& item, const api::ObjectMeta& metadata, const schema::Kind& kind,
             const json::object& patch, std::string_view subresource);
  // The object's metadata; null if the object is not known.
  const api::ObjectMeta* FindMetadata(const Item& item) const;
  ObjectWriter::Cache CacheHooks();
  void Enqueue(const Item& item);
  bool IsFlavorUsed(std::string_view flavor) const;
  bool IsCheckUsed(std::string_view check) const;
  bool IsTopologyUsed(std::string_view topology) const;

  const workload::ClusterState& cluster_;
  std::optional<UsageSampling> sampling_;
  std::optional<base::Time> next_sample_;
  Hooks hooks_;
  DeadlineTimer timer_;
  QueueCounters counters_;
  Known known_;
  std::map<Item, Version> queues_;  // of both sorts
  bool are_all_dirty_ = false;
  std::set<Item> dirty_statuses_;
  std::set<Item> dirty_finalizers_;
  std::set<Item> deferred_;                // statuses that are dirty once they are due
  std::map<Item, RateLimit> rate_limits_;  // of writes of status
  std::map<Item, base::Time> new_queues_;  // ClusterQueues without a status, since when
  ObjectWriter writer_;
};

}  // namespace berth::control
