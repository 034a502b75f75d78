#include "engine/pending.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/pairing_heap.h"

namespace berth::engine {
namespace {

using base::HeapLinks;
using base::PairingHeap;
using base::PairingHeaps;

constexpr uint32_t kNone = HeapLinks::kNone;
// Of workloads that are equal to no other.
constexpr EquivalenceKey kUnequal = {};

enum class Place : uint8_t { kNowhere, kInGroup, kParkedAlone, kHeld, kBackingOff };

// Where a workload waits.
struct Slot {
  uint32_t at = kNone;  // which group, or which entry of the back-offs
  Place place = Place::kNowhere;
};

// The workloads of one lane with one key. A group without workloads is kept only while it is
// parked, for those that come later.
struct Group {
  EquivalenceKey key;
  uint64_t parked_epoch = 0;  // parked if it is the room's epoch
  uint32_t lane = kNone;
  uint32_t size = 0;
  PairingHeap workloads;
};

// The groups that compete by their workloads' order alone.
struct Lane {
  NodeId queue;
  LocalQueueId local_queue;  // none in a queue's common lane
  PairingHeap active;
  PairingHeap parked;
};

struct BackOffEntry {
  base::Time until;
  WorkloadId workload;
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
  uint64_t epoch = 1;
  uint32_t common_lane = kNone;       // with usage lanes it holds no workload, only parked shapes
  std::vector<uint32_t> usage_lanes;  // by LocalQueueId
  uint32_t empty_groups = kNone;      // list: parked shapes without workloads
  uint32_t parked_alone = kNone;      // list of workloads
  uint32_t held_or_backing_off = kNone;  // list of workloads
  size_t active_count = 0;
  size_t parked_in_groups = 0;
  size_t out_of_groups = 0;  // in the two lists

  bool exists() const { return common_lane != kNone; }
};

// Lists run through the links of elements that are in no heap.
void PushFront(std::vector<HeapLinks>& links, uint32_t& list, uint32_t element) {
  links[element] = {.child = kNone, .next = list, .prev = kNone};
  if (list != kNone) links[list].prev = element;
  list = element;
}

void Unlink(std::vector<HeapLinks>& links, uint32_t& list, uint32_t element) {
  const HeapLinks old = std::exchange(links[element], HeapLinks{});
  if (old.next != kNone) links[old.next].prev = old.prev;
  (old.prev == kNone ? list : links[old.prev].next) = old.next;
}

// Things with dense indices, used again, that can be in heaps.
template <class Item>
struct Pool {
  std::vector<Item> items;
  std::vector<HeapLinks> links;
  std::vector<uint32_t> free;

  Item& operator[](uint32_t i) { return items[i]; }
  const Item& operator[](uint32_t i) const { return items[i]; }

  uint32_t Make(Item item) {
    if (free.empty()) {
      free.push_back(static_cast<uint32_t>(items.size()));
      items.emplace_back();
      links.emplace_back();
    }
    const uint32_t i = free.back();
    free.pop_back();
    items[i] = std::move(item);
    return i;
  }
  void Free(uint32_t i) {
    links[i] = HeapLinks{};
    free.push_back(i);
  }
};

}  // namespace

class PendingQueues::Parts {
 public:
  explicit Parts(const State& state) : state_(state) {}

  void QueueChanged(NodeId queue);
  void Add(WorkloadId id);
  void Remove(WorkloadId id);
  void ParkShape(WorkloadId id);
  void ParkAlone(WorkloadId id);
  void Hold(WorkloadId id);
  void BackOff(WorkloadId id, base::Time until);
  void Release(WorkloadId id);
  void AdvanceTo(base::Time now);
  void Wake(NodeId queue);

  bool Contains(WorkloadId id) const { return PlaceOf(id) != Place::kNowhere; }
  bool IsActive(WorkloadId id) const {
    return PlaceOf(id) == Place::kInGroup && !IsParked(groups_[slots_[id.index()].at]);
  }
  WorkloadId Head(NodeId queue) const;
  const Room* FindRoom(NodeId queue) const {
    return queue.index() < rooms_.size() && rooms_[queue.index()].exists() ? &rooms_[queue.index()]
                                                                           : nullptr;
  }
  std::vector<WorkloadId> Active(NodeId queue) const;
  std::vector<WorkloadId> Inadmissible(NodeId queue) const;
  uint64_t comparisons() const { return comparisons_; }

