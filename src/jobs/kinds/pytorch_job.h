#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// PyTorchJob of Kubeflow: a pod set for each role that it has.
inline constexpr std::string_view kPyTorchJob = R"yaml(framework: kubeflow.org/pytorchjob
apiVersion: kubeflow.org/v1
kind: PyTorchJob
plural: pytorchjobs
suspend: spec.runPolicy.suspend
podSets:
- name: master
  when: [{path: spec.pytorchReplicaSpecs.Master}]
  template: spec.pytorchReplicaSpecs.Master.template
  count: [{path: spec.pytorchReplicaSpecs.Master.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: worker
  when: [{path: spec.pytorchReplicaSpecs.Worker}]
  template: spec.pytorchReplicaSpecs.Worker.template
  count: [{path: spec.pytorchReplicaSpecs.Worker.replicas}]
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
