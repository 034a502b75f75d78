#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// RayCluster: the head, then a pod set per worker group. Never finishes.
inline constexpr std::string_view kRayCluster = R"yaml(framework: ray.io/raycluster
apiVersion: ray.io/v1
kind: RayCluster
plural: rayclusters
suspend: spec.suspend
podSets:
- name: head
  template: spec.headGroupSpec.template
- each: spec.workerGroupSpecs
  namePath: groupName
  template: template
  count: [{path: replicas}, {path: numOfHosts, atLeast: 1}]
rayCluster: spec
derives: RayCluster
active: [{path: status.state, in: [ready]}]
ready: {when: [{path: status.state, in: [ready]}]}
managedBy: {path: spec.managedBy, controller: ray.io/kuberay-operator}
prebuilt: true
elastic: true
)yaml";

}  // namespace berth::jobs::kinds
