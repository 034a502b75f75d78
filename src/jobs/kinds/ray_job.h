#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// RayJob: its RayCluster and, with submissionMode K8sJobMode, the submitter pod. Jobs that use an
// existing cluster are not queued.
inline constexpr std::string_view kRayJob = R"yaml(framework: ray.io/rayjob
apiVersion: ray.io/v1
kind: RayJob
plural: rayjobs
suspend: spec.suspend
podSets:
- name: head
  template: spec.rayClusterSpec.headGroupSpec.template
- each: spec.rayClusterSpec.workerGroupSpecs
  namePath: groupName
  template: template
  count: [{path: replicas}, {path: numOfHosts, atLeast: 1}]
rayCluster: spec.rayClusterSpec
derives: RayJob
active:
- {path: status.jobDeploymentStatus, in: ["", Suspended], not: true}
finished:
- when:
  - {path: status.jobDeploymentStatus, in: [Complete, Failed]}
  - {path: status.jobStatus, in: [SUCCEEDED]}
  success: true
  messagePath: status.message
- when: [{path: status.jobDeploymentStatus, in: [Complete, Failed]}]
  messagePath: status.message
ready: {when: [{path: status.rayClusterStatus.state, in: [ready]}]}
managedBy: {path: spec.managedBy, controller: ray.io/kuberay-operator}
skip: [{path: spec.clusterSelector}]
onHold: [{path: status.jobDeploymentStatus, in: [ValidationFailed]}]
prebuilt: true
elastic: true
)yaml";

}  // namespace berth::jobs::kinds
