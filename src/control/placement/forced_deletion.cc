#include "control/placement/forced_deletion.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "jobs/pods/pod_group.h"

namespace berth::control {
namespace {

constexpr base::Duration kForcedDeletionDelay = base::Duration::Seconds(60);

bool IsMarked(const api::Pod& pod) {
  return std::ranges::find(pod.status.conditions, kFailureRecoveryCondition,
                           &api::CoreCondition::type) != pod.status.conditions.end();
}

}  // namespace

bool IsUnreachable(const api::Node& node) {
  return std::ranges::find(node.spec.taints, kUnreachableTaint, &api::Taint::key) !=
         node.spec.taints.end();
}

std::optional<StuckPod> StuckPod::From(const api::Pod& pod) {
  const api::ObjectMeta& metadata = pod.metadata;
  const std::string* is_safe = metadata.annotations.Find(api::kSafeToForcefullyDeleteAnnotation);
  if (is_safe == nullptr || *is_safe != "true" || !metadata.deletion_timestamp) return std::nullopt;
  const int64_t grace = metadata.deletion_grace_period_seconds.value_or(0);
  const bool is_marked = IsMarked(pod);
  if (is_marked && grace == 0) return std::nullopt;
  return StuckPod{.uid = metadata.uid,
                  .version = metadata.resource_version,
                  .node = pod.spec.node_name,
                  .deleted_at = *metadata.deletion_timestamp,
                  .grace = base::Duration::Seconds(grace),
                  .has_ended = jobs::IsEnded(pod),
                  .is_marked = is_marked};
}

ForcedDeletion PlanForcedDeletion(const StuckPod& pod, bool is_node_unreachable, base::Time now) {
  if (!is_node_unreachable || pod.is_deleted) return {};
  const base::Time due = pod.deleted_at + kForcedDeletionDelay;
  if (now < due) return {.requeue_at = due};
  return {.is_due = true};
}

}  // namespace berth::control
