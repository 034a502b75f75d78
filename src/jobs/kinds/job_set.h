#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// JobSet: a pod set per replicated job.
inline constexpr std::string_view kJobSet = R"yaml(framework: jobset.x-k8s.io/jobset
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
plural: jobsets
suspend: spec.suspend
podSets:
- each: spec.replicatedJobs
  namePath: name
  template: template.spec.template
  count:
  - {path: replicas}
  - {path: template.spec.parallelism, atMost: template.spec.completions}
  podIndexLabel: batch.kubernetes.io/job-completion-index
  subGroupIndexLabel: jobset.sigs.k8s.io/job-index
  subGroupCount: replicas
active: [{each: status.replicatedJobsStatus, path: active}]
finished:
- {when: [{condition: Completed}], success: true}
- {when: [{condition: Failed}]}
ready:
  counted: {each: status.replicatedJobsStatus, add: [ready, succeeded]}
  wanted: {each: spec.replicatedJobs, add: [replicas]}
reclaimable: {statuses: status.replicatedJobsStatus, name: name, succeeded: succeeded}
managedBy: {path: spec.managedBy, controller: jobset.sigs.k8s.io/jobset-controller}
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
