#pragma once

// Pending workloads by ClusterQueue.
//
// A pending workload has one of four states:
//   active        in the queue: the first one is the next head
//   inadmissible  cannot fit now: requeued when its tree changes (quota freed, configuration)
//   held          until Release: its namespace is not selected, or Requeued=False
//   backing off   until a point in time
// To users, active is "pending" and the other three are "inadmissible".
//
// Order within a queue: the sticky preemptor, then priority, then queue-order time, then uid
// (ComesBefore in state.h). In a queue that orders by usage, the LocalQueue with the lower usage
// precedes all of these.
//
// Equivalent shapes share their admissibility. In a BestEffortFIFO queue, with
// scheduling_equivalence_hashing, a workload that does not fit makes every active workload of the
// queue with an equal EquivalenceKey inadmissible, and later arrivals with that key are
// inadmissible at once, until the queue is requeued. So ten thousand copies of a job that does not
// fit cost one evaluation. A key of {0, 0} is equal to no other.
//
// Representation: a queue is a lane of ShapeGroups (shape_groups.h). If it orders by usage, each of
// its LocalQueues has a lane, and one more lane stores the inadmissible shapes of all.
//
// Cost, amortized: insertion, removal and marking (also of a whole shape) are O(log n); requeuing
// is O(1) in the number of inadmissible shapes, plus O(k) for k workloads marked individually. Head
// and the counts are O(1). In a queue that orders by usage, all of these except insertion and
// removal add O(LocalQueues).

#include <cstdint>
#include <vector>

#include "base/index_list.h"
#include "base/pairing_heap.h"
#include "base/time.h"
#include "engine/ids.h"
#include "engine/queue/back_offs.h"
#include "engine/queue/shape_groups.h"
#include "engine/state.h"

namespace berth::engine {

class PendingQueues {
 public:
  // Reads the state (workloads, queues, shapes, local_queue_usage, options), which must outlive
  // this. While a workload is pending, its queues, priority, time, uid and shape must not change:
  // remove it and add it again instead. Usage of LocalQueues and the sticky preemptor may change at
  // any time.
  explicit PendingQueues(const State& state) : state_(state), groups_(state, links_) {}
  PendingQueues(const PendingQueues&) = delete;
  PendingQueues& operator=(const PendingQueues&) = delete;

  // The queue's strategy or its ordering by usage may have changed: reorders its workloads and
  // requeues all inadmissible ones. O(n) if they changed, otherwise as RequeueInadmissible.
  void QueueChanged(NodeId queue);

  // Inserts a workload whose entry in the state is complete: active, or inadmissible if its shape
  // is. Precondition: it is not pending yet.
  void Add(WorkloadId id);
  // Removes a workload in any state. No-op if it is not pending.
  void Remove(WorkloadId id);
  bool Contains(WorkloadId id) const { return PlaceOf(id) != Place::kNowhere; }
  bool IsActive(WorkloadId id) const;

  // The next head, which stays in the queue; none if no workload is active.
  WorkloadId Head(NodeId queue) const;

  // Marks an active workload inadmissible, with all active workloads of its shape if the queue
  // groups shapes (see above).
  void MarkShapeInadmissible(WorkloadId id);
  // Marks a single active workload inadmissible.
  void MarkInadmissible(WorkloadId id);
  // Keeps a workload out of the queue until Release. It may be in any state, or not yet pending.
  void Hold(WorkloadId id);
  // Holds a workload until `until` or Release. The last call wins.
  void BackOff(WorkloadId id, base::Time until);
  // Inserts a held or backing-off workload like a new one. No-op in any other state.
  void Release(WorkloadId id);
  // Releases workloads whose back-off ends at or before `now`.
  void AdvanceTo(base::Time now);

  // Makes all inadmissible workloads of the queue active and clears its inadmissible shapes. Held
  // and backing-off workloads stay.
  void RequeueInadmissible(NodeId queue);

