#pragma once

#include "api/config/feature_gates.h"

namespace berth::control {

// When a node counts as failed (node_failure_plan.h). A value, derived from the feature gates once.
struct NodeFailurePolicy {
  bool awaits_pods = true;        // TASReplaceNodeOnPodTermination
  bool minds_taints = true;       // TASReplaceNodeOnNodeTaints
  bool limits_not_ready = false;  // TASReplaceNodeDueToNotReadyOverFixedTime

  static NodeFailurePolicy From(const api::FeatureGates& gates) {
    return {.awaits_pods = gates.IsOn(api::Gate::kTASReplaceNodeOnPodTermination),
            .minds_taints = gates.IsOn(api::Gate::kTASReplaceNodeOnNodeTaints),
            .limits_not_ready = gates.IsOn(api::Gate::kTASReplaceNodeDueToNotReadyOverFixedTime)};
  }
};

}  // namespace berth::control
