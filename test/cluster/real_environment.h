#pragma once

#include "embedded/testing/environment.h"

namespace berth::cluster {

// Clears the cluster and runs a replica on the control plane, like `berth controller`: the
// TestEnvironment of the embedded tests here. Nodes are simulated by the same code if a test wants
// them.
base::Result<std::unique_ptr<embedded::testing::TestEnvironment>> StartRealEnvironment(
    embedded::Cluster::Options options);

// As above without clearing first; the cluster is cleared afterwards. The manifests must be
// installed, but not the webhooks.
base::Result<std::unique_ptr<embedded::testing::TestEnvironment>> StartWithoutClearing(
    embedded::Cluster::Options options);

}  // namespace berth::cluster
