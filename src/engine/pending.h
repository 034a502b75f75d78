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
// How it is kept: the workloads of one key are a group, a heap of its own; a queue has one heap of
// its active groups, by their first workloads, and one of its parked groups. Parking a shape moves
// one group. Waking melds the parked heap into the active one, and because the queue's epoch
// advances, no group counts as parked any more. Workloads that are equal to no other share a group
// that is never parked. Where the queue orders by usage, each of its LocalQueues has its own two
// heaps (a lane).
//
// Cost, amortized: insertion, removal, parking (also of a whole shape) are O(log n); waking a queue
// is O(1) however many are parked, plus O(k) for k workloads that were parked one by one. Head is
// O(1). Where the queue orders by usage, Head, ParkShape and Wake take O(LocalQueues) on top.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

class PendingQueues {
 public:
  // The state is looked at (workloads, queues, shapes, local_queue_usage, options), never changed.
  // It must outlive this. While a workload waits, its queues, priority, time, uid and shape must
  // stay as they are: to change them, remove it and add it again. Usage of LocalQueues and the
  // sticky preemptor may change at any time.
  explicit PendingQueues(const State& state);
  ~PendingQueues();
  PendingQueues(const PendingQueues&) = delete;
  PendingQueues& operator=(const PendingQueues&) = delete;

  // The queue's strategy or its ordering by usage may have changed: its workloads are put in order
  // anew, all that are parked become active. O(n) if they did change, else as Wake.
  void QueueChanged(NodeId queue);

  // The workload (its entry in the state is filled in) joins its queue: active, or parked if its
  // shape is. It must not wait yet.
  void Add(WorkloadId id);
  // Wherever it is. Nothing if it does not wait.
  void Remove(WorkloadId id);
  bool Contains(WorkloadId id) const;
  bool IsActive(WorkloadId id) const;

  // The next head; none if nothing is active. It stays where it is.
  WorkloadId Head(NodeId queue) const;

  // Parks an active workload, with all active ones of its shape if the class comment says so.
  void ParkShape(WorkloadId id);
  // Parks an active workload alone.
  void ParkAlone(WorkloadId id);
  // Keeps a workload out of line until Release. It may wait anywhere, or join only now.
  void Hold(WorkloadId id);
  // The same until a moment, or until Release. Of two calls the last counts.
  void BackOff(WorkloadId id, base::Time until);
  // A held or backing-off workload joins its queue like a new one. Nothing if it is neither.
  void Release(WorkloadId id);
  // Releases those whose back-off is over at `now`: that very moment is late enough.
  void AdvanceTo(base::Time now);

  // All parked workloads of the queue become active, its remembered shapes are forgotten. Those
  // held or backing off stay.
  void Wake(NodeId queue);

  size_t ActiveCount(NodeId queue) const;
  size_t InadmissibleCount(NodeId queue) const;
  // In the order of consideration. O(n log n): for listings.
  std::vector<WorkloadId> Active(NodeId queue) const;
  std::vector<WorkloadId> Inadmissible(NodeId queue) const;

  // How often two workloads were compared so far: what the promised costs are measured in.
  uint64_t comparisons() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::engine
