#pragma once

// The order in which workloads are given up:
//
//   those being evicted already; those of other queues before the preemptor's own;
//   lower priority; later reservation; smaller uid.
//
// With admission fair sharing, usage counts before priority between two workloads of one queue that
// orders by usage, if their LocalQueues have different names: those of the LocalQueue that used
// more go first. It does not count between queues, nor (as in Kueue, which compares names without
// their namespaces) between LocalQueues of the same name.
//
// Taken pair by pair, that is no order: of three workloads each can come before the next. Kueue
// sorts by it all the same, and what comes out then depends on where each stood before. Here the
// places among workloads of different queues are given out by the order above, and only who of a
// queue takes which of its places is decided by usage; likewise within the queue, for LocalQueues
// of one name. Where the pairs do make an order, this is that order.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/state.h"

namespace berth::engine {

// By the order above, without usage.
class GivesWayBefore {
 public:
  GivesWayBefore(const State& state, NodeId preemptor_queue)
      : state_(state), preemptor_queue_(preemptor_queue) {}
  bool operator()(WorkloadId a, WorkloadId b) const;

 private:
  const State& state_;
  NodeId preemptor_queue_;
};

// Of workloads in the order of GivesWayBefore: who takes which place when usage counts. The first
// place goes to sorted[result[0]], and so on.
std::vector<uint32_t> PlacesByUsage(const State& state, std::span<const WorkloadId> sorted);

// Sorts what stands for reserved workloads; `workload_of` says for which.
template <class Item, class Projection = std::identity>
void SortByGivingWay(const State& state, NodeId preemptor_queue, std::vector<Item>& items,
                     Projection workload_of = {}) {
  std::ranges::sort(items, GivesWayBefore(state, preemptor_queue), workload_of);
  if (!state.options.admission_fair_sharing) return;
  std::vector<WorkloadId> sorted;
  for (const Item& item : items) sorted.push_back(std::invoke(workload_of, item));
  const std::vector<Item> before = items;
  const std::vector<uint32_t> places = PlacesByUsage(state, sorted);
  for (size_t i = 0; i < places.size(); ++i) items[i] = before[places[i]];
}

// The reserved workloads of one queue in that order, which is the same for all preemptors. Sorts
// them if their order is not known.
std::span<const WorkloadId> InOrderOfGivingWay(State& state, NodeId queue);

// Keep an order that is known up to date: for a workload that has come, and, while it still has
// its reservation and before anything about it changes, for one that leaves.
void JoinOrderOfGivingWay(State& state, WorkloadId id);
void LeaveOrderOfGivingWay(State& state, WorkloadId id);

}  // namespace berth::engine
