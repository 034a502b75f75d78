#include "engine/queue/pending.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/prefetch.h"

namespace berth::engine {
namespace {

// The key of workloads that have no equivalent. They share a group, which is never inadmissible.
constexpr EquivalenceKey kUnequal = {};

}  // namespace

// --- Queues and lanes ----------------------------------------------------------------------------

PendingQueues::Slot& PendingQueues::SlotOf(WorkloadId id) {
  if (id.index() >= slots_.size()) {
    slots_.resize(id.index() + 1);
    links_.resize(id.index() + 1);
  }
  return slots_[id.index()];
}

PendingQueues::Mode PendingQueues::ModeOf(NodeId queue) const {
  const ClusterQueueSpec& spec = state_.queue(queue).spec;
  return {.groups_shapes = spec.strategy == QueueingStrategy::kBestEffortFIFO &&
                           state_.options.scheduling_equivalence_hashing,
          .has_usage_lanes = spec.orders_by_usage && state_.options.admission_fair_sharing};
}

PendingQueues::PendingQueue& PendingQueues::PendingQueueOf(NodeId queue) {
  if (queue.index() >= queues_.size()) queues_.resize(queue.index() + 1);
  PendingQueue& pending = queues_[queue.index()];
  if (pending.lane == kNone) {
    pending.mode = ModeOf(queue);
    pending.lane = groups_.MakeLane();
  }
  return pending;
}

const PendingQueues::PendingQueue* PendingQueues::FindPendingQueue(NodeId queue) const {
  const bool exists = queue.index() < queues_.size() && queues_[queue.index()].lane != kNone;
  return exists ? &queues_[queue.index()] : nullptr;
}

uint32_t PendingQueues::LaneFor(PendingQueue& pending, LocalQueueId local_queue) {
  if (!pending.mode.has_usage_lanes) return pending.lane;
  auto at = std::ranges::lower_bound(pending.usage_lanes, local_queue, {}, &UsageLane::local_queue);
  if (at == pending.usage_lanes.end() || at->local_queue != local_queue)
    at = pending.usage_lanes.insert(at, {.local_queue = local_queue, .lane = groups_.MakeLane()});
  return at->lane;
}

uint32_t PendingQueues::GroupFor(PendingQueue& pending, const Workload& workload) {
  const EquivalenceKey key =
      pending.mode.groups_shapes ? state_.shape(workload.shape).key : kUnequal;
  const uint32_t lane = LaneFor(pending, workload.local_queue);
  const uint32_t group = groups_.FindOrMake(lane, key);
  if (lane != pending.lane && groups_.Find(pending.lane, key) != kNone)
    groups_.MarkInadmissible(group);
  return group;
}

void PendingQueues::QueueChanged(NodeId queue) {
  PendingQueue& pending = PendingQueueOf(queue);
  RequeueInadmissible(queue);
  const Mode mode = ModeOf(queue);
  if (mode == pending.mode) return;
  const std::vector<WorkloadId> workloads = Active(queue);
  for (const WorkloadId id : workloads) Remove(id);
  for (const UsageLane& lane : pending.usage_lanes) groups_.FreeLane(lane.lane);
  pending.usage_lanes.clear();
  pending.mode = mode;
  for (const WorkloadId id : workloads) Add(id);
}

// --- Places --------------------------------------------------------------------------------------

bool PendingQueues::IsActive(WorkloadId id) const {
  return PlaceOf(id) == Place::kInGroup && !groups_.IsInadmissible(slots_[id.index()].at);
}

void PendingQueues::Add(WorkloadId id) {
  CHECK(!Contains(id));
  const Workload& workload = state_.workload(id);
  const uint32_t group = GroupFor(PendingQueueOf(workload.cluster_queue), workload);
  SlotOf(id) = {.at = group, .place = Place::kInGroup};
  groups_.Join(group, id);
}

void PendingQueues::PutIn(PendingQueue& pending, base::IndexList& list, Place place,
                          WorkloadId id) {
  SlotOf(id).place = place;
  base::PushFront(links_, list, id.value());
  ++pending.out_of_queue;
}

void PendingQueues::TakeFrom(PendingQueue& pending, base::IndexList& list, WorkloadId id) {
  base::Unlink(links_, list, id.value());
  --pending.out_of_queue;
}

void PendingQueues::Remove(WorkloadId id) {
  if (!Contains(id)) return;
  const Slot slot = std::exchange(slots_[id.index()], Slot{});
  if (slot.place == Place::kInGroup) return groups_.Leave(slot.at, id);
  PendingQueue& pending = PendingQueueOf(state_.workload(id).cluster_queue);
  if (slot.place == Place::kInadmissibleIndividually)
    return TakeFrom(pending, pending.individually_inadmissible, id);
  if (slot.place == Place::kBackingOff) back_offs_.Remove(slot.at);
  TakeFrom(pending, pending.deferred, id);
}

void PendingQueues::PrefetchRemoval(WorkloadId id, int step) const {
  const Slot& slot = slots_[id.index()];
  if (step == 0) {
    base::PrefetchLine(&slot);
    base::PrefetchLine(&links_[id.index()]);
  } else if (slot.place == Place::kInGroup) {
    groups_.PrefetchLeave(slot.at, step - 1);
  }
}

void PendingQueues::MarkShapeInadmissible(WorkloadId id) {
  CHECK(IsActive(id));
  const uint32_t group = SlotOf(id).at;
  const EquivalenceKey key = groups_.KeyOf(group);
  if (key == kUnequal) return MarkInadmissible(id);
  PendingQueue& pending = PendingQueueOf(state_.workload(id).cluster_queue);
  for (const UsageLane& lane : pending.usage_lanes)
    if (const uint32_t equal = groups_.Find(lane.lane, key); equal != kNone)
      groups_.MarkInadmissible(equal);
  groups_.MarkInadmissible(groups_.FindOrMake(pending.lane, key));
}

void PendingQueues::MarkInadmissible(WorkloadId id) {
  CHECK(IsActive(id));
  Remove(id);
  PendingQueue& pending = PendingQueueOf(state_.workload(id).cluster_queue);
  PutIn(pending, pending.individually_inadmissible, Place::kInadmissibleIndividually, id);
}

void PendingQueues::Hold(WorkloadId id) {
  Remove(id);
  PendingQueue& pending = PendingQueueOf(state_.workload(id).cluster_queue);
  PutIn(pending, pending.deferred, Place::kHeld, id);
}

void PendingQueues::BackOff(WorkloadId id, base::Time until) {
  Remove(id);
  PendingQueue& pending = PendingQueueOf(state_.workload(id).cluster_queue);
  PutIn(pending, pending.deferred, Place::kBackingOff, id);
  SlotOf(id).at = back_offs_.Add(id, until);
}

void PendingQueues::Release(WorkloadId id) {
  if (PlaceOf(id) != Place::kHeld && PlaceOf(id) != Place::kBackingOff) return;
  Remove(id);
  Add(id);
}

void PendingQueues::AdvanceTo(base::Time now) {
  while (true) {
    const WorkloadId id = back_offs_.FindOver(now);
    if (id.is_none()) return;
    Release(id);
  }
}

void PendingQueues::RequeueInadmissible(NodeId queue) {
  if (FindPendingQueue(queue) == nullptr) return;
  PendingQueue& pending = PendingQueueOf(queue);
  groups_.RequeueInadmissible(pending.lane);
  for (const UsageLane& lane : pending.usage_lanes) groups_.RequeueInadmissible(lane.lane);
  while (!pending.individually_inadmissible.empty()) {
    const WorkloadId id(pending.individually_inadmissible.front);
    Remove(id);
    Add(id);
  }
}

// --- Order ---------------------------------------------------------------------------------------

double PendingQueues::UsageOf(LocalQueueId local_queue) const {
  const std::vector<double>& usage = state_.local_queue_usage;
  return local_queue.index() < usage.size() ? usage[local_queue.index()] : 0;
}

WorkloadId PendingQueues::StickyOf(NodeId id) const {
  const Queue& queue = state_.queue(id);
  return queue.is_preemptor_sticky ? queue.preemptor : WorkloadId::None();
}

bool PendingQueues::Precedes(const PendingQueue& pending, WorkloadId sticky, WorkloadId a,
                             WorkloadId b) const {
  const Workload& x = state_.workload(a);
  const Workload& y = state_.workload(b);
  if (pending.mode.has_usage_lanes) {
    const double usage_x = UsageOf(x.local_queue), usage_y = UsageOf(y.local_queue);
    if (usage_x != usage_y) return usage_x < usage_y;
  }
  if ((a == sticky) != (b == sticky)) return a == sticky;
  return ComesBefore(x, y);
}

WorkloadId PendingQueues::HeadOfLane(uint32_t lane, WorkloadId sticky) const {
  const bool has_sticky = IsActive(sticky) && groups_.LaneOf(slots_[sticky.index()].at) == lane;
  return has_sticky ? sticky : groups_.First(lane);
}

WorkloadId PendingQueues::Head(NodeId queue) const {
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr) return WorkloadId::None();
  const WorkloadId sticky = StickyOf(queue);
  WorkloadId best = HeadOfLane(pending->lane, sticky);
  for (const UsageLane& lane : pending->usage_lanes) {
    const WorkloadId head = HeadOfLane(lane.lane, sticky);
    if (head.is_none()) continue;
    if (best.is_none() || Precedes(*pending, sticky, head, best)) best = head;
  }
  return best;
}

