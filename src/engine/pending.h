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
// How it is kept: a queue is a lane of ShapeGroups (shape_groups.h says how). Where it orders by
// usage, each of its LocalQueues has a lane, and one lane more remembers the parked shapes of all.
//
// Cost, amortized: insertion, removal, parking (also of a whole shape) are O(log n); waking a queue
// is O(1) however many are parked, plus O(k) for k workloads that were parked one by one. Head and
// the counts are O(1). Where the queue orders by usage, all these but insertion and removal take
// O(LocalQueues) on top.

#include <cstdint>
#include <vector>

#include "base/index_list.h"
#include "base/pairing_heap.h"
#include "base/time.h"
#include "engine/back_offs.h"
#include "engine/ids.h"
#include "engine/shape_groups.h"
#include "engine/state.h"

namespace berth::engine {

class PendingQueues {
 public:
  // The state is looked at (workloads, queues, shapes, local_queue_usage, options), never changed.
  // It must outlive this. While a workload waits, its queues, priority, time, uid and shape must
  // stay as they are: to change them, remove it and add it again. Usage of LocalQueues and the
  // sticky preemptor may change at any time.
  explicit PendingQueues(const State& state) : state_(state), groups_(state, links_) {}
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
  bool Contains(WorkloadId id) const { return PlaceOf(id) != Place::kNowhere; }
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
  // Both together.
  std::vector<WorkloadId> Waiting(NodeId queue) const;

  // Why a workload is not looked at whatever changes in its tree.
  enum class KeptOut : uint8_t { kNot, kHeld, kBackingOff };
  KeptOut WhyKeptOut(WorkloadId id) const;

  // A head will be removed soon. To be called again and again as that comes near, for the steps 0
  // to kPrefetchSteps - 1, so that everything that is looked at then has been fetched.
  static constexpr int kPrefetchSteps = 6;
  void PrefetchRemoval(WorkloadId id, int step) const;

  // How often two workloads were compared to keep them in order: what the promised costs are
  // measured in.
  uint64_t comparisons() const { return groups_.comparisons(); }

 private:
  static constexpr uint32_t kNone = base::IndexList::kNone;

  enum class Place : uint8_t { kNowhere, kInGroup, kParkedAlone, kHeld, kBackingOff };
  struct Slot {
    uint32_t at = kNone;  // the group, or the ticket of the back-off
    Place place = Place::kNowhere;
  };
  struct UsageLane {
    LocalQueueId local_queue;
    uint32_t lane = kNone;
  };
  // What sets queues apart in how they are kept.
  struct Mode {
    bool parks_shapes = false;
    bool has_usage_lanes = false;
    friend bool operator==(const Mode&, const Mode&) = default;
  };
  // Where the workloads of one ClusterQueue wait.
  struct Room {
    Mode mode;
    uint32_t lane = kNone;               // with usage lanes, only for the parked shapes
    std::vector<UsageLane> usage_lanes;  // by local_queue
    base::IndexList parked_alone;
    base::IndexList kept_out;  // held or backing off
    uint32_t out_of_line = 0;  // how many are in the two lists
  };

  Place PlaceOf(WorkloadId id) const {
    return id.index() < slots_.size() ? slots_[id.index()].place : Place::kNowhere;
  }
  Slot& SlotOf(WorkloadId id);

  Mode ModeOf(NodeId queue) const;
  // Made if it is not there yet.
  Room& RoomOf(NodeId queue);
  // Null if nothing ever waited there.
  const Room* FindRoom(NodeId queue) const;
  uint32_t LaneFor(Room& room, LocalQueueId local_queue);
  uint32_t GroupFor(Room& room, const Workload& workload);

  void PutIn(Room& room, base::IndexList& list, Place place, WorkloadId id);
  void TakeFrom(Room& room, base::IndexList& list, WorkloadId id);

  double UsageOf(LocalQueueId local_queue) const;
  WorkloadId StickyOf(NodeId queue) const;
  // In the order of consideration.
  bool Precedes(const Room& room, WorkloadId sticky, WorkloadId a, WorkloadId b) const;
  WorkloadId HeadOfLane(uint32_t lane, WorkloadId sticky) const;
  void AppendList(const base::IndexList& list, std::vector<WorkloadId>& to) const;
  void Sort(NodeId queue, std::vector<WorkloadId>& workloads) const;

  const State& state_;
  std::vector<base::HeapLinks> links_;  // by WorkloadId; for heaps of groups and the lists here
  std::vector<Slot> slots_;             // by WorkloadId
  std::vector<Room> rooms_;             // by NodeId
  ShapeGroups groups_;
  BackOffs back_offs_;
};

}  // namespace berth::engine
