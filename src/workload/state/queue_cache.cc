#include "workload/state/queue_cache.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"

namespace berth::workload {
namespace {

bool UsesFlavor(const api::ClusterQueueSpec& spec, std::string_view flavor) {
  return std::ranges::any_of(spec.resource_groups, [&](const api::ResourceGroup& group) {
    return std::ranges::find(group.flavors, flavor, &api::FlavorQuotas::name) !=
           group.flavors.end();
  });
}

bool UsesCheck(const api::ClusterQueueSpec& spec, std::string_view check) {
  if (!spec.admission_checks_strategy) return false;
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  return std::ranges::find(checks, check, &api::AdmissionCheckStrategyRule::name) != checks.end();
}

}  // namespace

void QueueCache::Upsert(const api::ClusterQueue& queue) {
  auto [entry, is_new] = cluster_queues_.Insert(queue.metadata.name);
  const api::ClusterQueue& before = entry.object;
  if (is_new || before.spec != queue.spec ||
      before.metadata.deletion_timestamp != queue.metadata.deletion_timestamp) {
    entry.filter.reset();
    changes_.cluster_queues.Insert(queue.metadata.name);
  }
  entry.object = queue;
}

void QueueCache::Upsert(const api::Cohort& cohort) {
  auto [known, is_new] = cohorts_.Insert(cohort.metadata.name);
  if (is_new || known.spec != cohort.spec) changes_.cohorts.Insert(cohort.metadata.name);
  known = cohort;
}

void QueueCache::Upsert(const api::LocalQueue& queue) {
  const std::string name = NamespacedName(queue.metadata);
  auto [known, is_new] = local_queues_.Insert(name);
  if (is_new || known.spec != queue.spec) changes_.local_queue_specs.Insert(name);
  changes_.local_queues.Insert(name);
  known = queue;
}

void QueueCache::EraseClusterQueue(std::string_view name) {
  const ClusterQueueEntry* entry = cluster_queues_.Find(name);
  if (entry == nullptr) return;
  if (!entry->id.is_none()) changes_.removed_cluster_queues.push_back(entry->id);
  cluster_queues_.Erase(name);
  changes_.cluster_queues.Insert(name);
}

void QueueCache::EraseCohort(std::string_view name) {
  if (cohorts_.Erase(name)) changes_.cohorts.Insert(name);
}

void QueueCache::EraseLocalQueue(std::string_view namespaced_name) {
  if (local_queues_.Erase(namespaced_name)) changes_.local_queue_specs.Insert(namespaced_name);
}

void QueueCache::MarkUsersOfFlavor(std::string_view flavor) {
  for (const auto& [name, entry] : cluster_queues_) {
    if (!UsesFlavor(entry.object.spec, flavor)) continue;
    changes_.cluster_queues.Insert(name);
    changes_.users_of_flavors.Insert(name);
  }
}

void QueueCache::MarkUsersOfCheck(std::string_view check) {
  for (const auto& [name, entry] : cluster_queues_)
    if (UsesCheck(entry.object.spec, check)) changes_.cluster_queues.Insert(name);
}

void QueueCache::UpdateConflicts() {
  if (changes_.cluster_queues.empty() && changes_.cohorts.empty()) return;
  std::vector<const api::ClusterQueue*> queues;
  std::vector<const api::Cohort*> cohorts;
  for (const auto& [name, entry] : cluster_queues_) queues.push_back(&entry.object);
  for (const auto& [name, cohort] : cohorts_) cohorts.push_back(&cohort);
  const auto before = std::exchange(conflicts_, api::FindDeviceClassConflicts(queues, cohorts));
  for (const auto& [name, entry] : cluster_queues_)
    if (before.contains(name) != conflicts_.contains(name)) changes_.cluster_queues.Insert(name);
}

const api::LocalQueue* QueueCache::FindLocalQueueOf(const api::Workload& workload) const {
  return local_queues_.Find(
      NamespacedName(workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
}

const ClusterQueueEntry* QueueCache::FindPendingQueueOf(const api::Workload& workload) const {
  const api::LocalQueue* local = FindLocalQueueOf(workload);
  if (local == nullptr || IsStopped(local->spec.stop_policy)) return nullptr;
  return cluster_queues_.Find(local->spec.cluster_queue.value_or(""));
}

const api::DeviceClassConflict* QueueCache::FindConflict(std::string_view cluster_queue) const {
  const auto conflict = conflicts_.find(cluster_queue);
  return conflict == conflicts_.end() ? nullptr : &conflict->second;
}

std::string_view QueueCache::InactiveReasonOf(std::string_view cluster_queue,
                                              const QueueReferences& references) const {
  const ClusterQueueEntry* entry = cluster_queues_.Find(cluster_queue);
  if (entry == nullptr) return {};
  if (entry->object.metadata.deletion_timestamp) return api::reason::kTerminating;
  const std::string_view reason = InactiveReason(entry->object.spec, references);
  if (!reason.empty() || !conflicts_.contains(cluster_queue)) return reason;
  return api::reason::kDeviceClassConflict;
}

}  // namespace berth::workload
