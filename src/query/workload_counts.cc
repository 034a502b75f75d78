#include "query/workload_counts.h"

#include <algorithm>

#include "workload/status_changes.h"

namespace berth::query {
namespace {

bool Matches(const engine::PodSetView& pods, engine::FlavorId flavor) {
  return std::ranges::none_of(pods.mismatches,
                              [&](const auto& mismatch) { return mismatch.flavor == flavor; });
}

// The column of the resource in the first flavor of the queue that the pods match; kNoColumn if
// there is none.
engine::ColumnIndex FirstColumn(const engine::Queue& queue, const engine::PodSetView& pods,
                                engine::ResourceId resource) {
  const int32_t index = queue.GroupOf(resource);
  if (index == engine::Queue::kUndeclared) return engine::kNoColumn;
  const engine::Queue::Group& group = queue.groups[static_cast<size_t>(index)];
  const auto in_group = std::ranges::find(group.resources, resource) - group.resources.begin();
  for (size_t i = 0; i < group.flavors.size(); ++i)
    if (Matches(pods, group.flavors[i])) return group.column(i, static_cast<size_t>(in_group));
  return engine::kNoColumn;
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  pending += other.pending;
  inadmissible += other.inadmissible;
  reserving += other.reserving;
  admitted += other.admitted;
  return *this;
}

void WriteMembers(const Counts& counts, schema::JsonWriter& w) {
  w.Member("pending", counts.pending).Member("inadmissible", counts.inadmissible);
  w.Member("reserving", counts.reserving).Member("admitted", counts.admitted);
}

WorkloadCounts::WorkloadCounts(const workload::ClusterState& cluster)
    : cluster_(cluster),
      state_(cluster.engine().state()),
      queues_(state_.forest.node_count()),
      pending_(state_.forest.node_count()) {
  for (size_t i = 0; i < state_.workloads.size(); ++i)
    if (state_.workloads[i].exists && !state_.workloads[i].cluster_queue.is_none())
      Add(engine::WorkloadId(static_cast<uint32_t>(i)), state_.workloads[i]);
  for (size_t i = 0; i < by_local_queue_.size(); ++i)
    local_queues_.emplace(
        cluster.engine().LocalQueueName(engine::LocalQueueId(static_cast<uint32_t>(i))),
        by_local_queue_[i]);
}

void WorkloadCounts::Add(engine::WorkloadId id, const engine::Workload& known) {
  Counts one;
  if (known.reservation != nullptr) {
    one.reserving = 1;
    one.admitted = workload::IsAdmitted(cluster_.WorkloadOf(id)) ? 1 : 0;
  } else {
    one.pending = 1;
    one.inadmissible = cluster_.engine().IsActive(id) ? 0 : 1;
    AddRequests(known);
  }
  queues_[known.cluster_queue.index()] += one;
  if (known.local_queue.is_none()) return;
  if (by_local_queue_.size() <= known.local_queue.index())
    by_local_queue_.resize(known.local_queue.index() + 1);
  by_local_queue_[known.local_queue.index()] += one;
}

void WorkloadCounts::AddRequests(const engine::Workload& known) {
  if (known.shape.is_none() || !state_.forest.HasTree(known.cluster_queue)) return;
  const engine::Queue& queue = state_.queue(known.cluster_queue);
  const engine::QuotaForest::Tree& tree = state_.forest.TreeOf(known.cluster_queue);
  PendingAmounts& amounts = pending_[known.cluster_queue.index()];
  for (const engine::PodSetView& pods : state_.shape(known.shape).pod_sets)
    for (const engine::Request& request : pods.requests) {
      const engine::ColumnIndex column = FirstColumn(queue, pods, request.resource);
      if (column == engine::kNoColumn) continue;
      int64_t& amount = amounts[tree.flavor_resources[column]];
      amount = quantity::SaturatingAdd(amount, request.amount);
    }
}

const Counts& WorkloadCounts::OfLocalQueue(const std::string& namespaced_name) const {
  static const Counts kNone;
  const auto found = local_queues_.find(namespaced_name);
  return found == local_queues_.end() ? kNone : found->second;
}

}  // namespace berth::query
