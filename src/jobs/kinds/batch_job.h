#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// batch/v1 Job, with partial admission and reclaimable pods.
inline constexpr std::string_view kBatchJob = R"yaml(framework: batch/job
apiVersion: batch/v1
kind: Job
plural: jobs
suspend: spec.suspend
podSets:
- name: main
  template: spec.template
  count: [{path: spec.parallelism, atMost: spec.completions}]
  minCount: metadata.annotations[kueue.x-k8s.io/job-min-parallelism]
  partialCount:
  - path: spec.parallelism
  - path: spec.completions
    onlyIf: metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]
  podIndexLabel: batch.kubernetes.io/job-completion-index
ownLabels: [job-name, controller-uid, batch.kubernetes.io/job-name, batch.kubernetes.io/controller-uid]
hiddenLabels: [job-name, controller-uid, batch.kubernetes.io/controller-uid]
active: [{path: status.active}]
finished:
- {when: [{condition: Complete}], success: true}
- {when: [{condition: Failed}]}
ready:
  counted:
    add: [status.ready, status.succeeded, status.uncountedTerminatedPods.succeeded]
reclaimable: {byCompletions: true}
managedBy: {path: spec.managedBy, controller: kubernetes.io/job-controller}
stopsInSteps: true
resetOnStop: status.startTime
prebuilt: true
elastic: true
)yaml";

}  // namespace berth::jobs::kinds
