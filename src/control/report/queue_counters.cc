#include "control/report/queue_counters.h"

#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

const QueueCounts kNoCounts;

const QueueCounts& CountsIn(const std::map<std::string, QueueCounts, std::less<>>& counters,
                            std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? kNoCounts : found->second;
}

// Modulo 2^64: a sum beyond int64 is exact again as soon as it is not beyond it any more.
void AddAmount(QueueCounts::Amounts& amounts, const QueueShare::Amount& part, int sign) {
  const auto at = amounts.try_emplace({part.flavor, part.resource}).first;
  const auto before = static_cast<uint64_t>(at->second);
  const auto amount = static_cast<uint64_t>(part.amount);
  at->second = static_cast<int64_t>(sign > 0 ? before + amount : before - amount);
  if (at->second == 0) amounts.erase(at);
}

void AddShare(QueueCounts& counts, const QueueShare& share, int sign) {
  if (!share.is_reserving) {
    counts.pending += sign;
    return;
  }
  counts.reserving += sign;
  if (share.is_admitted) counts.admitted += sign;
  for (const QueueShare::Amount& part : share.reserved) {
    AddAmount(counts.reserved, part, sign);
    if (share.is_admitted) AddAmount(counts.used, part, sign);
  }
}

// A pending workload that the engine does not know, because the ClusterQueue is missing.
bool IsPendingInLocalQueue(const api::Workload& w, const std::string& local_queue,
                           const workload::ClusterState& cluster) {
  if (!workload::MayWait(w, cluster.rules())) return false;
  const api::LocalQueue* queue = cluster.FindLocalQueue(local_queue);
  return queue != nullptr && !workload::IsStopped(queue->spec.stop_policy);
}

std::vector<QueueShare::Amount> ReservedBy(engine::WorkloadId id, const engine::Engine& engine) {
  std::vector<QueueShare::Amount> amounts;
  for (const engine::PodSetAssignment& pod_set : engine.AssignmentOf(id))
    for (const engine::ResourceAssignment& r : pod_set.resources)
      amounts.push_back({.flavor = engine.FlavorName(r.flavor),
                         .resource = engine.ResourceName(r.resource),
                         .amount = r.amount});
  return amounts;
}

}  // namespace

QueueShare QueueShare::Of(const api::Workload& w, const workload::ClusterState& cluster) {
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(w.metadata.uid);
  std::string local_queue =
      workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or(""));
  QueueShare share;
  if (id.is_none()) {
    if (IsPendingInLocalQueue(w, local_queue, cluster)) share.local_queue = std::move(local_queue);
    return share;
  }
  share.cluster_queue = engine.ClusterQueueName(engine.ClusterQueueOf(id));
  share.local_queue = std::move(local_queue);
  share.is_reserving = engine.IsReserved(id);
  if (!share.is_reserving) return share;
  share.is_admitted = workload::IsAdmitted(w);
  share.reserved = ReservedBy(id, engine);
  return share;
}

void QueueCounters::Add(const QueueShare& share, int sign, Changes& changes) {
  const auto add = [&](Named<QueueCounts>& counters, const std::string& queue,
                       std::set<std::string>& changed) {
    if (queue.empty()) return;
    changed.insert(queue);
    const auto counts = counters.try_emplace(queue).first;
    AddShare(counts->second, share, sign);
    if (counts->second == kNoCounts) counters.erase(counts);
  };
  add(cluster_queues_, share.cluster_queue, changes.cluster_queues);
  add(local_queues_, share.local_queue, changes.local_queues);
}

QueueCounters::Changes QueueCounters::Flush(const workload::ClusterState& cluster) {
  Changes changes;
  for (const std::string& name : std::exchange(changed_, {})) {
    ++recounts_;
    const api::Workload* workload = cluster.FindWorkload(name);
    QueueShare now = workload == nullptr ? QueueShare() : QueueShare::Of(*workload, cluster);
    const auto known = shares_.try_emplace(name).first;
    if (known->second != now) {
      Add(known->second, -1, changes);
      Add(now, 1, changes);
      known->second = std::move(now);
    }
    if (known->second == QueueShare()) shares_.erase(known);
  }
  return changes;
}

const QueueCounts& QueueCounters::OfClusterQueue(std::string_view name) const {
  return CountsIn(cluster_queues_, name);
}

const QueueCounts& QueueCounters::OfLocalQueue(std::string_view namespaced_name) const {
  return CountsIn(local_queues_, namespaced_name);
}

}  // namespace berth::control
