#pragma once

// Target order: the order in which workloads are preempted.
//
//   already being evicted; other queues before the preemptor's own;
//   lower priority; later reservation; smaller uid.
//
// With admission fair sharing, usage precedes priority between two workloads of one queue that
// orders by usage, if their LocalQueues have different names: the LocalQueue with the higher usage
// is preempted first. Usage does not count between queues, nor (as in Kueue, which compares names
// without namespaces) between LocalQueues of the same name.
//
// Pairwise, this relation is not transitive: three workloads can form a cycle. Kueue sorts by it
// anyway, so its result depends on the input order. Here the order without usage assigns places to
// queues, and usage only decides which workload of a queue takes which of the queue's places;
// likewise within a queue for LocalQueues of one name. Where the pairwise relation is an order, the
// result is that order.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

// The order above, without usage.
class IsPreemptedBefore {
 public:
  IsPreemptedBefore(const State& state, NodeId preemptor_queue)
      : state_(state), preemptor_queue_(preemptor_queue) {}
  bool operator()(WorkloadId a, WorkloadId b) const;

 private:
  const State& state_;
  NodeId preemptor_queue_;
};

// Applies usage to workloads in the order of IsPreemptedBefore: place i belongs to
// sorted[result[i]].
std::vector<uint32_t> PlacesByUsage(const State& state, std::span<const WorkloadId> sorted);

// Sorts items that represent reserved workloads; `workload_of` maps an item to its workload.
template <class Item, class Projection = std::identity>
void SortInTargetOrder(const State& state, NodeId preemptor_queue, std::vector<Item>& items,
                       Projection workload_of = {}) {
  std::ranges::sort(items, IsPreemptedBefore(state, preemptor_queue), workload_of);
  if (!state.options.admission_fair_sharing) return;
  std::vector<WorkloadId> sorted;
  for (const Item& item : items) sorted.push_back(std::invoke(workload_of, item));
  const std::vector<Item> before = items;
  const std::vector<uint32_t> places = PlacesByUsage(state, sorted);
  for (size_t i = 0; i < places.size(); ++i) items[i] = before[places[i]];
}

// The reserved workloads of one queue in target order, which is the same for all preemptors. Sorts
// them if the order is not cached.
std::span<const WorkloadId> InTargetOrder(State& state, NodeId queue);

// Update the cached order: insert after a reservation; erase before the reservation or any other
// property of the workload changes.
void InsertInTargetOrder(State& state, WorkloadId id);
void EraseFromTargetOrder(State& state, WorkloadId id);

}  // namespace berth::engine
