#include "control/tallies.h"

#include "workload/convert_queue.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

const Tally kEmptyTally;

const Tally& TallyIn(const std::map<std::string, Tally, std::less<>>& tallies,
                     std::string_view name) {
  const auto found = tallies.find(name);
  return found == tallies.end() ? kEmptyTally : found->second;
}

void AddAmount(Tally::Amounts& amounts, const TallyShare::Amount& part, int sign) {
  const auto at = amounts.try_emplace({part.flavor, part.resource}).first;
  at->second += sign * part.amount;
  if (at->second == 0) amounts.erase(at);
}

void AddShare(Tally& tally, const TallyShare& share, int sign) {
  if (!share.is_reserving) {
    tally.pending += sign;
    return;
  }
  tally.reserving += sign;
  if (share.is_admitted) tally.admitted += sign;
  for (const TallyShare::Amount& part : share.reserved) {
    AddAmount(tally.reserved, part, sign);
    if (share.is_admitted) AddAmount(tally.used, part, sign);
  }
}

// The engine does not know it: its LocalQueue leads nowhere.
bool WaitsInLocalQueue(const api::Workload& w, const std::string& local_queue,
                       const workload::EngineFeed& feed) {
  if (!workload::MayWait(w, feed.rules())) return false;
  const api::LocalQueue* queue = feed.FindLocalQueue(local_queue);
  return queue != nullptr && !workload::IsStopped(queue->spec.stop_policy);
}

std::vector<TallyShare::Amount> ReservedBy(engine::WorkloadId id, const engine::Engine& engine) {
  std::vector<TallyShare::Amount> amounts;
  for (const engine::PodSetAssignment& pod_set : engine.AssignmentOf(id))
    for (const engine::ResourceAssignment& r : pod_set.resources)
      amounts.push_back({.flavor = engine.FlavorName(r.flavor),
                         .resource = engine.ResourceName(r.resource),
                         .amount = r.amount});
  return amounts;
}

}  // namespace

TallyShare TallyShare::Of(const api::Workload& w, const workload::EngineFeed& feed) {
  const engine::Engine& engine = feed.engine();
  const engine::WorkloadId id = engine.FindWorkload(w.metadata.uid);
  std::string local_queue =
      workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or(""));
  TallyShare share;
  if (id.is_none()) {
    if (WaitsInLocalQueue(w, local_queue, feed)) share.local_queue = std::move(local_queue);
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

void Tallies::Add(const TallyShare& share, int sign, Changes& changes) {
  const auto add = [&](Named<Tally>& tallies, const std::string& queue,
                       std::set<std::string>& changed) {
    if (queue.empty()) return;
    changed.insert(queue);
    const auto tally = tallies.try_emplace(queue).first;
    AddShare(tally->second, share, sign);
    if (tally->second == kEmptyTally) tallies.erase(tally);
  };
  add(cluster_queues_, share.cluster_queue, changes.cluster_queues);
  add(local_queues_, share.local_queue, changes.local_queues);
}

Tallies::Changes Tallies::Settle(const workload::EngineFeed& feed) {
  Changes changes;
  for (const std::string& name : std::exchange(noted_, {})) {
    ++looks_;
    const api::Workload* workload = feed.FindWorkload(name);
    TallyShare now = workload == nullptr ? TallyShare() : TallyShare::Of(*workload, feed);
    const auto known = shares_.try_emplace(name).first;
    if (known->second != now) {
      Add(known->second, -1, changes);
      Add(now, 1, changes);
      known->second = std::move(now);
    }
    if (known->second == TallyShare()) shares_.erase(known);
  }
  return changes;
}

const Tally& Tallies::OfClusterQueue(std::string_view name) const {
  return TallyIn(cluster_queues_, name);
}

const Tally& Tallies::OfLocalQueue(std::string_view namespaced_name) const {
  return TallyIn(local_queues_, namespaced_name);
}

}  // namespace berth::control
