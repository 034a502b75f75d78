#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "api/manifest.h"
#include "schema/defaults.h"
#include "workload/engine_feed.h"

namespace berth::workload::testing {

// Tells the feed of every object of the YAML, with its defaults, as a server would give them.
inline void ApplyYaml(std::string_view yaml, EngineFeed& feed) {
  for (api::Manifest& manifest : api::ReadManifests(yaml)) {
    ASSERT_TRUE(manifest.problems.empty()) << schema::ToString(manifest.problems.front());
    schema::ApplyDefaults(manifest.object->kind().structure(), manifest.object->value());
    feed.Apply(*manifest.object);
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
