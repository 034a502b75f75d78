#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/feature_gates.h"
#include "api/core/pod_spec.h"
#include "api/kueue/pod_set.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload.h"
#include "base/error.h"
#include "base/flat_map.h"

// Changes that an admission makes to the pods of a set: node selector, tolerations, labels,
// annotations, scheduling gates and count.
namespace berth::jobs {

struct PodSetInfo {
  std::string name;
  int32_t count = 0;
  base::FlatMap<std::string> annotations;
  base::FlatMap<std::string> labels;
  base::FlatMap<std::string> node_selector;
  std::vector<api::Toleration> tolerations;
  std::vector<std::string> scheduling_gates;

  friend bool operator==(const PodSetInfo&, const PodSetInfo&) = default;
};

// The reason why a job cannot start. Permanent failures are not retried.
struct StartFailure {
  base::Error error;
  bool is_permanent = false;
};
std::unexpected<StartFailure> PermanentFailure(std::string message, std::string hint);

using FindFlavor = std::function<const api::ResourceFlavor*(std::string_view name)>;

struct StartOptions {
  bool has_topology = true;          // gate TopologyAwareScheduling
  bool assigns_queue_labels = true;  // gate AssignQueueLabelsForPods
  bool has_elastic_jobs = true;      // gate ElasticJobsViaWorkloadSlices

  static StartOptions From(const api::FeatureGates& gates);
};

// Derives the changes from the Workload's admission and admission checks, one per assignment, in
// order. A missing flavor is a temporary failure; contradicting check updates are permanent.
std::expected<std::vector<PodSetInfo>, StartFailure> InfosFromAdmission(
    const api::Workload& workload, const FindFlavor& find_flavor, const StartOptions& options);

// The part of the admission checks for the pod set of this name.
std::expected<PodSetInfo, StartFailure> InfoFromChecks(const api::Workload& workload,
                                                       std::string_view pod_set);

// The original values: the templates of the Workload.
std::vector<PodSetInfo> InfosFromPodSets(const api::Workload& workload);

// Whether two tolerations are equivalent; an absent operator means Equal.
bool SameToleration(const api::Toleration& a, const api::Toleration& b);

// Merges one map into another. Returns false and sets `conflict` if a key has two values.
bool MergeTexts(const base::FlatMap<std::string>& from, base::FlatMap<std::string>& into,
                std::string& conflict);

}  // namespace berth::jobs
