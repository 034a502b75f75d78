#pragma once

#include <string>

namespace berth::observe::testing {

// A ClusterQueue in the cohort "all", with cpu of the flavor "standard", that reclaims lent quota;
// and a LocalQueue of the same name in the namespace "space".
inline std::string QueueText(const std::string& name, int cpu) {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: )" +
         name + R"(, namespace: space}
spec: {clusterQueue: )" +
         name + R"(}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: )" +
         name + R"(}
spec:
  cohortName: all
  namespaceSelector: {}
  preemption: {reclaimWithinCohort: Any}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: )" +
         std::to_string(cpu) + "}]}]\n";
}

}  // namespace berth::observe::testing
