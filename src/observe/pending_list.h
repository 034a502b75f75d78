#pragma once

// The visibility API: who waits in a queue, in the order in which they will be looked at.
//
//   GET /apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/NAME/pendingworkloads
//   GET /apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/SPACE/localqueues/NAME/pendingworkloads
//
// with ?limit=N&offset=N; also in v1beta1.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/engine_feed.h"

namespace berth::observe {

inline constexpr std::string_view kVisibilityGroup = "visibility.kueue.x-k8s.io";

struct PendingQuery {
  std::string version = "v1beta2";
  std::string namespace_;  // "": of a ClusterQueue
  std::string name;
  int64_t limit = 1000;
  int64_t offset = 0;

  friend bool operator==(const PendingQuery&, const PendingQuery&) = default;
};

// Nullopt if the target, a path with its query, is something else.
std::optional<PendingQuery> ParsePendingQuery(std::string_view target);

// What there is to ask for, as clients look for it: the documents at /apis, /apis/GROUP and
// /apis/GROUP/VERSION. Nullopt for any other path.
std::optional<std::string> VisibilityDiscovery(std::string_view path);

// A PendingWorkloadsSummary; nullopt if there is no such queue, or the LocalQueue is stopped. The
// feed must be in sync.
std::optional<std::string> PendingSummary(const PendingQuery& query,
                                          const workload::EngineFeed& feed);

}  // namespace berth::observe
