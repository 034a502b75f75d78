#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// LeaderWorkerSet: a Workload per replica; its pods are gated.
inline constexpr std::string_view kLeaderWorkerSet =
    R"yaml(framework: leaderworkerset.x-k8s.io/leaderworkerset
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
plural: leaderworkersets
waits: ThroughGroups
podSets:
- name: leader
  when: [{path: spec.leaderWorkerTemplate.leaderTemplate}]
  template: spec.leaderWorkerTemplate.leaderTemplate
- name: worker
  when: [{path: spec.leaderWorkerTemplate.leaderTemplate}]
  template: spec.leaderWorkerTemplate.workerTemplate
  count: [{path: spec.leaderWorkerTemplate.size, plus: -1}]
  podIndexLabel: leaderworkerset.sigs.k8s.io/worker-index
- name: main
  when: [{path: spec.leaderWorkerTemplate.leaderTemplate, not: true}]
  template: spec.leaderWorkerTemplate.workerTemplate
  count: [{path: spec.leaderWorkerTemplate.size}]
  podIndexLabel: leaderworkerset.sigs.k8s.io/worker-index
active: [{path: status.readyReplicas}]
)yaml";

}  // namespace berth::jobs::kinds
