#pragma once

#include <cstdint>

#include "base/ids.h"

namespace berth::engine {

using FlavorId = base::Id<struct FlavorTag>;
using ResourceId = base::Id<struct ResourceTag>;
// A ClusterQueue or a Cohort: a node of the quota forest.
using NodeId = base::Id<struct NodeTag>;
using LocalQueueId = base::Id<struct LocalQueueTag>;
using WorkloadId = base::Id<struct WorkloadTag>;
using ShapeId = base::Id<struct ShapeTag>;
// A flavor and a resource, engine-wide.
using FlavorResourceId = base::Id<struct FlavorResourceTag>;
// A Node of the cluster.
using ClusterNodeId = base::Id<struct ClusterNodeTag>;
// The values that identify a leaf domain in placements.
using DomainPathId = base::Id<struct DomainPathTag>;
// Requirements of pods on nodes: tolerations, node selector and node affinity.
using NodeMatchId = base::Id<struct NodeMatchTag>;

}  // namespace berth::engine
