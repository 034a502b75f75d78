#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/pod_set.h"
#include "api/kueue/resource_flavor.h"
#include "lint/catalog.h"
#include "lint/job_requests.h"
#include "lint/queued_job.h"

namespace berth::lint {

// The topology request of a podset, by annotations or, of a Workload, by a field.
struct TopologyRequestAt {
  struct Level {
    std::string name;
    std::string field;
  };
  api::PodSetTopologyRequest request;
  std::string field;          // the first field of the request
  std::vector<Level> levels;  // that it names
};

// Nullopt if there is none, if it cannot be read, or if its gate is off.
std::optional<TopologyRequestAt> TopologyRequestOf(const Catalog& catalog, const QueuedJob& job,
                                                   const PodSetAt& pods);

// A flavor of a ClusterQueue.
struct QueueFlavor {
  const api::ResourceFlavor* flavor = nullptr;
  std::vector<std::string> levels;  // empty: it has no topology
  const std::vector<std::string>* covered = nullptr;

  bool HasLevel(std::string_view level) const;
};

// The flavors of the job's ClusterQueue. Nullopt unless all of them, and their Topologies, are in
// the set and readable, or if admission checks decide where its pods go.
std::optional<std::vector<QueueFlavor>> FlavorsOf(const Catalog& catalog,
                                                  const JobRequests& requests,
                                                  const QueuedJob& job);

}  // namespace berth::lint
