#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// Pod, single or in a group (pod_group.h), with a scheduling gate.
inline constexpr std::string_view kPod = R"yaml(framework: pod
apiVersion: v1
kind: Pod
plural: pods
waits: Pods
podSets:
- name: main
  template: ""
  metadata: false
  podIndexLabel: kueue.x-k8s.io/pod-group-pod-index
active: [{path: status.phase, in: [Running]}]
finished:
- {when: [{path: status.phase, in: [Succeeded]}], success: true, messagePath: status.message}
- {when: [{path: status.phase, in: [Failed]}], messagePath: status.message}
ready: {when: [{condition: Ready}]}
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
