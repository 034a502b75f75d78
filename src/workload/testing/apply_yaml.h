#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "api/meta/manifest.h"
#include "api/meta/object_defaults.h"
#include "workload/state/cluster_state.h"

namespace berth::workload::testing {

// Applies every object of the YAML to the cluster state, with the defaults of an API server.
inline void ApplyYaml(std::string_view yaml, ClusterState& cluster) {
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    ASSERT_TRUE(manifest.problems.empty()) << schema::ToString(manifest.problems.front());
    api::ApplyDefaults(*manifest.object);
    cluster.Apply(*manifest.object);
  }
}

// The flavor "f", and the ClusterQueue "q" with 4 cpu of it.
inline constexpr std::string_view kFlavorAndQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
)";

}  // namespace berth::workload::testing
