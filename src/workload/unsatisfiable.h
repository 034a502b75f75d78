#pragma once

// Requests that no quota can ever satisfy, even if all other workloads were gone. One rule for
// `berth lint`, which knows files, and for the webhook, which knows the cluster.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod_spec.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/resource_flavor.h"
#include "workload/potential_quota.h"
#include "workload/requests/requests.h"

namespace berth::workload {

// More of a resource requested than a flavor can ever provide.
struct ResourceShortage {
  std::string resource;
  PotentialQuota::Bound bound;
};

// Why a flavor can never serve the pods.
struct FlavorObstacle {
  std::string flavor;
  std::vector<ResourceShortage> shortages;  // empty: the pods do not match the flavor
  std::string untolerated_taint;            // its key; empty with no shortages: node labels differ
};

// Requests of a pod set for the resources of one resource group.
struct UnsatisfiableRequest {
  Requests requests;
  std::vector<FlavorObstacle> obstacles;  // one per flavor; empty: no resource group covers them

  bool is_uncovered() const { return obstacles.empty(); }
};

// The surroundings of the question. Functions are called during the search only.
struct QuotaLookup {
  // Nullopt if the bound is not known: then the flavor counts as large enough.
  std::function<std::optional<PotentialQuota::Bound>(std::string_view flavor,
                                                     std::string_view resource)>
      find_bound;
  // Null if the flavor is not known: then it counts as matching.
  std::function<const api::ResourceFlavor*(std::string_view flavor)> find_flavor;
  bool cannot_borrow = false;
};

// Totals are those of the smallest number of pods that may be admitted. Conservative: pod sets are
// looked at one by one, and unknown objects count in favour of the workload.
std::vector<UnsatisfiableRequest> FindUnsatisfiable(const PodSetTotals& totals,
                                                    const api::PodSpec& pod,
                                                    const api::ClusterQueueSpec& queue,
                                                    const QuotaLookup& lookup);

// `request 100 nvidia.com/gpu, but ClusterQueue team-a can offer at most 16 (nominal 8 + borrowing
// 8) in flavor a100`; begins with `verb`.
std::string ToString(const UnsatisfiableRequest& request, std::string_view verb,
                     std::string_view cluster_queue, bool cannot_borrow);

}  // namespace berth::workload
