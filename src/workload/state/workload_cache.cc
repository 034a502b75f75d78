#include "workload/state/workload_cache.h"

#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/convert/convert_workload.h"

namespace berth::workload {

bool IsSameForEngine(const api::Workload& a, const api::Workload& b) {
  const auto same_condition = [&](std::string_view type) {
    const api::Condition* x = api::FindCondition(a.status.conditions, type);
    const api::Condition* y = api::FindCondition(b.status.conditions, type);
    return (x == nullptr || y == nullptr) ? x == y : *x == *y;
  };
  return a.spec == b.spec && a.metadata.annotations == b.metadata.annotations &&
         a.metadata.creation_timestamp == b.metadata.creation_timestamp &&
         a.metadata.uid == b.metadata.uid &&
         a.status.reclaimable_pods == b.status.reclaimable_pods &&
         a.status.requeue_state == b.status.requeue_state &&
         a.status.admission_checks == b.status.admission_checks &&
         a.status.preemption_gates == b.status.preemption_gates &&
         same_condition(api::condition::kEvicted) && same_condition(api::condition::kRequeued) &&
         same_condition(api::condition::kPreempted);
}

void WorkloadCache::Set(WorkloadEntry& entry, const api::Workload& workload, bool must_describe) {
  entry.object = workload;
  entry.is_applied = true;
  name_by_uid_[workload.metadata.uid] = NamespacedName(workload.metadata);
  MarkChanged(entry, must_describe);
}

void WorkloadCache::MarkChanged(WorkloadEntry& entry, bool must_describe) {
  entry.must_describe = entry.must_describe || must_describe;
  if (std::exchange(entry.is_changed, true)) return;
  changed_.push_back(NamespacedName(entry.object.metadata));
}

void WorkloadCache::EraseUid(const WorkloadEntry& entry) {
  const auto known = name_by_uid_.find(entry.object.metadata.uid);
  if (known != name_by_uid_.end() && known->second == NamespacedName(entry.object.metadata))
    name_by_uid_.erase(known);
}

const api::Workload* WorkloadCache::Find(std::string_view namespaced_name) const {
  const WorkloadEntry* entry = entries_.Find(namespaced_name);
  return entry == nullptr ? nullptr : &entry->object;
}

const api::Workload* WorkloadCache::FindByUid(const std::string& uid) const {
  const auto name = name_by_uid_.find(uid);
  return name == name_by_uid_.end() ? nullptr : Find(name->second);
}

}  // namespace berth::workload
