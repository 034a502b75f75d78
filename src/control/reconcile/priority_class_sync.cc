#include "control/reconcile/priority_class_sync.h"

#include "api/kueue/well_known.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

// Nullopt if the Workload names no class, or one that does not exist.
std::optional<int32_t> ValueOfClass(const api::Workload& workload,
                                    const jobs::PriorityTable& priorities) {
  const auto& ref = workload.spec.priority_class_ref;
  if (!ref || ref->kind != api::kWorkloadPriorityClassKind) return std::nullopt;
  const int32_t* value = priorities.FindWorkloadClass(ref->name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace

void PriorityClassSync::OnClassChange(std::string_view class_name,
                                      const jobs::PriorityTable& priorities,
                                      const workload::ClusterState& cluster) {
  cluster.ForEachWorkload([&](const api::Workload& w) {
    const std::optional<int32_t> value = ValueOfClass(w, priorities);
    if (value && value != w.spec.priority && !workload::IsFinished(w) &&
        (class_name.empty() || w.spec.priority_class_ref->name == class_name))
      outdated_[workload::NamespacedName(w.metadata)] = w.spec.priority;
  });
}

void PriorityClassSync::OnDelete(std::string_view workload) {
  if (const auto known = outdated_.find(workload); known != outdated_.end()) outdated_.erase(known);
}

std::optional<int32_t> PriorityClassSync::For(const api::Workload& workload,
                                              const jobs::PriorityTable& priorities) {
  if (outdated_.empty()) return std::nullopt;
  const auto known = outdated_.find(workload::NamespacedName(workload.metadata));
  if (known == outdated_.end()) return std::nullopt;
  if (workload.spec.priority == known->second) return ValueOfClass(workload, priorities);
  outdated_.erase(known);
  return std::nullopt;
}

}  // namespace berth::control
