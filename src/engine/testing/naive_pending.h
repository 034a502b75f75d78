#pragma once

// A naive model of pending.h: one list of all pending workloads, searched every time.

#include <algorithm>
#include <vector>

#include "engine/queue/pending.h"
#include "engine/state.h"

namespace berth::engine::testing {

class NaivePending {
 public:
  explicit NaivePending(const State& state) : state_(state) {}

  void QueueChanged(NodeId queue) { RequeueInadmissible(queue); }

  void Add(WorkloadId id) {
    const Workload& added = state_.workload(id);
    const bool is_shape_inadmissible =
        GroupsShapes(added) &&
        std::ranges::any_of(inadmissible_shapes_, [&](const InadmissibleShape& inadmissible) {
          return inadmissible.queue == added.cluster_queue && inadmissible.key == KeyOf(id);
        });
    Put(id, is_shape_inadmissible ? Place::kInadmissible : Place::kActive);
  }
  void Remove(WorkloadId id) {
    std::erase_if(waiting_, [&](const Waiting& w) { return w.id == id; });
  }
  bool Contains(WorkloadId id) const { return Find(id) != nullptr; }
  bool IsActive(WorkloadId id) const { return Contains(id) && Find(id)->place == Place::kActive; }

  WorkloadId Head(NodeId queue) const {
    const std::vector<WorkloadId> active = Active(queue);
    return active.empty() ? WorkloadId::None() : active.front();
  }

  void MarkShapeInadmissible(WorkloadId id) {
    const Workload& inadmissible = state_.workload(id);
    if (!GroupsShapes(inadmissible)) return MarkInadmissible(id);
    inadmissible_shapes_.push_back({.queue = inadmissible.cluster_queue, .key = KeyOf(id)});
    for (Waiting& w : waiting_) {
      const bool is_equal = state_.workload(w.id).cluster_queue == inadmissible.cluster_queue &&
                            KeyOf(w.id) == KeyOf(id);
      if (is_equal && w.place == Place::kActive) w.place = Place::kInadmissible;
    }
  }
  void MarkInadmissible(WorkloadId id) { Put(id, Place::kInadmissible); }
  void Hold(WorkloadId id) { Put(id, Place::kHeld); }
  void BackOff(WorkloadId id, base::Time until) { Put(id, Place::kBackingOff, until); }

  void Release(WorkloadId id) {
    if (!Contains(id)) return;
    const Place place = Find(id)->place;
    if (place == Place::kHeld || place == Place::kBackingOff) Add(id);
  }
  void AdvanceTo(base::Time now) {
    const std::vector<Waiting> before = waiting_;
    for (const Waiting& w : before)
      if (w.place == Place::kBackingOff && w.until <= now) Release(w.id);
  }

  void RequeueInadmissible(NodeId queue) {
    std::erase_if(inadmissible_shapes_,
                  [&](const InadmissibleShape& p) { return p.queue == queue; });
    for (Waiting& w : waiting_)
      if (state_.workload(w.id).cluster_queue == queue && w.place == Place::kInadmissible)
        w.place = Place::kActive;
  }

  std::vector<WorkloadId> Active(NodeId queue) const { return Sorted(queue, true); }
  std::vector<WorkloadId> Inadmissible(NodeId queue) const { return Sorted(queue, false); }

 private:
  enum class Place : uint8_t { kActive, kInadmissible, kHeld, kBackingOff };
  struct Waiting {
    WorkloadId id;
    Place place = Place::kActive;
    base::Time until;
  };
  struct InadmissibleShape {
    NodeId queue;
    EquivalenceKey key;
  };

  const Waiting* Find(WorkloadId id) const {
    const auto it = std::ranges::find(waiting_, id, &Waiting::id);
    return it == waiting_.end() ? nullptr : &*it;
  }
  void Put(WorkloadId id, Place place, base::Time until = {}) {
    Remove(id);
    waiting_.push_back({.id = id, .place = place, .until = until});
  }
  EquivalenceKey KeyOf(WorkloadId id) const { return state_.shape(state_.workload(id).shape).key; }
  bool GroupsShapes(const Workload& workload) const {
    const ClusterQueueSpec& spec = state_.queue(workload.cluster_queue).spec;
    return spec.strategy == QueueingStrategy::kBestEffortFIFO &&
           state_.options.scheduling_equivalence_hashing &&
           state_.shape(workload.shape).key != EquivalenceKey{};
  }
  double UsageOf(NodeId queue, WorkloadId id) const {
    if (!state_.options.admission_fair_sharing || !state_.queue(queue).spec.orders_by_usage)
      return 0;
    const LocalQueueId local_queue = state_.workload(id).local_queue;
    return local_queue.index() < state_.local_queue_usage.size()
               ? state_.local_queue_usage[local_queue.index()]
               : 0;
  }
  bool Precedes(NodeId queue, WorkloadId a, WorkloadId b) const {
    if (UsageOf(queue, a) != UsageOf(queue, b)) return UsageOf(queue, a) < UsageOf(queue, b);
    const Queue& q = state_.queue(queue);
    if (q.is_preemptor_sticky && q.preemptor == a) return a != b;
    if (q.is_preemptor_sticky && q.preemptor == b) return false;
    const Workload& x = state_.workload(a);
    const Workload& y = state_.workload(b);
    if (x.priority != y.priority) return x.priority > y.priority;
    if (x.queue_order_time != y.queue_order_time) return x.queue_order_time < y.queue_order_time;
    return x.uid < y.uid;
  }
  std::vector<WorkloadId> Sorted(NodeId queue, bool are_active) const {
    std::vector<WorkloadId> ids;
    for (const Waiting& w : waiting_)
      if (state_.workload(w.id).cluster_queue == queue && (w.place == Place::kActive) == are_active)
        ids.push_back(w.id);
    std::ranges::sort(ids, [&](WorkloadId a, WorkloadId b) { return Precedes(queue, a, b); });
    return ids;
  }

  const State& state_;
  std::vector<Waiting> waiting_;
  std::vector<InadmissibleShape> inadmissible_shapes_;
};

}  // namespace berth::engine::testing
