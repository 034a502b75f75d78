#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// PaddleJob of Kubeflow: a pod set for each role that it has.
inline constexpr std::string_view kPaddleJob = R"yaml(framework: kubeflow.org/paddlejob
apiVersion: kubeflow.org/v1
kind: PaddleJob
plural: paddlejobs
suspend: spec.runPolicy.suspend
podSets:
- name: master
  when: [{path: spec.paddleReplicaSpecs.Master}]
  template: spec.paddleReplicaSpecs.Master.template
  count: [{path: spec.paddleReplicaSpecs.Master.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: worker
  when: [{path: spec.paddleReplicaSpecs.Worker}]
  template: spec.paddleReplicaSpecs.Worker.template
  count: [{path: spec.paddleReplicaSpecs.Worker.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
active: [{each: status.replicaStatuses, path: active}]
finished:
- {when: [{condition: Succeeded}], success: true}
- {when: [{condition: Failed}]}
ready: {when: [{condition: Running}]}
priorityClass: [spec.runPolicy.schedulingPolicy.priorityClass]
managedBy: {path: spec.runPolicy.managedBy, controller: kubeflow.org/training-operator}
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
