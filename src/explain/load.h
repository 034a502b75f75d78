#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"
#include "base/error.h"
#include "base/time.h"
#include "workload/state/cluster_state.h"

// Loads manifests into an engine.
namespace berth::explain {

// Whether topologies count, but the manifests have no nodes to place pods on: only quota can be
// explained then.
bool LacksNodes(const api::FeatureGates& gates, std::span<const api::Manifest> manifests);

// A cluster state with the objects of the manifests, as an API server would store them
// (objects::AsStored), Workloads with unique uids. Of several objects with the same name the last
// one wins. Pods are placed in topologies if there is a Node.
std::unique_ptr<workload::ClusterState> Load(const api::Configuration& configuration,
                                             const api::FeatureGates& gates,
                                             std::span<const api::Manifest> manifests,
                                             base::Time now);

// Finds a Workload by its name or that of an owner. The namespace ("team-a/train") may be omitted
// if the name is unique. The error suggests similar names.
base::Result<const api::Workload*> FindWorkload(const workload::ClusterState& cluster,
                                                std::string_view name);

}  // namespace berth::explain
