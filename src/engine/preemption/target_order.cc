#include "engine/preemption/target_order.h"

#include <map>
#include <numeric>

#include "base/check.h"

namespace berth::engine {
namespace {

double UsageOf(const State& state, LocalQueueId local_queue) {
  const std::vector<double>& usage = state.local_queue_usage;
  return local_queue.index() < usage.size() ? usage[local_queue.index()] : 0;
}

// Permutes the members of each class among their places. `rearrange` gets the members of one class
// in order and reorders them.
template <class ClassOf, class Rearrange>
void RearrangeClasses(std::span<uint32_t> order, ClassOf class_of, Rearrange rearrange) {
  std::map<uint32_t, std::vector<size_t>> places;
  for (size_t i = 0; i < order.size(); ++i) places[class_of(order[i])].push_back(i);
  std::vector<uint32_t> members;
  for (const auto& [id, of_class] : places) {
    members.clear();
    for (const size_t place : of_class) members.push_back(order[place]);
    rearrange(std::span(members));
    for (size_t i = 0; i < members.size(); ++i) order[of_class[i]] = members[i];
  }
}

}  // namespace

bool IsPreemptedBefore::operator()(WorkloadId a_id, WorkloadId b_id) const {
  const Workload& a = state_.workload(a_id);
  const Workload& b = state_.workload(b_id);
  if (a.reservation->is_evicted != b.reservation->is_evicted) return a.reservation->is_evicted;
  const bool a_is_own = a.cluster_queue == preemptor_queue_;
  const bool b_is_own = b.cluster_queue == preemptor_queue_;
  if (a_is_own != b_is_own) return b_is_own;
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.reservation->reserved_at != b.reservation->reserved_at)
    return a.reservation->reserved_at > b.reservation->reserved_at;
  return a.uid < b.uid;
}

std::vector<uint32_t> PlacesByUsage(const State& state, std::span<const WorkloadId> sorted) {
  const auto workload = [&](uint32_t i) -> const Workload& { return state.workload(sorted[i]); };
  const auto queue_of = [&](uint32_t i) { return workload(i).cluster_queue.value(); };
  const auto name_of = [&](uint32_t i) { return state.NameOf(workload(i).local_queue); };
  // Ties keep the order without usage.
  const auto used_more = [&](uint32_t a, uint32_t b) {
    const bool a_is_evicted = workload(a).reservation->is_evicted;
    const bool b_is_evicted = workload(b).reservation->is_evicted;
    if (a_is_evicted != b_is_evicted) return a_is_evicted;
    const double a_usage = UsageOf(state, workload(a).local_queue);
    const double b_usage = UsageOf(state, workload(b).local_queue);
    return a_usage != b_usage ? a_usage > b_usage : a < b;
  };
  std::vector<uint32_t> order(sorted.size());
  std::iota(order.begin(), order.end(), 0u);
  RearrangeClasses(order, queue_of, [&](std::span<uint32_t> of_queue) {
    if (!state.queue(workload(of_queue[0]).cluster_queue).spec.orders_by_usage) return;
    std::ranges::sort(of_queue, used_more);
    RearrangeClasses(of_queue, name_of,
                     [](std::span<uint32_t> of_name) { std::ranges::sort(of_name); });
  });
  return order;
}

std::span<const WorkloadId> InTargetOrder(State& state, NodeId id) {
  Queue& queue = state.queue(id);
  if (!queue.is_target_order_cached) {
    queue.in_target_order = queue.reserved;
    SortInTargetOrder(state, id, queue.in_target_order);
    queue.is_target_order_cached = true;
  }
  return queue.in_target_order;
}

namespace {

// The cached order of the workload's queue. Nullptr if it is not cached, or if usage counts, since
// one insertion or removal may then move others: the order is computed on demand.
std::vector<WorkloadId>* CachedOrderOf(State& state, WorkloadId id) {
  Queue& queue = state.queue(state.workload(id).cluster_queue);
  if (state.options.admission_fair_sharing) queue.is_target_order_cached = false;
  return queue.is_target_order_cached ? &queue.in_target_order : nullptr;
}

}  // namespace

void InsertInTargetOrder(State& state, WorkloadId id) {
  std::vector<WorkloadId>* order = CachedOrderOf(state, id);
  if (order == nullptr) return;
  const IsPreemptedBefore before(state, state.workload(id).cluster_queue);
  order->insert(std::ranges::upper_bound(*order, id, before), id);
}

void EraseFromTargetOrder(State& state, WorkloadId id) {
  std::vector<WorkloadId>* order = CachedOrderOf(state, id);
  if (order == nullptr) return;
  const IsPreemptedBefore before(state, state.workload(id).cluster_queue);
  const auto place =
      std::ranges::find(std::ranges::lower_bound(*order, id, before), order->end(), id);
  CHECK(place != order->end());
  order->erase(place);
}

}  // namespace berth::engine
