#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/viewer.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

// An object as `kubectl get -o yaml` prints it, without managed fields. `plural`: clusterqueues,
// cohorts, localqueues, resourceflavors or workloads; `name`: namespaced if the kind is. Nullopt if
// there is none, or none that the viewer may see.
std::optional<std::string> ManifestText(const workload::ClusterState& cluster,
                                        std::string_view plural, std::string_view name,
                                        const Viewer& viewer);

}  // namespace berth::query