// --- Queries -------------------------------------------------------------------------------------

bool PendingQueues::IsInadmissible(NodeId queue, const EquivalenceKey& key) const {
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr || key == kUnequal) return false;
  const uint32_t group = groups_.Find(pending->lane, key);
  return group != kNone && groups_.IsInadmissible(group);
}

size_t PendingQueues::ActiveCount(NodeId queue) const {
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr) return 0;
  size_t count = groups_.ActiveCount(pending->lane);
  for (const UsageLane& lane : pending->usage_lanes) count += groups_.ActiveCount(lane.lane);
  return count;
}

size_t PendingQueues::InadmissibleCount(NodeId queue) const {
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr) return 0;
  size_t count = pending->out_of_queue + groups_.InadmissibleCount(pending->lane);
  for (const UsageLane& lane : pending->usage_lanes) count += groups_.InadmissibleCount(lane.lane);
  return count;
}

std::vector<WorkloadId> PendingQueues::Active(NodeId queue) const {
  std::vector<WorkloadId> workloads;
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr) return workloads;
  groups_.AppendActive(pending->lane, workloads);
  for (const UsageLane& lane : pending->usage_lanes) groups_.AppendActive(lane.lane, workloads);
  Sort(queue, workloads);
  return workloads;
}

std::vector<WorkloadId> PendingQueues::Inadmissible(NodeId queue) const {
  std::vector<WorkloadId> workloads;
  const PendingQueue* pending = FindPendingQueue(queue);
  if (pending == nullptr) return workloads;
  groups_.AppendInadmissible(pending->lane, workloads);
  for (const UsageLane& lane : pending->usage_lanes)
    groups_.AppendInadmissible(lane.lane, workloads);
  AppendList(pending->individually_inadmissible, workloads);
  AppendList(pending->deferred, workloads);
  Sort(queue, workloads);
  return workloads;
}

