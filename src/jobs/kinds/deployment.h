#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// Deployment: each pod is gated and queued on its own.
inline constexpr std::string_view kDeployment = R"yaml(framework: deployment
apiVersion: apps/v1
kind: Deployment
plural: deployments
waits: ThroughPods
podSets:
- name: main
  template: spec.template
  count: [{path: spec.replicas}]
active: [{path: status.readyReplicas}]
)yaml";

}  // namespace berth::jobs::kinds
