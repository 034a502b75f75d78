#pragma once

// Plans for pods that are stuck in deletion because their node is unreachable. No kubelet confirms
// their end, so that their Workloads and jobs would wait for the node.
//
// A pod that states that it is safe (annotation kueue.x-k8s.io/safe-to-forcefully-delete: "true")
// is deleted by force if its node has the taint node.kubernetes.io/unreachable: a minute after its
// deletion timestamp, which includes its own grace period, or when the node gets the taint later.
// The pod is set to Failed, with a condition, and deleted without grace.

#include <optional>
#include <string>
#include <string_view>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "base/time.h"

namespace berth::control {

inline constexpr std::string_view kUnreachableTaint = "node.kubernetes.io/unreachable";
// Kueue's condition of a pod that is deleted by force.
inline constexpr std::string_view kFailureRecoveryCondition = "KueueFailureRecovery";

bool IsUnreachable(const api::Node& node);

// A pod that is being deleted and may be deleted by force.
struct StuckPod {
  std::string uid;
  std::string version;
  std::string node;
  base::Time deleted_at;  // its deletion timestamp
  base::Duration grace;   // its own, before that
  bool has_ended = false;
  bool is_marked = false;  // with the condition
  // By this process. The watch may still tell of earlier versions.
  bool is_deleted = false;

  // Nullopt if the pod is not being deleted, does not state that it is safe, or was deleted by
  // force already.
  static std::optional<StuckPod> From(const api::Pod& pod);
};

struct ForcedDeletion {
  bool is_due = false;
  std::optional<base::Time> requeue_at;
};

ForcedDeletion PlanForcedDeletion(const StuckPod& pod, bool is_node_unreachable, base::Time now);

}  // namespace berth::control
