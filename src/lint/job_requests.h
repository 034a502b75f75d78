#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "lint/catalog.h"
#include "lint/queued_job.h"
#include "workload/claims.h"
#include "workload/limit_summary.h"
#include "workload/pod_requests.h"
#include "workload/resource_filter.h"

namespace berth::lint {

// Whether a Workload was admitted already, so that what it asks for is settled.
bool HoldsQuota(const QueuedJob& job);

// The class that a request without a resource in the queue is for ("DeviceClass x"); "" if the
// request is for a resource.
std::string_view DeviceClassIn(std::string_view resource);

// What the jobs of a catalog ask for, and what of that counts in their ClusterQueues: the same
// answer that decides in a cluster.
class JobRequests {
 public:
  explicit JobRequests(const Catalog& catalog);

  const workload::ResourceOptions& options() const { return *options_; }

  // The ClusterQueue that the job waits for, if there is exactly one way to it.
  const api::ClusterQueue* QueueOf(const QueuedJob& job) const;

  // One for each pod set. Claims that are not in the catalog are left out.
  std::vector<workload::PodSetDemand> Demands(const QueuedJob& job);
  workload::CountedRequests Count(const QueuedJob& job, const api::ClusterQueue& queue);

  // The claims that are not in the catalog, by field of a Workload of the same pod sets.
  schema::Problems MissingClaims(const QueuedJob& job) const;

 private:
  size_t CountNamed(const schema::Kind& kind, std::string_view name) const;
  void AddClaims();

  const Catalog& catalog_;
  std::shared_ptr<const workload::ResourceOptions> options_;
  workload::ResourcePrefixPool prefixes_;
  workload::RuntimeOverheads overheads_;
  std::map<std::string, workload::LimitSummary> limits_;
  workload::ClaimStore claims_;
};

}  // namespace berth::lint