  // Whether the workloads of this key are inadmissible, and so are later arrivals.
  bool IsInadmissible(NodeId queue, const EquivalenceKey& key) const;

  size_t ActiveCount(NodeId queue) const;
  size_t InadmissibleCount(NodeId queue) const;
  // In the order of consideration. O(n log n): for listings.
  std::vector<WorkloadId> Active(NodeId queue) const;
  std::vector<WorkloadId> Inadmissible(NodeId queue) const;
  // Active and inadmissible.
  std::vector<WorkloadId> Waiting(NodeId queue) const;

  // Why a workload is not considered regardless of changes in its tree.
  enum class Deferral : uint8_t { kNone, kHeld, kBackingOff };
  Deferral DeferralOf(WorkloadId id) const;

  // Prefetches for an upcoming removal of a head. Call with steps 0 to kPrefetchSteps - 1 ahead of
  // time; each step fetches data located by the previous one.
  static constexpr int kPrefetchSteps = 6;
  void PrefetchRemoval(WorkloadId id, int step) const;

  // The number of comparisons so far, to verify the costs above.
  uint64_t comparisons() const { return groups_.comparisons(); }

 private:
  static constexpr uint32_t kNone = base::IndexList::kNone;

  enum class Place : uint8_t { kNowhere, kInGroup, kInadmissibleIndividually, kHeld, kBackingOff };
  struct Slot {
    uint32_t at = kNone;  // the group, or the back-off ticket
    Place place = Place::kNowhere;
  };
  struct UsageLane {
    LocalQueueId local_queue;
    uint32_t lane = kNone;
  };
  // Properties of a queue that select its representation.
  struct Mode {
    bool groups_shapes = false;
    bool has_usage_lanes = false;
    friend bool operator==(const Mode&, const Mode&) = default;
  };
  // The pending workloads of one ClusterQueue.
  struct PendingQueue {
    Mode mode;
    uint32_t lane = kNone;               // with usage lanes, only for inadmissible shapes
    std::vector<UsageLane> usage_lanes;  // by local_queue
    base::IndexList individually_inadmissible;
    base::IndexList deferred;   // held or backing off
    uint32_t out_of_queue = 0;  // size of both lists
  };

  Place PlaceOf(WorkloadId id) const {
    return id.index() < slots_.size() ? slots_[id.index()].place : Place::kNowhere;
  }
  Slot& SlotOf(WorkloadId id);

  Mode ModeOf(NodeId queue) const;
  // Created on first use.
  PendingQueue& PendingQueueOf(NodeId queue);
  // Null if no workload was ever pending there.
  const PendingQueue* FindPendingQueue(NodeId queue) const;
  uint32_t LaneFor(PendingQueue& pending, LocalQueueId local_queue);
  uint32_t GroupFor(PendingQueue& pending, const Workload& workload);

  void PutIn(PendingQueue& pending, base::IndexList& list, Place place, WorkloadId id);
  void TakeFrom(PendingQueue& pending, base::IndexList& list, WorkloadId id);

  double UsageOf(LocalQueueId local_queue) const;
  WorkloadId StickyOf(NodeId queue) const;
  // In the order of consideration.
  bool Precedes(const PendingQueue& pending, WorkloadId sticky, WorkloadId a, WorkloadId b) const;
  WorkloadId HeadOfLane(uint32_t lane, WorkloadId sticky) const;
  void AppendList(const base::IndexList& list, std::vector<WorkloadId>& to) const;
  void Sort(NodeId queue, std::vector<WorkloadId>& workloads) const;

  const State& state_;
  std::vector<base::HeapLinks> links_;  // by WorkloadId; for heaps of groups and the lists here
  std::vector<Slot> slots_;             // by WorkloadId
  std::vector<PendingQueue> queues_;    // by NodeId
  ShapeGroups groups_;
  BackOffs back_offs_;
};

}  // namespace berth::engine
