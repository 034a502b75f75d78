#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dra/device_class_conflicts.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"
#include "api/meta/selector.h"
#include "engine/ids.h"
#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/resource_filter.h"
#include "workload/state/object_map.h"
#include "workload/state/ordered_names.h"

namespace berth::workload {

// A ClusterQueue with its compiled form, which is valid from the first Sync on.
struct ClusterQueueEntry {
  api::ClusterQueue object;
  engine::NodeId id;
  std::optional<ResourceFilter> filter;  // reset when the spec changes
  api::Selector namespace_selector;
  std::vector<QueueFlavor> flavors;  // by id
};

// ClusterQueues, Cohorts and LocalQueues, and which of them changed since the last Sync.
class QueueCache {
 public:
  struct Changes {
    OrderedNames cluster_queues;
    OrderedNames users_of_flavors;  // ClusterQueues with a flavor that changed
    OrderedNames cohorts;
    OrderedNames local_queues;
    OrderedNames local_queue_specs;  // LocalQueues of which more than the status changed
    std::vector<engine::NodeId> removed_cluster_queues;
  };

  // Decisions depend on specs alone, except that the engine reads consumption from the status of
  // LocalQueues.
  void Upsert(const api::ClusterQueue& queue);
  void Upsert(const api::Cohort& cohort);
  void Upsert(const api::LocalQueue& queue);
  void EraseClusterQueue(std::string_view name);
  void EraseCohort(std::string_view name);
  void EraseLocalQueue(std::string_view namespaced_name);

  // Marks the ClusterQueues that refer to the object as changed.
  void MarkUsersOfFlavor(std::string_view flavor);
  void MarkUsersOfCheck(std::string_view check);
  // Recomputes conflicts of device classes if anything changed. ClusterQueues that start or cease
  // to be in conflict are marked as changed.
  void UpdateConflicts();

  const Changes& changes() const { return changes_; }
  void ClearChanges() { changes_ = {}; }

  ObjectMap<ClusterQueueEntry>& cluster_queues() { return cluster_queues_; }
  const ObjectMap<ClusterQueueEntry>& cluster_queues() const { return cluster_queues_; }
  const ObjectMap<api::Cohort>& cohorts() const { return cohorts_; }
  // By namespaced name.
  const ObjectMap<api::LocalQueue>& local_queues() const { return local_queues_; }

  // The LocalQueue that a workload names; null if there is none.
  const api::LocalQueue* FindLocalQueueOf(const api::Workload& workload) const;
  // The ClusterQueue in which a workload is pending; null if one of its two queues is missing or
  // its LocalQueue is stopped.
  const ClusterQueueEntry* FindPendingQueueOf(const api::Workload& workload) const;
  // The conflict of device classes of a ClusterQueue; null if there is none.
  const api::DeviceClassConflict* FindConflict(std::string_view cluster_queue) const;
  // The reason of Active=False of a ClusterQueue; "" if it is active or missing.
  std::string_view InactiveReasonOf(std::string_view cluster_queue,
                                    const QueueReferences& references) const;

 private:
  ObjectMap<ClusterQueueEntry> cluster_queues_;
  ObjectMap<api::Cohort> cohorts_;
  ObjectMap<api::LocalQueue> local_queues_;
  std::map<std::string, api::DeviceClassConflict, std::less<>> conflicts_;  // by ClusterQueue
  Changes changes_;
};

}  // namespace berth::workload
