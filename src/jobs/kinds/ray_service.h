#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// RayService: a RayCluster for serving. Never finishes. With GCS fault tolerance, its deletion
// starts a job that cleans up Redis.
inline constexpr std::string_view kRayService = R"yaml(framework: ray.io/rayservice
apiVersion: ray.io/v1
kind: RayService
plural: rayservices
suspend: spec.rayClusterConfig.suspend
podSets:
- name: head
  template: spec.rayClusterConfig.headGroupSpec.template
- each: spec.rayClusterConfig.workerGroupSpecs
  namePath: groupName
  template: template
  count: [{path: replicas}, {path: numOfHosts, atLeast: 1}]
rayCluster: spec.rayClusterConfig
derives: RayCluster
active: [{condition: Ready}]
ready: {when: [{condition: Ready}]}
managedBy: {path: spec.managedBy, controller: ray.io/kuberay-operator}
cleansUpRedis: true
prebuilt: true
elastic: true
)yaml";

}  // namespace berth::jobs::kinds