 private:
  struct WorkloadBefore {
    Parts& parts;
    bool operator()(uint32_t a, uint32_t b) const {
      ++parts.comparisons_;
      return ComesBefore(parts.state_.workloads[a], parts.state_.workloads[b]);
    }
  };
  struct GroupBefore {
    Parts& parts;
    bool operator()(uint32_t a, uint32_t b) const {
      return WorkloadBefore{parts}(parts.groups_[a].workloads.top, parts.groups_[b].workloads.top);
    }
  };
  struct EndsBefore {
    const Parts& parts;
    bool operator()(uint32_t a, uint32_t b) const {
      const BackOffEntry& x = parts.back_offs_[a];
      const BackOffEntry& y = parts.back_offs_[b];
      return x.until != y.until ? x.until < y.until : x.workload < y.workload;
    }
  };
  using WorkloadHeaps = PairingHeaps<WorkloadBefore>;
  using GroupHeaps = PairingHeaps<GroupBefore>;
  using BackOffHeaps = PairingHeaps<EndsBefore>;

  WorkloadHeaps workload_heaps() { return {links_, WorkloadBefore{*this}}; }
  GroupHeaps group_heaps() { return {groups_.links, GroupBefore{*this}}; }
  BackOffHeaps back_off_heaps() { return {back_offs_.links, EndsBefore{*this}}; }

  const Workload& workload(WorkloadId id) const { return state_.workload(id); }
  Place PlaceOf(WorkloadId id) const {
    return id.index() < slots_.size() ? slots_[id.index()].place : Place::kNowhere;
  }
  Slot& SlotOf(WorkloadId id);

  // --- Rooms and lanes
  Mode ModeOf(NodeId queue) const;
  Room& RoomOf(NodeId queue);
  uint32_t MakeLane(NodeId queue, LocalQueueId local_queue);
  uint32_t LaneOf(Room& room, const Workload& workload);
  Room& RoomOfLane(uint32_t lane) { return rooms_[lanes_[lane].queue.index()]; }
  const Room& RoomOfLane(uint32_t lane) const { return rooms_[lanes_[lane].queue.index()]; }

  // --- Groups
  static uint64_t HashOf(uint32_t lane, const EquivalenceKey& key) {
    return base::MixHash(base::MixHash(lane, key.high), key.low);
  }
  EquivalenceKey KeyOf(const Room& room, const Workload& workload) const {
    return room.mode.parks_shapes ? state_.shape(workload.shape).key : kUnequal;
  }
  bool IsParked(const Group& group) const {
    return group.parked_epoch == RoomOfLane(group.lane).epoch;
  }
  PairingHeap& HeapOf(const Group& group) {
    Lane& lane = lanes_[group.lane];
    return IsParked(group) ? lane.parked : lane.active;
  }
  size_t& CountOf(const Group& group) {
    Room& room = RoomOfLane(group.lane);
    return IsParked(group) ? room.parked_in_groups : room.active_count;
  }
  uint32_t FindGroup(uint32_t lane, const EquivalenceKey& key) const;
  uint32_t MakeGroup(uint32_t lane, const EquivalenceKey& key);
  uint32_t GroupFor(Room& room, uint32_t lane, const EquivalenceKey& key);
  void FreeGroup(uint32_t group);
  void JoinGroup(uint32_t group, WorkloadId id);
  void LeaveGroup(uint32_t group, WorkloadId id);
  void ParkGroup(Room& room, uint32_t group);
  void ForgetEmptyGroups(Room& room);

  // --- Places outside of groups
  void SetAside(Room& room, uint32_t& list, Place place, WorkloadId id);
  void TakeBack(Room& room, uint32_t& list, WorkloadId id);

  // --- Order
  double UsageOf(LocalQueueId local_queue) const;
  WorkloadId StickyOf(NodeId queue) const;
  WorkloadId HeadOfLane(uint32_t lane, WorkloadId sticky) const;
  bool Precedes(const Room& room, WorkloadId sticky, WorkloadId a, WorkloadId b) const;
  void CollectGroups(const PairingHeap& groups, std::vector<WorkloadId>& to) const;
  void CollectList(uint32_t list, std::vector<WorkloadId>& to) const;
  void Sort(const Room& room, NodeId queue, std::vector<WorkloadId>& workloads) const;

