#pragma once

// Active and inadmissible workloads in groups of equal keys.
//
// A lane is a queue of workloads in the order of ComesBefore. The workloads of one key form a
// group, which is a heap; the lane has one heap of its active groups, ordered by their first
// workloads, and one of its inadmissible groups. So marking all workloads of a key inadmissible
// moves one group, and requeuing a lane melds two heaps, independent of the number of workloads.
// Inadmissible groups are not reset individually: a group is inadmissible only if its epoch is the
// lane's current epoch, and requeuing starts a new epoch.
//
// An empty group is freed, unless it is inadmissible: then it stays until the lane is requeued, and
// workloads that join it are inadmissible at once.
//
// Cost, amortized: joining, leaving and marking O(log n) comparisons; requeuing O(1).

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

  // `links` has one entry per workload; entries of workloads in no group are not touched. Both must
  // outlive this.
  ShapeGroups(const State& state, std::vector<base::HeapLinks>& links)
      : state_(state), links_(links) {}

  uint32_t MakeLane() { return lanes_.Make({}); }
  // Precondition: no workloads and no inadmissible groups.
  void FreeLane(uint32_t lane);
  // Makes all groups active and frees empty ones.
  void RequeueInadmissible(uint32_t lane);

  // The group of this key; kNone if there is none.
  uint32_t Find(uint32_t lane, const EquivalenceKey& key) const;
  // Creates an active group if there is none. The caller must then join it or mark it inadmissible.
  uint32_t FindOrMake(uint32_t lane, const EquivalenceKey& key);
  // Moves a group from the active to the inadmissible ones. No-op if it is inadmissible.
  void MarkInadmissible(uint32_t group);

  void Join(uint32_t group, WorkloadId id);
  void Leave(uint32_t group, WorkloadId id);

  // Prefetches for an upcoming removal of the group's first workload. Call with steps 0, 1, 2, …
  // ahead of time; each step fetches data located by the previous one.
  void PrefetchLeave(uint32_t group, int step) const;

  uint32_t LaneOf(uint32_t group) const { return groups_[group].lane; }
  const EquivalenceKey& KeyOf(uint32_t group) const { return groups_[group].key; }
  bool IsInadmissible(uint32_t group) const {
    return groups_[group].inadmissible_epoch == lanes_[groups_[group].lane].epoch;
  }

  // The first active workload; none if there is none.
  WorkloadId First(uint32_t lane) const;
  size_t ActiveCount(uint32_t lane) const { return lanes_[lane].active.workloads; }
  size_t InadmissibleCount(uint32_t lane) const { return lanes_[lane].inadmissible.workloads; }
  // In no particular order. O(n).
  void AppendActive(uint32_t lane, std::vector<WorkloadId>& to) const {
    Append(lanes_[lane].active, to);
  }
  void AppendInadmissible(uint32_t lane, std::vector<WorkloadId>& to) const {
    Append(lanes_[lane].inadmissible, to);
  }

  size_t group_count() const { return groups_.size(); }
  uint64_t comparisons() const { return comparisons_; }

 private:
  struct Group {
    EquivalenceKey key;
    uint64_t inadmissible_epoch = 0;
    uint32_t lane = kNone;
    uint32_t size = 0;
    base::PairingHeap workloads;
  };
  // The group's links within its lane, with the sort key of its first workload: everything needed
  // to find the lane's next workload, stored contiguously.
  struct GroupLinks : base::HeapLinks {
    uint32_t first = kNone;
    int64_t priority = 0;
    base::Time time;
  };
  // The active or the inadmissible half of a lane.
  struct Side {
    base::PairingHeap groups;
    uint32_t workloads = 0;
  };
  struct Lane {
    uint64_t epoch = 1;
    Side active, inadmissible;
    base::IndexList empty_groups;  // all inadmissible
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
    return IsInadmissible(group) ? lane.inadmissible : lane.active;
  }
  void Free(uint32_t group);
  // Must be called when the first workload of the group changes.
  void UpdateFirst(uint32_t group);
  void Append(const Side& side, std::vector<WorkloadId>& to) const;

  const State& state_;
  std::vector<base::HeapLinks>& links_;  // by WorkloadId
  base::IndexPool<Lane> lanes_;
  base::IndexPool<Group> groups_;
  std::vector<GroupLinks> group_links_;
  base::HashIndex index_;  // groups by lane and key
  uint64_t comparisons_ = 0;
};

}  // namespace berth::engine
