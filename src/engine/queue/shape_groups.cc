#include "engine/queue/shape_groups.h"

#include <utility>

#include "base/check.h"
#include "base/prefetch.h"

namespace berth::engine {
namespace {

uint64_t HashOf(uint32_t lane, const EquivalenceKey& key) {
  return base::MixHash(base::MixHash(lane, key.high), key.low);
}

}  // namespace

void ShapeGroups::FreeLane(uint32_t lane) {
  CHECK(lanes_[lane].active.workloads == 0 && lanes_[lane].inadmissible.workloads == 0);
  CHECK(lanes_[lane].empty_groups.empty());
  lanes_.Free(lane);
}

void ShapeGroups::RequeueInadmissible(uint32_t lane_index) {
  Lane& lane = lanes_[lane_index];
  group_heaps().Meld(lane.active.groups, lane.inadmissible.groups);
  lane.active.workloads += std::exchange(lane.inadmissible.workloads, 0);
  ++lane.epoch;
  // Amortized: each was paid for when its last workload left, or when it was marked while empty.
  while (!lane.empty_groups.empty()) {
    const uint32_t group = lane.empty_groups.front;
    base::Unlink(group_links_, lane.empty_groups, group);
    Free(group);
  }
}

uint32_t ShapeGroups::Find(uint32_t lane, const EquivalenceKey& key) const {
  return index_.Find(HashOf(lane, key), [&](uint32_t group) {
    return groups_[group].lane == lane && groups_[group].key == key;
  });
}

uint32_t ShapeGroups::FindOrMake(uint32_t lane, const EquivalenceKey& key) {
  if (const uint32_t found = Find(lane, key); found != kNone) return found;
  const uint32_t group = groups_.Make({.key = key, .lane = lane, .workloads = {}});
  if (group_links_.size() < groups_.bound()) group_links_.resize(groups_.bound());
  index_.Insert(HashOf(lane, key), group);
  return group;
}

void ShapeGroups::Free(uint32_t group) {
  index_.Erase(HashOf(groups_[group].lane, groups_[group].key), group);
  groups_.Free(group);
}

void ShapeGroups::UpdateFirst(uint32_t group) {
  GroupLinks& links = group_links_[group];
  links.first = groups_[group].workloads.top;
  links.priority = state_.workloads[links.first].priority;
  links.time = state_.workloads[links.first].queue_order_time;
}

void ShapeGroups::MarkInadmissible(uint32_t group_index) {
  if (IsInadmissible(group_index)) return;
  Group& group = groups_[group_index];
  Lane& lane = lanes_[group.lane];
  group.inadmissible_epoch = lane.epoch;
  if (group.size == 0) return base::PushFront(group_links_, lane.empty_groups, group_index);
  group_heaps().Remove(lane.active.groups, group_index);
  group_heaps().Insert(lane.inadmissible.groups, group_index);
  lane.active.workloads -= group.size;
  lane.inadmissible.workloads += group.size;
}

void ShapeGroups::Join(uint32_t group_index, WorkloadId id) {
  Group& group = groups_[group_index];
  Side& side = SideOf(group_index);
  const uint32_t top = group.workloads.top;
  workload_heaps().Insert(group.workloads, id.value());
  const bool is_first = group.workloads.top != top;
  if (is_first) UpdateFirst(group_index);
  if (group.size == 0) {
    if (IsInadmissible(group_index))
      base::Unlink(group_links_, lanes_[group.lane].empty_groups, group_index);
    group_heaps().Insert(side.groups, group_index);
  } else if (is_first) {
    group_heaps().MoveForward(side.groups, group_index);
  }
  ++group.size;
  ++side.workloads;
}

void ShapeGroups::Leave(uint32_t group_index, WorkloadId id) {
  Group& group = groups_[group_index];
  Side& side = SideOf(group_index);
  const bool is_first = group.workloads.top == id.value();
  workload_heaps().Remove(group.workloads, id.value());
  --group.size;
  --side.workloads;
  if (!is_first) return;
  group_heaps().Remove(side.groups, group_index);
  if (group.size > 0) {
    UpdateFirst(group_index);
    group_heaps().Insert(side.groups, group_index);
  } else if (IsInadmissible(group_index)) {
    base::PushFront(group_links_, lanes_[group.lane].empty_groups, group_index);
  } else {
    Free(group_index);
  }
}

void ShapeGroups::PrefetchLeave(uint32_t group, int step) const {
  if (step == 0) {
    base::Prefetch(groups_[group]);
    base::Prefetch(group_links_[group]);
    return;
  }
  if (step == 1) index_.Prefetch(HashOf(groups_[group].lane, groups_[group].key));
  // The child groups, which are about to be merged.
  uint32_t at = group_links_[group].child;
  for (int i = 1; i < step && at != kNone; ++i) at = group_links_[at].next;
  if (at != kNone) base::Prefetch(group_links_[at]);
}

WorkloadId ShapeGroups::First(uint32_t lane) const {
  const base::PairingHeap& groups = lanes_[lane].active.groups;
  return groups.empty() ? WorkloadId::None() : WorkloadId(group_links_[groups.top].first);
}

void ShapeGroups::Append(const Side& side, std::vector<WorkloadId>& to) const {
  for (uint32_t g = side.groups.top; g != kNone; g = base::NextInWalk(group_links_, g))
    for (uint32_t w = groups_[g].workloads.top; w != kNone; w = base::NextInWalk(links_, w))
      to.push_back(WorkloadId(w));
}

}  // namespace berth::engine
