#pragma once

// The visibility API: the pending workloads of a queue in scheduling order.
//
//   GET /apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/NAME/pendingworkloads
//   GET /apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/SPACE/localqueues/NAME/pendingworkloads
//
// with ?limit=N&offset=N; also in v1beta1.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/state/cluster_state.h"

namespace berth::observe {

inline constexpr std::string_view kVisibilityGroup = "visibility.kueue.x-k8s.io";

struct PendingQuery {
  std::string version = "v1beta2";
  std::string namespace_;  // "" for a ClusterQueue
  std::string name;
  int64_t limit = 1000;
  int64_t offset = 0;

  friend bool operator==(const PendingQuery&, const PendingQuery&) = default;
};

// Nullopt if the target, a path with its query, is not such a request.
std::optional<PendingQuery> ParsePendingQuery(std::string_view target);

// The discovery documents at /apis, /apis/GROUP and /apis/GROUP/VERSION. Nullopt for any other
// path.
std::optional<std::string> VisibilityDiscovery(std::string_view path);

// A PendingWorkloadsSummary; nullopt if the queue does not exist or the LocalQueue is stopped. The
// cluster state must be in sync.
std::optional<std::string> PendingSummary(const PendingQuery& query,
                                          const workload::ClusterState& cluster);

}  // namespace berth::observe
