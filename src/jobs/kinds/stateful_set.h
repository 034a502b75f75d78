#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// StatefulSet: one Workload for all pods, which are gated.
inline constexpr std::string_view kStatefulSet = R"yaml(framework: statefulset
apiVersion: apps/v1
kind: StatefulSet
plural: statefulsets
waits: ThroughGroup
podSets:
- name: main
  template: spec.template
  metadata: false
  count: [{path: spec.replicas}]
  podIndexLabel: apps.kubernetes.io/pod-index
active: [{path: status.readyReplicas}]
)yaml";

}  // namespace berth::jobs::kinds