std::vector<WorkloadId> PendingQueues::Waiting(NodeId queue) const {
  std::vector<WorkloadId> workloads = Active(queue);
  const std::vector<WorkloadId> inadmissible = Inadmissible(queue);
  workloads.insert(workloads.end(), inadmissible.begin(), inadmissible.end());
  if (!workloads.empty()) Sort(queue, workloads);
  return workloads;
}

PendingQueues::Deferral PendingQueues::DeferralOf(WorkloadId id) const {
  switch (PlaceOf(id)) {
    case Place::kHeld:
      return Deferral::kHeld;
    case Place::kBackingOff:
      return Deferral::kBackingOff;
    default:
      return Deferral::kNone;
  }
}

void PendingQueues::AppendList(const base::IndexList& list, std::vector<WorkloadId>& to) const {
  for (uint32_t i = list.front; i != kNone; i = links_[i].next) to.push_back(WorkloadId(i));
}

void PendingQueues::Sort(NodeId queue, std::vector<WorkloadId>& workloads) const {
  const PendingQueue& pending = *FindPendingQueue(queue);
  const WorkloadId sticky = StickyOf(queue);
  std::ranges::sort(workloads,
                    [&](WorkloadId a, WorkloadId b) { return Precedes(pending, sticky, a, b); });
}

}  // namespace berth::engine
