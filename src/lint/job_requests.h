#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "lint/catalog.h"
#include "lint/queued_job.h"
#include "workload/requests/claims.h"
#include "workload/requests/limit_summary.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/resource_filter.h"

namespace berth::lint {

// Whether a Workload holds quota already.
bool HoldsQuota(const QueuedJob& job);

// "DeviceClass x" if the request is for a class without a resource in the queue; else "".
std::string_view DeviceClassIn(std::string_view resource);

// The requests of jobs as counted in their ClusterQueues, by the rules of the scheduler.
class JobRequests {
 public:
  explicit JobRequests(const Catalog& catalog);

  const workload::ResourceOptions& options() const { return *options_; }

  // The ClusterQueue of the job; null if it is missing or ambiguous.
  const api::ClusterQueue* QueueOf(const QueuedJob& job) const;

  // As the API server stores them: with the defaults of LimitRanges and RuntimeClasses.
  std::vector<api::PodSet> AdjustedPodSets(const QueuedJob& job) const;
  // One for each podset, without claims that are missing in the catalog.
  std::vector<workload::PodSetDemand> Demands(const QueuedJob& job);
  workload::CountedRequests Count(const QueuedJob& job, const api::ClusterQueue& queue);

  // Claims that are missing in the catalog, by field of a Workload with the same podsets.
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
