#include "engine/victim_order.h"

#include <map>
#include <numeric>

#include "base/check.h"

namespace berth::engine {
namespace {

double UsageOf(const State& state, LocalQueueId local_queue) {
  const std::vector<double>& usage = state.local_queue_usage;
  return local_queue.index() < usage.size() ? usage[local_queue.index()] : 0;
}

// Lets those of each class change places among themselves. `rearrange` gets the members of one
// class in line and puts them in another order.
template <class ClassOf, class Rearrange>
void RearrangeClasses(std::span<uint32_t> line, ClassOf class_of, Rearrange rearrange) {
  std::map<uint32_t, std::vector<size_t>> places;
  for (size_t i = 0; i < line.size(); ++i) places[class_of(line[i])].push_back(i);
  std::vector<uint32_t> members;
  for (const auto& [id, of_class] : places) {
    members.clear();
    for (const size_t place : of_class) members.push_back(line[place]);
    rearrange(std::span(members));
    for (size_t i = 0; i < members.size(); ++i) line[of_class[i]] = members[i];
  }
}

}  // namespace

bool GivesWayBefore::operator()(WorkloadId a_id, WorkloadId b_id) const {
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
  // Where usage is equal, as they stand: in the order without usage.
  const auto used_more = [&](uint32_t a, uint32_t b) {
    const bool a_is_evicted = workload(a).reservation->is_evicted;
    const bool b_is_evicted = workload(b).reservation->is_evicted;
    if (a_is_evicted != b_is_evicted) return a_is_evicted;
    const double a_usage = UsageOf(state, workload(a).local_queue);
    const double b_usage = UsageOf(state, workload(b).local_queue);
    return a_usage != b_usage ? a_usage > b_usage : a < b;
  };
  std::vector<uint32_t> line(sorted.size());
  std::iota(line.begin(), line.end(), 0u);
  RearrangeClasses(line, queue_of, [&](std::span<uint32_t> of_queue) {
    if (!state.queue(workload(of_queue[0]).cluster_queue).spec.orders_by_usage) return;
    std::ranges::sort(of_queue, used_more);
    RearrangeClasses(of_queue, name_of,
                     [](std::span<uint32_t> of_name) { std::ranges::sort(of_name); });
  });
  return line;
}

std::span<const WorkloadId> InOrderOfGivingWay(State& state, NodeId id) {
  Queue& queue = state.queue(id);
  if (!queue.is_giving_way_known) {
    queue.by_giving_way = queue.reserved;
    SortByGivingWay(state, id, queue.by_giving_way);
    queue.is_giving_way_known = true;
  }
  return queue.by_giving_way;
}

namespace {

// The order of the workload's queue. Nullptr if it is not known, or if usage counts in it, so that
// one that comes or goes moves others as well: then it is sorted when it is asked for.
std::vector<WorkloadId>* OrderOfQueueOf(State& state, WorkloadId id) {
  Queue& queue = state.queue(state.workload(id).cluster_queue);
  if (state.options.admission_fair_sharing) queue.is_giving_way_known = false;
  return queue.is_giving_way_known ? &queue.by_giving_way : nullptr;
}

}  // namespace

void JoinOrderOfGivingWay(State& state, WorkloadId id) {
  std::vector<WorkloadId>* order = OrderOfQueueOf(state, id);
  if (order == nullptr) return;
  const GivesWayBefore before(state, state.workload(id).cluster_queue);
  order->insert(std::ranges::upper_bound(*order, id, before), id);
}

void LeaveOrderOfGivingWay(State& state, WorkloadId id) {
  std::vector<WorkloadId>* order = OrderOfQueueOf(state, id);
  if (order == nullptr) return;
  const GivesWayBefore before(state, state.workload(id).cluster_queue);
  const auto place =
      std::ranges::find(std::ranges::lower_bound(*order, id, before), order->end(), id);
  CHECK(place != order->end());
  order->erase(place);
}

}  // namespace berth::engine
