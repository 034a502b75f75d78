#pragma once

#include "embedded/testing/ground.h"

namespace berth::cluster {

// On a cleared cluster: a replica, as `berth controller` runs it, on the control plane: what the
// tests of the embedded cluster stand on here. Nodes are simulated, where a test wants some, by the
// same code as there.
base::Result<std::unique_ptr<embedded::testing::Ground>> StartRealGround(
    embedded::Cluster::Options options);

// On what there is in the cluster, which is cleared afterwards. The manifests are installed, but
// not yet the webhooks.
base::Result<std::unique_ptr<embedded::testing::Ground>> StartOnWhatThereIs(
    embedded::Cluster::Options options);

}  // namespace berth::cluster