  const State& state_;
  std::vector<Room> rooms_;       // by NodeId
  std::vector<Slot> slots_;       // by WorkloadId
  std::vector<HeapLinks> links_;  // by WorkloadId
  Pool<Lane> lanes_;
  Pool<Group> groups_;
  base::HashIndex group_index_;  // by lane and key
  Pool<BackOffEntry> back_offs_;
  PairingHeap back_off_heap_;
  uint64_t comparisons_ = 0;
};

// --- Rooms and lanes ----------------------------------------------------------------------------

Slot& PendingQueues::Parts::SlotOf(WorkloadId id) {
  if (id.index() >= slots_.size()) {
    slots_.resize(id.index() + 1);
    links_.resize(id.index() + 1);
  }
  return slots_[id.index()];
}

Mode PendingQueues::Parts::ModeOf(NodeId queue) const {
  const ClusterQueueSpec& spec = state_.queue(queue).spec;
  return {.parks_shapes = spec.strategy == QueueingStrategy::kBestEffortFIFO &&
                          state_.options.scheduling_equivalence_hashing,
          .has_usage_lanes = spec.orders_by_usage && state_.options.admission_fair_sharing};
}

uint32_t PendingQueues::Parts::MakeLane(NodeId queue, LocalQueueId local_queue) {
  return lanes_.Make({.queue = queue, .local_queue = local_queue, .active = {}, .parked = {}});
}

Room& PendingQueues::Parts::RoomOf(NodeId queue) {
  if (queue.index() >= rooms_.size()) rooms_.resize(queue.index() + 1);
  Room& room = rooms_[queue.index()];
  if (!room.exists()) {
    room.mode = ModeOf(queue);
    room.common_lane = MakeLane(queue, LocalQueueId::None());
  }
  return room;
}

uint32_t PendingQueues::Parts::LaneOf(Room& room, const Workload& workload) {
  if (!room.mode.has_usage_lanes) return room.common_lane;
  const auto at = std::ranges::lower_bound(room.usage_lanes, workload.local_queue, {},
                                           [&](uint32_t i) { return lanes_[i].local_queue; });
  if (at != room.usage_lanes.end() && lanes_[*at].local_queue == workload.local_queue) return *at;
  return *room.usage_lanes.insert(at, MakeLane(workload.cluster_queue, workload.local_queue));
}

// All that are in line or parked leave, the lanes are made for the new mode, and they join again.
void PendingQueues::Parts::QueueChanged(NodeId queue) {
  Room& room = RoomOf(queue);
  Wake(queue);
  const Mode mode = ModeOf(queue);
  if (mode == room.mode) return;
  const std::vector<WorkloadId> workloads = Active(queue);
  for (const WorkloadId id : workloads) Remove(id);
  for (const uint32_t lane : room.usage_lanes) lanes_.Free(lane);
  room.usage_lanes.clear();
  room.mode = mode;
  for (const WorkloadId id : workloads) Add(id);
}

// --- Groups -------------------------------------------------------------------------------------

uint32_t PendingQueues::Parts::FindGroup(uint32_t lane, const EquivalenceKey& key) const {
  return group_index_.Find(HashOf(lane, key), [&](uint32_t i) {
    return groups_[i].lane == lane && groups_[i].key == key;
  });
}

uint32_t PendingQueues::Parts::MakeGroup(uint32_t lane, const EquivalenceKey& key) {
  const uint32_t group = groups_.Make({.key = key, .lane = lane, .workloads = {}});
  group_index_.Insert(HashOf(lane, key), group);
  return group;
}

void PendingQueues::Parts::FreeGroup(uint32_t group) {
  group_index_.Erase(HashOf(groups_[group].lane, groups_[group].key), group);
  groups_.Free(group);
}

// The group to join; a new one is parked if the shape is parked in other lanes.
uint32_t PendingQueues::Parts::GroupFor(Room& room, uint32_t lane, const EquivalenceKey& key) {
  if (const uint32_t found = FindGroup(lane, key); found != kNone) return found;
  const uint32_t group = MakeGroup(lane, key);
  if (lane != room.common_lane && FindGroup(room.common_lane, key) != kNone) ParkGroup(room, group);
  return group;
}

void PendingQueues::Parts::JoinGroup(uint32_t group_index, WorkloadId id) {
  Group& group = groups_[group_index];
  if (group.size == 0 && IsParked(group))
    Unlink(groups_.links, RoomOfLane(group.lane).empty_groups, group_index);
  const uint32_t top = group.workloads.top;
  workload_heaps().Insert(group.workloads, id.value());
  if (group.size == 0)
    group_heaps().Insert(HeapOf(group), group_index);
  else if (group.workloads.top != top)
    group_heaps().MoveForward(HeapOf(group), group_index);
  ++group.size;
  ++CountOf(group);
  SlotOf(id) = {.at = group_index, .place = Place::kInGroup};
}

void PendingQueues::Parts::LeaveGroup(uint32_t group_index, WorkloadId id) {
  Group& group = groups_[group_index];
  const bool is_top = group.workloads.top == id.value();
  workload_heaps().Remove(group.workloads, id.value());
  --group.size;
  --CountOf(group);
  SlotOf(id) = Slot{};
  if (!is_top) return;
  group_heaps().Remove(HeapOf(group), group_index);
  if (group.size > 0)
    group_heaps().Insert(HeapOf(group), group_index);
  else if (IsParked(group))
    PushFront(groups_.links, RoomOfLane(group.lane).empty_groups, group_index);
  else
    FreeGroup(group_index);
}

void PendingQueues::Parts::ParkGroup(Room& room, uint32_t group_index) {
  Group& group = groups_[group_index];
  Lane& lane = lanes_[group.lane];
  if (group.size > 0) group_heaps().Remove(lane.active, group_index);
  group.parked_epoch = room.epoch;
  if (group.size > 0)
    group_heaps().Insert(lane.parked, group_index);
  else
    PushFront(groups_.links, room.empty_groups, group_index);
  room.active_count -= group.size;
  room.parked_in_groups += group.size;
}

void PendingQueues::Parts::ForgetEmptyGroups(Room& room) {
  while (room.empty_groups != kNone) {
    const uint32_t group = room.empty_groups;
    Unlink(groups_.links, room.empty_groups, group);
    FreeGroup(group);
  }
}

// --- Places -------------------------------------------------------------------------------------

void PendingQueues::Parts::Add(WorkloadId id) {
  CHECK(!Contains(id));
  SlotOf(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  const uint32_t lane = LaneOf(room, workload(id));
  JoinGroup(GroupFor(room, lane, KeyOf(room, workload(id))), id);
}

void PendingQueues::Parts::SetAside(Room& room, uint32_t& list, Place place, WorkloadId id) {
  SlotOf(id).place = place;
  PushFront(links_, list, id.value());
  ++room.out_of_groups;
}

void PendingQueues::Parts::TakeBack(Room& room, uint32_t& list, WorkloadId id) {
  Unlink(links_, list, id.value());
  --room.out_of_groups;
  SlotOf(id) = Slot{};
}

void PendingQueues::Parts::Remove(WorkloadId id) {
  if (!Contains(id)) return;
  const Slot slot = SlotOf(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  switch (slot.place) {
    case Place::kNowhere:
      return;
    case Place::kInGroup:
      return LeaveGroup(slot.at, id);
    case Place::kParkedAlone:
      return TakeBack(room, room.parked_alone, id);
    case Place::kBackingOff:
      back_off_heaps().Remove(back_off_heap_, slot.at);
      back_offs_.Free(slot.at);
      [[fallthrough]];
    case Place::kHeld:
      return TakeBack(room, room.held_or_backing_off, id);
  }
}

void PendingQueues::Parts::ParkShape(WorkloadId id) {
  CHECK(IsActive(id));
  const uint32_t group = SlotOf(id).at;
  const EquivalenceKey key = groups_[group].key;
  if (key == kUnequal) return ParkAlone(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  if (!room.mode.has_usage_lanes) return ParkGroup(room, group);
  for (const uint32_t lane : room.usage_lanes)
    if (const uint32_t equal = FindGroup(lane, key); equal != kNone) ParkGroup(room, equal);
  // For LocalQueues that have none of this shape yet.
  ParkGroup(room, MakeGroup(room.common_lane, key));
}

void PendingQueues::Parts::ParkAlone(WorkloadId id) {
  CHECK(IsActive(id));
  Remove(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  SetAside(room, room.parked_alone, Place::kParkedAlone, id);
}

void PendingQueues::Parts::Hold(WorkloadId id) {
  Remove(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  SetAside(room, room.held_or_backing_off, Place::kHeld, id);
}

void PendingQueues::Parts::BackOff(WorkloadId id, base::Time until) {
  Remove(id);
  Room& room = RoomOf(workload(id).cluster_queue);
  SetAside(room, room.held_or_backing_off, Place::kBackingOff, id);
  const uint32_t entry = back_offs_.Make({.until = until, .workload = id});
  back_off_heaps().Insert(back_off_heap_, entry);
  SlotOf(id).at = entry;
}

void PendingQueues::Parts::Release(WorkloadId id) {
  if (PlaceOf(id) != Place::kHeld && PlaceOf(id) != Place::kBackingOff) return;
  Remove(id);
  Add(id);
}

void PendingQueues::Parts::AdvanceTo(base::Time now) {
  while (!back_off_heap_.empty() && back_offs_[back_off_heap_.top].until <= now)
    Release(back_offs_[back_off_heap_.top].workload);
}

void PendingQueues::Parts::Wake(NodeId queue) {
  if (FindRoom(queue) == nullptr) return;
  Room& room = RoomOf(queue);
  const auto wake = [&](uint32_t lane) {
    group_heaps().Meld(lanes_[lane].active, lanes_[lane].parked);
  };
  wake(room.common_lane);
  for (const uint32_t lane : room.usage_lanes) wake(lane);
  ++room.epoch;
  room.active_count += std::exchange(room.parked_in_groups, 0);
  ForgetEmptyGroups(room);
  while (room.parked_alone != kNone) {
    const WorkloadId id(room.parked_alone);
    TakeBack(room, room.parked_alone, id);
    Add(id);
  }
}

// --- Order --------------------------------------------------------------------------------------

double PendingQueues::Parts::UsageOf(LocalQueueId local_queue) const {
  const std::vector<double>& usage = state_.local_queue_usage;
  return local_queue.index() < usage.size() ? usage[local_queue.index()] : 0;
}

WorkloadId PendingQueues::Parts::StickyOf(NodeId queue) const {
  const Queue& q = state_.queue(queue);
  return q.is_preemptor_sticky ? q.preemptor : WorkloadId::None();
}

// The order of consideration.
bool PendingQueues::Parts::Precedes(const Room& room, WorkloadId sticky, WorkloadId a,
                                    WorkloadId b) const {
  if (room.mode.has_usage_lanes) {
    const double usage_a = UsageOf(workload(a).local_queue);
    const double usage_b = UsageOf(workload(b).local_queue);
    if (usage_a != usage_b) return usage_a < usage_b;
  }
  if ((a == sticky) != (b == sticky)) return a == sticky;
  return ComesBefore(workload(a), workload(b));
}

WorkloadId PendingQueues::Parts::HeadOfLane(uint32_t lane, WorkloadId sticky) const {
  if (IsActive(sticky) && groups_[slots_[sticky.index()].at].lane == lane) return sticky;
  const PairingHeap& groups = lanes_[lane].active;
  return groups.empty() ? WorkloadId::None() : WorkloadId(groups_[groups.top].workloads.top);
}

WorkloadId PendingQueues::Parts::Head(NodeId queue) const {
  const Room* room = FindRoom(queue);
  if (room == nullptr) return WorkloadId::None();
  const WorkloadId sticky = StickyOf(queue);
  WorkloadId best = HeadOfLane(room->common_lane, sticky);
  for (const uint32_t lane : room->usage_lanes) {
    const WorkloadId head = HeadOfLane(lane, sticky);
    if (head.is_none()) continue;
    if (best.is_none() || Precedes(*room, sticky, head, best)) best = head;
  }
  return best;
}

void PendingQueues::Parts::CollectGroups(const PairingHeap& groups,
                                         std::vector<WorkloadId>& to) const {
  for (uint32_t g = groups.top; g != kNone; g = base::NextInWalk(groups_.links, g))
    for (uint32_t w = groups_[g].workloads.top; w != kNone; w = base::NextInWalk(links_, w))
      to.push_back(WorkloadId(w));
}

void PendingQueues::Parts::CollectList(uint32_t list, std::vector<WorkloadId>& to) const {
  for (; list != kNone; list = links_[list].next) to.push_back(WorkloadId(list));
}

void PendingQueues::Parts::Sort(const Room& room, NodeId queue,
                                std::vector<WorkloadId>& workloads) const {
  const WorkloadId sticky = StickyOf(queue);
  std::ranges::sort(workloads,
                    [&](WorkloadId a, WorkloadId b) { return Precedes(room, sticky, a, b); });
}

std::vector<WorkloadId> PendingQueues::Parts::Active(NodeId queue) const {
  std::vector<WorkloadId> workloads;
  const Room* room = FindRoom(queue);
  if (room == nullptr) return workloads;
  workloads.reserve(room->active_count);
  CollectGroups(lanes_[room->common_lane].active, workloads);
  for (const uint32_t lane : room->usage_lanes) CollectGroups(lanes_[lane].active, workloads);
  Sort(*room, queue, workloads);
  return workloads;
}

std::vector<WorkloadId> PendingQueues::Parts::Inadmissible(NodeId queue) const {
  std::vector<WorkloadId> workloads;
  const Room* room = FindRoom(queue);
  if (room == nullptr) return workloads;
  workloads.reserve(room->parked_in_groups + room->out_of_groups);
  CollectGroups(lanes_[room->common_lane].parked, workloads);
  for (const uint32_t lane : room->usage_lanes) CollectGroups(lanes_[lane].parked, workloads);
  CollectList(room->parked_alone, workloads);
  CollectList(room->held_or_backing_off, workloads);
  Sort(*room, queue, workloads);
  return workloads;
}

// --- The door -----------------------------------------------------------------------------------

PendingQueues::PendingQueues(const State& state) : parts_(std::make_unique<Parts>(state)) {}
PendingQueues::~PendingQueues() = default;

void PendingQueues::QueueChanged(NodeId queue) { parts_->QueueChanged(queue); }
void PendingQueues::Add(WorkloadId id) { parts_->Add(id); }
void PendingQueues::Remove(WorkloadId id) { parts_->Remove(id); }
bool PendingQueues::Contains(WorkloadId id) const { return parts_->Contains(id); }
bool PendingQueues::IsActive(WorkloadId id) const { return parts_->IsActive(id); }
WorkloadId PendingQueues::Head(NodeId queue) const { return parts_->Head(queue); }
void PendingQueues::ParkShape(WorkloadId id) { parts_->ParkShape(id); }
void PendingQueues::ParkAlone(WorkloadId id) { parts_->ParkAlone(id); }
void PendingQueues::Hold(WorkloadId id) { parts_->Hold(id); }
void PendingQueues::BackOff(WorkloadId id, base::Time until) { parts_->BackOff(id, until); }
void PendingQueues::Release(WorkloadId id) { parts_->Release(id); }
void PendingQueues::AdvanceTo(base::Time now) { parts_->AdvanceTo(now); }
void PendingQueues::Wake(NodeId queue) { parts_->Wake(queue); }
uint64_t PendingQueues::comparisons() const { return parts_->comparisons(); }

size_t PendingQueues::ActiveCount(NodeId queue) const {
  const Room* room = parts_->FindRoom(queue);
  return room == nullptr ? 0 : room->active_count;
}

size_t PendingQueues::InadmissibleCount(NodeId queue) const {
  const Room* room = parts_->FindRoom(queue);
  return room == nullptr ? 0 : room->parked_in_groups + room->out_of_groups;
}

std::vector<WorkloadId> PendingQueues::Active(NodeId queue) const { return parts_->Active(queue); }

std::vector<WorkloadId> PendingQueues::Inadmissible(NodeId queue) const {
  return parts_->Inadmissible(queue);
}

}  // namespace berth::engine
