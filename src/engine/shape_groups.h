#pragma once

// Workloads in line for quota and those parked, kept as groups of equal ones.
//
// A lane is a line of workloads in the order of ComesBefore. Within it the workloads of one key are
// a group, which is a heap of its own; the lane has one heap of its active groups, by their first
// workloads, and one of its parked groups. So parking all workloads of a key moves one group, and
// waking a lane melds two heaps, however many workloads there are. A parked group is not marked
// as active again one by one: it is parked only as long as it names the lane's present epoch, and
// waking begins another.
//
// A group without workloads goes, except that a parked one stays until the lane is woken: whoever
// joins it meanwhile is parked at once.
//
// Cost, amortized: joining, leaving and parking O(log n) comparisons; waking O(1).

#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "base/index_list.h"
#include "base/index_pool.h"
#include "base/pairing_heap.h"
#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

class ShapeGroups {
 public:
  static constexpr uint32_t kNone = base::HeapLinks::kNone;

  // `links` has one entry a workload; of those in no group it is not touched. Both must outlive
  // this.
  ShapeGroups(const State& state, std::vector<base::HeapLinks>& links)
      : state_(state), links_(links) {}

  uint32_t MakeLane() { return lanes_.Make({}); }
  // It must be awake and have no workloads.
  void FreeLane(uint32_t lane);
  // All its groups become active, empty ones go.
  void Wake(uint32_t lane);

  // The group of this key; kNone if there is none.
  uint32_t Find(uint32_t lane, const EquivalenceKey& key) const;
  // The same, or a new one, active; somebody must then join it, or it must be parked.
  uint32_t FindOrMake(uint32_t lane, const EquivalenceKey& key);
  // Takes a group from the active to the parked ones. Nothing if it is there.
  void Park(uint32_t group);

  void Join(uint32_t group, WorkloadId id);
  void Leave(uint32_t group, WorkloadId id);

  // Its first workload will leave soon. To be called again and again as that comes near, for the
  // steps 0, 1, 2, …: each fetches what the one before tells the place of.
  void PrefetchLeave(uint32_t group, int step) const;

  uint32_t LaneOf(uint32_t group) const { return groups_[group].lane; }
  const EquivalenceKey& KeyOf(uint32_t group) const { return groups_[group].key; }
  bool IsParked(uint32_t group) const {
    return groups_[group].parked_epoch == lanes_[groups_[group].lane].epoch;
  }

  // Of the active workloads; none if there is none.
  WorkloadId First(uint32_t lane) const;
  size_t ActiveCount(uint32_t lane) const { return lanes_[lane].active.workloads; }
  size_t ParkedCount(uint32_t lane) const { return lanes_[lane].parked.workloads; }
  // In no particular order. O(n).
  void AppendActive(uint32_t lane, std::vector<WorkloadId>& to) const {
    Append(lanes_[lane].active, to);
  }
  void AppendParked(uint32_t lane, std::vector<WorkloadId>& to) const {
    Append(lanes_[lane].parked, to);
  }

  size_t group_count() const { return groups_.size(); }
  uint64_t comparisons() const { return comparisons_; }

 private:
  struct Group {
    EquivalenceKey key;
    uint64_t parked_epoch = 0;
    uint32_t lane = kNone;
    uint32_t size = 0;
    base::PairingHeap workloads;
  };
  // Where a group stands among those of its lane, with what its first workload is compared by: all
  // that is looked at to find the next of a lane, close together.
  struct GroupLinks : base::HeapLinks {
    uint32_t first = kNone;
    int64_t priority = 0;
    base::Time time;
  };
  // One of the two halves of a lane.
  struct Side {
    base::PairingHeap groups;
    uint32_t workloads = 0;
  };
  struct Lane {
    uint64_t epoch = 1;
    Side active, parked;
    base::IndexList empty_groups;  // all parked
  };
  struct WorkloadBefore {
    ShapeGroups& self;
    bool operator()(uint32_t a, uint32_t b) const {
      ++self.comparisons_;
      return ComesBefore(self.state_.workloads[a], self.state_.workloads[b]);
    }
  };
  struct GroupBefore {
    ShapeGroups& self;
    bool operator()(uint32_t a, uint32_t b) const {
      const GroupLinks& x = self.group_links_[a];
      const GroupLinks& y = self.group_links_[b];
      ++self.comparisons_;
      if (x.priority != y.priority) return x.priority > y.priority;
      if (x.time != y.time) return x.time < y.time;
      return self.state_.workloads[x.first].uid < self.state_.workloads[y.first].uid;
    }
  };

  base::PairingHeaps<WorkloadBefore> workload_heaps() { return {links_, WorkloadBefore{*this}}; }
  base::PairingHeaps<GroupBefore, GroupLinks> group_heaps() {
    return {group_links_, GroupBefore{*this}};
  }

  Side& SideOf(uint32_t group) {
    Lane& lane = lanes_[groups_[group].lane];
    return IsParked(group) ? lane.parked : lane.active;
  }
  void Free(uint32_t group);
  // To be called when another workload has become the first of the group.
  void NoteFirst(uint32_t group);
  void Append(const Side& side, std::vector<WorkloadId>& to) const;

  const State& state_;
  std::vector<base::HeapLinks>& links_;  // by WorkloadId
  base::IndexPool<Lane> lanes_;
  base::IndexPool<Group> groups_;
  std::vector<GroupLinks> group_links_;
  base::HashIndex index_;  // of groups by lane and key
  uint64_t comparisons_ = 0;
};

}  // namespace berth::engine
