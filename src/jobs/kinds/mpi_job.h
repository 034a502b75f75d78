#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// MPIJob of Kubeflow: the launcher, then the workers.
inline constexpr std::string_view kMpiJob = R"yaml(framework: kubeflow.org/mpijob
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
plural: mpijobs
suspend: spec.runPolicy.suspend
podSets:
- name: launcher
  when: [{path: spec.mpiReplicaSpecs.Launcher}]
  template: spec.mpiReplicaSpecs.Launcher.template
  count: [{path: spec.mpiReplicaSpecs.Launcher.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: worker
  when: [{path: spec.mpiReplicaSpecs.Worker}]
  template: spec.mpiReplicaSpecs.Worker.template
  count: [{path: spec.mpiReplicaSpecs.Worker.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
active: [{each: status.replicaStatuses, path: active}]
finished:
- {when: [{condition: Succeeded}], success: true}
- {when: [{condition: Failed}]}
ready: {when: [{condition: Running}]}
priorityClass: [spec.runPolicy.schedulingPolicy.priorityClass]
managedBy: {path: spec.runPolicy.managedBy, controller: kubeflow.org/mpi-operator}
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
