#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// TFJob of Kubeflow: a pod set for each role that it has.
inline constexpr std::string_view kTfJob = R"yaml(framework: kubeflow.org/tfjob
apiVersion: kubeflow.org/v1
kind: TFJob
plural: tfjobs
suspend: spec.runPolicy.suspend
podSets:
- name: chief
  when: [{path: spec.tfReplicaSpecs.Chief}]
  template: spec.tfReplicaSpecs.Chief.template
  count: [{path: spec.tfReplicaSpecs.Chief.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: master
  when: [{path: spec.tfReplicaSpecs.Master}]
  template: spec.tfReplicaSpecs.Master.template
  count: [{path: spec.tfReplicaSpecs.Master.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: ps
  when: [{path: spec.tfReplicaSpecs.PS}]
  template: spec.tfReplicaSpecs.PS.template
  count: [{path: spec.tfReplicaSpecs.PS.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: worker
  when: [{path: spec.tfReplicaSpecs.Worker}]
  template: spec.tfReplicaSpecs.Worker.template
  count: [{path: spec.tfReplicaSpecs.Worker.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: evaluator
  when: [{path: spec.tfReplicaSpecs.Evaluator}]
  template: spec.tfReplicaSpecs.Evaluator.template
  count: [{path: spec.tfReplicaSpecs.Evaluator.replicas}]
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
