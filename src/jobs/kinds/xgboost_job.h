#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// XGBoostJob of Kubeflow: a pod set for each role that it has.
inline constexpr std::string_view kXgBoostJob = R"yaml(framework: kubeflow.org/xgboostjob
apiVersion: kubeflow.org/v1
kind: XGBoostJob
plural: xgboostjobs
suspend: spec.runPolicy.suspend
podSets:
- name: master
  when: [{path: spec.xgbReplicaSpecs.Master}]
  template: spec.xgbReplicaSpecs.Master.template
  count: [{path: spec.xgbReplicaSpecs.Master.replicas}]
  podIndexLabel: training.kubeflow.org/replica-index
- name: worker
  when: [{path: spec.xgbReplicaSpecs.Worker}]
  template: spec.xgbReplicaSpecs.Worker.template
  count: [{path: spec.xgbReplicaSpecs.Worker.replicas}]
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
