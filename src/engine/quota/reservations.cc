#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/preemption/target_order.h"
#include "engine/state.h"

namespace berth::engine {

void Reservation::AddPodSet(int32_t count) {
  pod_sets.push_back({count, static_cast<uint32_t>(resources.size())});
}

void Reservation::AddResource(const ResourceAssignment& resource,
                              FlavorResourceId flavor_resource) {
  resources.push_back(resource);
  ++pod_sets[pod_sets.size() - 1].resources_end;
  AddFlavorResourceUsage(usage, flavor_resource, resource.amount);
}

void Reservation::Clear() {
  is_evicted = false;
  is_out = false;
  usage.clear();
  pod_sets.clear();
  resources.clear();
  topology.reset();
}

std::vector<PodSetAssignment> AssignmentOf(const Reservation& reservation) {
  std::vector<PodSetAssignment> pod_sets;
  for (size_t i = 0; i < reservation.pod_sets.size(); ++i) {
    const std::span resources = reservation.ResourcesOf(i);
    pod_sets.push_back({.count = reservation.pod_sets[i].count,
                        .resources = {resources.begin(), resources.end()}});
  }
  if (!reservation.topology) return pod_sets;
  for (const PodSetPlacement& placement : reservation.topology->placements) {
    if (placement.pod_set >= pod_sets.size()) continue;
    pod_sets[placement.pod_set].domains = placement.domains;
    pod_sets[placement.pod_set].has_delayed_topology = placement.is_delayed;
  }
  return pod_sets;
}

namespace {

bool HasColumnsFor(const QuotaForest& forest, const Workload& w) {
  return !forest.HasTree(w.cluster_queue) ||
         std::ranges::all_of(w.reservation->usage, [&](const FlavorResourceUsage& u) {
           return forest.ColumnOf(w.cluster_queue, u.flavor_resource) != kNoColumn;
         });
}

// Whether the workload is in a sum that saturated, of its queue or of a Cohort above it. Its usage
// cannot be subtracted from that.
bool IsInSaturatedSum(const QuotaForest& forest, const Workload& w) {
  if (!forest.HasTree(w.cluster_queue)) return false;
  for (const FlavorResourceUsage& u : w.reservation->usage) {
    const ColumnIndex column = forest.ColumnOf(w.cluster_queue, u.flavor_resource);
    for (NodeId id = w.cluster_queue; !id.is_none(); id = forest.node(id).parent)
      if (forest.cell(id, column).usage.is_unlimited()) return true;
  }
  return false;
}

}  // namespace

// A queue below a cohort cycle has no tree; its usage counts nowhere until it has one.
void State::AddUsageOf(const Workload& w) {
  AddPlacementsOf(w, 1);
  AddQuotaOf(w);
}

void State::AddQuotaOf(const Workload& w) {
  if (!forest.HasTree(w.cluster_queue)) return;
  for (const FlavorResourceUsage& u : w.reservation->usage)
    forest.AddUsage(w.cluster_queue, forest.ColumnOf(w.cluster_queue, u.flavor_resource),
                    Amount(u.amount));
}

void State::RemoveUsageOf(const Workload& w) {
  AddPlacementsOf(w, -1);
  if (!forest.HasTree(w.cluster_queue)) return;
  for (const FlavorResourceUsage& u : w.reservation->usage)
    forest.RemoveUsage(w.cluster_queue, forest.ColumnOf(w.cluster_queue, u.flavor_resource),
                       Amount(u.amount));
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
  InsertInTargetOrder(*this, id);
  const ReservedTopology* topology = w.reservation->topology.get();
  if (topology != nullptr && topology->second_pass != SecondPass::kNone) second_pass.push_back(id);
  AddPlacementsOf(w, 1);
  if (is_counted) return;
  if (!HasColumnsFor(forest, w)) forest.MarkForRebuild();
  if (!forest.needs_rebuild()) AddQuotaOf(w);
}

void State::MarkEvicted(WorkloadId id) {
  Workload& w = workload(id);
  CHECK(w.reservation != nullptr);
  EraseFromTargetOrder(*this, id);
  w.reservation->is_evicted = true;
  InsertInTargetOrder(*this, id);
}

void State::Unreserve(WorkloadId id) {
  Workload& w = workload(id);
  CHECK(w.reservation != nullptr);
  Queue& q = queue(w.cluster_queue);
  EraseFromTargetOrder(*this, id);
  if (w.reservation->topology) std::erase(second_pass, id);
  if (!forest.needs_rebuild() && IsInSaturatedSum(forest, w)) forest.MarkForRebuild();
  if (!forest.needs_rebuild())
    RemoveUsageOf(w);
  else
    AddPlacementsOf(w, -1);
  const uint32_t index = w.reservation->index_in_queue;
  q.reserved[index] = q.reserved.back();
  workload(q.reserved[index]).reservation->index_in_queue = index;
  q.reserved.pop_back();
  ++q.generation;
  w.reservation->Clear();
  spare_reservations.push_back(std::move(w.reservation));
}

}  // namespace berth::engine
