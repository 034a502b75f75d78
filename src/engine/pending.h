#pragma once

// Workloads that wait for quota, by ClusterQueue.
//
// A waiting workload is in one of four places:
//   active     in line: the first of its queue is the next head
//   parked     cannot fit now: back in line when its tree is woken (quota freed, configuration)
//   held       not before somebody says so: its namespace is not selected, or Requeued=False
//   backing off  not before a moment
// To users, active is "pending" and the other three are "inadmissible".
//
// Order within a queue: the sticky preemptor, then priority, then queue-order time, then uid
// (ComesBefore in state.h). Where the queue orders by usage, the LocalQueue with the lower usage
// goes before all that.
//
// Equal shapes wait together. In a BestEffortFIFO queue, with scheduling_equivalence_hashing, one
// that does not fit parks every active workload of the queue with an equal EquivalenceKey, and
// those that arrive later with that key are parked at once, until the queue is woken. So ten
// thousand copies of a job that does not fit cost one evaluation. A key of {0, 0} is equal to no
// other.
//
// Cost: insertion, removal, parking (also of a whole shape) are O(log n); waking a queue is O(1)
// however many are parked (two heaps are melded and an epoch advances), plus O(k) for k workloads
// that were parked one by one. Head is O(1), or O(LocalQueues) where the queue orders by usage.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

class PendingQueues {
 public:
  // The state is looked at (workloads, queues, shapes, local_queue_usage, options), never changed.
  explicit PendingQueues(const State& state);
  ~PendingQueues();
  PendingQueues(const PendingQueues&) = delete;
  PendingQueues& operator=(const PendingQueues&) = delete;

  // The queue's strategy or its ordering by usage may have changed: its workloads are put in order
  // anew, all that are parked become active.
  void QueueChanged(NodeId queue);

  // The workload (its entry in the state is filled in) joins its queue: active, or parked if its
  // shape is.
  void Add(WorkloadId id);
  // Wherever it is. Nothing if it does not wait.
  void Remove(WorkloadId id);
  bool Contains(WorkloadId id) const;

  // The next head; none if nothing is active. It stays where it is.
  WorkloadId Head(NodeId queue) const;

  // Parks an active workload, with all active ones of its shape if the class comment says so.
  void ParkShape(WorkloadId id);
  // Parks an active workload alone.
  void ParkAlone(WorkloadId id);
  // Takes a waiting workload out of line until Release.
  void Hold(WorkloadId id);
  void BackOff(WorkloadId id, base::Time until);
  // A held or backing-off workload joins its queue like a new one.
  void Release(WorkloadId id);
  // Releases those whose back-off is over at `now`.
  void AdvanceTo(base::Time now);

  // All parked workloads of the queue become active, its remembered shapes are forgotten.
  void Wake(NodeId queue);

  size_t ActiveCount(NodeId queue) const;
  size_t InadmissibleCount(NodeId queue) const;
  // In the order of consideration. O(n log n): for listings.
  std::vector<WorkloadId> Active(NodeId queue) const;
  std::vector<WorkloadId> Inadmissible(NodeId queue) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::engine
