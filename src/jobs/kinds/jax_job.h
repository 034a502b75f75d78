#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// JAXJob of Kubeflow, which has workers only.
inline constexpr std::string_view kJaxJob = R"yaml(framework: kubeflow.org/jaxjob
apiVersion: kubeflow.org/v1
kind: JAXJob
plural: jaxjobs
suspend: spec.runPolicy.suspend
podSets:
- name: worker
  when: [{path: spec.jaxReplicaSpecs.Worker}]
  template: spec.jaxReplicaSpecs.Worker.template
  count: [{path: spec.jaxReplicaSpecs.Worker.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
active: [{each: status.replicaStatuses, path: active}]
finished:
- {when: [{condition: Succeeded}], success: true}
- {when: [{condition: Failed}]}
ready: {when: [{condition: Running}]}
priorityClass: [spec.runPolicy.schedulingPolicy.priorityClass]
managedBy: {path: spec.runPolicy.managedBy, controller: kubeflow.org/training-operator}
)yaml";

}  // namespace berth::jobs::kinds
