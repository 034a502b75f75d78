#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/state.h"

namespace berth::engine {

void AddPairUsage(std::vector<PairUsage>& usage, PairId pair, int64_t amount) {
  for (PairUsage& entry : usage) {
    if (entry.pair == pair) {
      entry.amount = quantity::SaturatingAdd(entry.amount, amount);
      return;
    }
  }
  usage.push_back({pair, amount});
}

namespace {

bool HasColumnsFor(const QuotaForest& forest, const Workload& w) {
  return !forest.HasTree(w.cluster_queue) ||
         std::ranges::all_of(w.reservation->usage, [&](const PairUsage& u) {
           return forest.ColumnOf(w.cluster_queue, u.pair) != kNoColumn;
         });
}

}  // namespace

// A queue below a cycle of cohorts has no tree; what it uses counts nowhere until it has one.
void State::AddUsageOf(const Workload& w) {
  if (!forest.HasTree(w.cluster_queue)) return;
  for (const PairUsage& u : w.reservation->usage)
    forest.AddUsage(w.cluster_queue, forest.ColumnOf(w.cluster_queue, u.pair), Amount(u.amount));
}

void State::RemoveUsageOf(const Workload& w) {
  if (!forest.HasTree(w.cluster_queue)) return;
  for (const PairUsage& u : w.reservation->usage)
    forest.RemoveUsage(w.cluster_queue, forest.ColumnOf(w.cluster_queue, u.pair), Amount(u.amount));
}

std::unique_ptr<Reservation> State::NewReservation() {
  if (spare_reservations.empty()) return std::make_unique<Reservation>();
  std::unique_ptr<Reservation> reservation = std::move(spare_reservations.back());
  spare_reservations.pop_back();
  return reservation;
}

void State::Reserve(WorkloadId id, std::unique_ptr<Reservation> reservation, bool is_counted) {
  Workload& w = workload(id);
  CHECK(w.reservation == nullptr);
  Queue& q = queue(w.cluster_queue);
  reservation->index_in_queue = static_cast<uint32_t>(q.reserved.size());
  q.reserved.push_back(id);
  w.reservation = std::move(reservation);
  if (is_counted) return;
  if (!HasColumnsFor(forest, w)) forest.MarkForRebuild();
  if (!forest.needs_rebuild()) AddUsageOf(w);
}

void State::Unreserve(WorkloadId id) {
  Workload& w = workload(id);
  CHECK(w.reservation != nullptr);
  Queue& q = queue(w.cluster_queue);
  if (!forest.needs_rebuild()) RemoveUsageOf(w);
  const uint32_t index = w.reservation->index_in_queue;
  q.reserved[index] = q.reserved.back();
  workload(q.reserved[index]).reservation->index_in_queue = index;
  q.reserved.pop_back();
  ++q.generation;
  w.reservation->is_evicted = false;
  w.reservation->is_out = false;
  w.reservation->usage.clear();
  spare_reservations.push_back(std::move(w.reservation));
}

}  // namespace berth::engine
